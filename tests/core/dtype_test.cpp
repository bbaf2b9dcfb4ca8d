#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/convert.h"
#include "core/error.h"
#include "core/promote.h"
#include "core/scalar.h"

using namespace cutaway;

TEST_CASE("float16 goes to float and back unchanged for all 65,536 patterns") {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = Half::from_bits(static_cast<uint16_t>(bits));
    if (std::isnan(value)) {
      CHECK(std::isnan(static_cast<float>(Half(value))));
      continue;
    }
    REQUIRE(Half(value).bits == bits);
  }
}

TEST_CASE("float to float16 rounds to nearest, ties to even") {
  // Halfway between neighbours: the even one. Just above and below: the nearer one.
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = Half::from_bits(static_cast<uint16_t>(bits)), high = Half::from_bits(static_cast<uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;
    REQUIRE(Half(middle).bits == (bits % 2 == 0 ? bits : bits + 1));
    REQUIRE(Half(std::nextafter(middle, -1.0f)).bits == bits);
    REQUIRE(Half(std::nextafter(middle, INFINITY)).bits == bits + 1);
  }
  CHECK(Half(65519.996f).bits == 0x7bff);
  CHECK(Half(65520.0f).bits == 0x7c00);
  CHECK(Half(-INFINITY).bits == 0xfc00);
}

TEST_CASE("bfloat16 is the upper half of a float, rounded to nearest even") {
  CHECK(BFloat16(1.0f).bits == 0x3f80);
  CHECK(BFloat16(std::bit_cast<float>(0x3f808000u)).bits == 0x3f80);
  CHECK(BFloat16(std::bit_cast<float>(0x3f818000u)).bits == 0x3f82);
  CHECK(BFloat16(NAN).bits == 0x7fc0);
  CHECK(BFloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
}

TEST_CASE("DT-1 every ordered pair of dtypes converts as recorded from PyTorch") {
  std::ifstream golden(std::string(CUTAWAY_GOLDEN_DIR) + "/conversions.txt");
  REQUIRE(golden.good());
  int checked = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string from, to, from_bits, to_bits;
    words >> from >> from_bits >> to >> to_bits;
    const auto bytes_of = [](const std::string& hex) {
      std::vector<unsigned char> bytes;
      for (size_t i = 0; i < hex.size(); i += 2) bytes.push_back(static_cast<unsigned char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
      return bytes;
    };
    const auto source = bytes_of(from_bits), wanted = bytes_of(to_bits);
    std::vector<unsigned char> got(wanted.size());
    convert_element(*parse_dtype(to), got.data(), *parse_dtype(from), source.data());
    CHECK_MESSAGE(got == wanted, line);
    ++checked;
  }
  CHECK(checked > 1000);
}

TEST_CASE("a Scalar refuses what does not fit, in PyTorch's words") {
  CHECK(Scalar(255).to<uint8_t>() == 255);
  CHECK(Scalar(-1).to<uint8_t>() == 255);
  CHECK_THROWS_WITH_AS(Scalar(256).to<uint8_t>(), "value cannot be converted to type uint8_t without overflow", Error);
  CHECK_THROWS_WITH_AS(Scalar(1e10).to<int>(), "value cannot be converted to type int without overflow", Error);
  CHECK(static_cast<float>(Scalar(65504.0).to<Half>()) == 65504.0f);
  CHECK_THROWS_AS(Scalar(65505.0).to<Half>(), Error);
  CHECK(std::isinf(Scalar(INFINITY).to<float>()));
  CHECK(Scalar(true).is_boolean());
  CHECK(Scalar(2.5f).type() == ScalarType::Double);
}

TEST_CASE("DT-2 promotion is commutative, idempotent and PyTorch's in the special cases") {
  for (ScalarType a : kScalarTypes)
    for (ScalarType b : kScalarTypes) {
      CHECK(promote_types(a, b) == promote_types(b, a));
      CHECK(promote_types(a, a) == a);
      CHECK(promote_types(ScalarType::Bool, b) == b);
    }
  CHECK(promote_types(ScalarType::Byte, ScalarType::Char) == ScalarType::Short);
  CHECK(promote_types(ScalarType::Byte, ScalarType::Int) == ScalarType::Int);
  CHECK(promote_types(ScalarType::Half, ScalarType::BFloat16) == ScalarType::Float);
  CHECK(promote_types(ScalarType::Long, ScalarType::Half) == ScalarType::Half);
}

TEST_CASE("dtype names parse and print") {
  for (ScalarType t : kScalarTypes) {
    CHECK(parse_dtype(dtype_name(t)) == t);
    CHECK(parse_dtype(std::string("torch.") + dtype_name(t)) == t);
    CHECK(element_size(t) > 0);
  }
  CHECK(parse_dtype("float128") == std::nullopt);
  CHECK(std::string(to_string(ScalarType::Half)) == "Half");
}

TEST_CASE("a dtype switch on no dtype raises the text of such a switch") {
  CHECK_THROWS_WITH_AS(element_as_double(ScalarType::Undefined, nullptr), "\"convert\" not implemented for 'Undefined'",
                       NotImplementedError);
}
