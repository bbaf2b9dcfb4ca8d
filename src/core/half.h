// float16: 1 sign bit, 5 exponent bits, 10 fraction bits (IEEE 754 binary16). Stored as is, computed in
// float.
//
// Conversion to half rounds to nearest, ties to even; what is too large becomes infinity, NaN stays NaN.
//
// PyTorch: torch/headeronly/util/Half.h
#pragma once

#include <bit>
#include <cstdint>

namespace cutaway {

namespace detail {

constexpr float half_bits_to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t exponent = (h >> 10) & 0x1fu;
  const uint32_t fraction = h & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  // Subnormal: fraction * 2^-24, exact in float.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

constexpr uint16_t float_to_half_bits(float f) {
  const uint32_t bits = std::bit_cast<uint32_t>(f);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;   // NaN
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {                        // below 2^-14: subnormal
    // Adding 0.5 puts the fraction of a half's subnormal into the low bits, rounded by the addition itself.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

}  // namespace detail

struct Half {
  uint16_t bits = 0;

  Half() = default;
  constexpr explicit Half(float value) : bits(detail::float_to_half_bits(value)) {}
  static constexpr Half from_bits(uint16_t b) {
    Half h;
    h.bits = b;
    return h;
  }
  constexpr operator float() const { return detail::half_bits_to_float(bits); }
};

static_assert(sizeof(Half) == 2);

}  // namespace cutaway
