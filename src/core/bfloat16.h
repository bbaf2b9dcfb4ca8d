// bfloat16: the upper half of a float, 1 sign bit, 8 exponent bits, 7 fraction bits. Stored as is, computed
// in float.
//
// Conversion to bfloat16 rounds to nearest, ties to even; NaN becomes the quiet NaN 0x7fc0, as in PyTorch.
//
// PyTorch: torch/headeronly/util/BFloat16.h
#pragma once

#include <bit>
#include <cstdint>

namespace cutaway {

struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  constexpr explicit BFloat16(float value) : bits(round(value)) {}
  static constexpr BFloat16 from_bits(uint16_t b) {
    BFloat16 v;
    v.bits = b;
    return v;
  }
  constexpr operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

 private:
  static constexpr uint16_t round(float value) {
    const uint32_t b = std::bit_cast<uint32_t>(value);
    if ((b & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return static_cast<uint16_t>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
  }
};

static_assert(sizeof(BFloat16) == 2);

}  // namespace cutaway
