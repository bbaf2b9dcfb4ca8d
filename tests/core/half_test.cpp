#include "core/half.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/bfloat16.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace cutaway;

namespace {

// Checks rounding at the middle between every two neighbours and one float above and below it: the middle
// goes to the even one. Requires: the positive finite values are those of the patterns 0 to `largest`.
template <class Small>
void check_rounding(uint16_t largest) {
  for (uint32_t bits = 0; bits < largest; ++bits) {
    const double low = static_cast<float>(Small::from_bits(static_cast<uint16_t>(bits)));
    const double high = static_cast<float>(Small::from_bits(static_cast<uint16_t>(bits + 1)));
    const auto middle = static_cast<float>(low + (high - low) / 2);
    REQUIRE(Small(middle).bits == (bits % 2 == 0 ? bits : bits + 1));
    REQUIRE(Small(std::nextafter(middle, -1.0f)).bits == bits);
    REQUIRE(Small(std::nextafter(middle, INFINITY)).bits == bits + 1);
    REQUIRE(Small(-middle).bits == (Small(middle).bits | 0x8000u));
  }
}

template <class Small>
void check_round_trip() {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = Small::from_bits(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      REQUIRE(std::isnan(static_cast<float>(Small(value))));
    else
      REQUIRE(Small(value).bits == bits);
  }
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) uint16_t hardware_half(float value) {
  return static_cast<uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
__attribute__((target("f16c"))) float hardware_float(uint16_t bits) { return _cvtsh_ss(bits); }
#endif

}  // namespace

TEST_CASE("DT-1 float16 and bfloat16 go to float and back unchanged for all 65,536 patterns") {
  check_round_trip<Half>();
  check_round_trip<BFloat16>();
}

TEST_CASE("DT-1 float to float16 and bfloat16 rounds to nearest, ties to even") {
  check_rounding<Half>(0x7bff);
  check_rounding<BFloat16>(0x7f7f);
}

TEST_CASE("DT-1 what is too large becomes infinity, and NaN the quiet NaN") {
  CHECK(Half(65519.996f).bits == 0x7bff);
  CHECK(Half(65520.0f).bits == 0x7c00);
  CHECK(Half(-INFINITY).bits == 0xfc00);
  CHECK(Half(NAN).bits == 0x7e00);
  CHECK(Half(-NAN).bits == 0xfe00);
  CHECK(BFloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
  CHECK(BFloat16(INFINITY).bits == 0x7f80);
  CHECK(BFloat16(NAN).bits == 0x7fc0);
  CHECK(BFloat16(-NAN).bits == 0x7fc0);
  CHECK(BFloat16(std::bit_cast<float>(0x7f800001u)).bits == 0x7fc0);
}

#if defined(__x86_64__)
TEST_CASE("DT-1 float16 agrees with the processor's own conversion") {
  if (!__builtin_cpu_supports("avx2")) return;  // which comes with F16C, a name clang 14 does not know
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float ours = Half::from_bits(half), theirs = hardware_float(half);
    REQUIRE((std::isnan(ours) ? std::isnan(theirs)
                              : std::bit_cast<uint32_t>(ours) == std::bit_cast<uint32_t>(theirs)));
  }
  // An odd step visits every low half of the pattern beside every exponent.
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 257) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (std::isnan(value)) continue;
    if (Half(value).bits != hardware_half(value)) FAIL("bits ", bits);
  }
}
#endif
