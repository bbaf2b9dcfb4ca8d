#include "core/scalar.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

#include "core/error.h"
#include "core/promote.h"

using namespace cutaway;

namespace {

std::string text_of(const Scalar& s) {
  std::ostringstream out;
  out << s;
  return out.str();
}

template <class T>
bool refuses(const Scalar& s) {
  try {
    static_cast<void>(s.to<T>());
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

TEST_CASE("a Scalar remembers whether it was a bool, an integer or a float") {
  CHECK(Scalar(true).is_boolean());
  CHECK(Scalar(uint8_t{3}).type() == ScalarType::Long);
  CHECK(Scalar(2.5f).type() == ScalarType::Double);
  CHECK(Scalar(Half(1.5f)).to<double>() == 1.5);
  CHECK(Scalar().is_integral(false));
  CHECK(Scalar(true).is_integral(true));
  CHECK_FALSE(Scalar(true).is_integral(false));
  CHECK(text_of(true) == "True");
  CHECK(text_of(-3) == "-3");
  CHECK(text_of(0.5) == "0.5");
  static_assert(!std::is_convertible_v<const char*, Scalar>, "a pointer is no bool");
  static_assert(sizeof(Scalar) == 16);
  CHECK_THROWS_AS(Scalar{std::numeric_limits<uint64_t>::max()}, Error);
}

TEST_CASE("a Scalar refuses what does not fit, in PyTorch's words") {
  CHECK_THROWS_WITH_AS(Scalar(256).to<uint8_t>(),
                       "value cannot be converted to type uint8_t without overflow", Error);
  CHECK_THROWS_WITH_AS(Scalar(1e10).to<int>(), "value cannot be converted to type int without overflow",
                       Error);
  CHECK_THROWS_WITH_AS(Scalar(1e6).to<Half>(), "value cannot be converted to type c10::Half without overflow",
                       Error);
  CHECK_THROWS_WITH_AS(Scalar(1e39).to<float>(), "value cannot be converted to type float without overflow",
                       Error);
  CHECK(refuses<BFloat16>(3.4e38));
  CHECK(refuses<int8_t>(300));
  CHECK(refuses<int32_t>(int64_t{1} << 40));
  CHECK(refuses<int32_t>(NAN));
  CHECK(refuses<int64_t>(0x1p63));
  CHECK(refuses<int32_t>(-2147483648.5));
  CHECK(std::isinf(Scalar(INFINITY).to<float>()));
  CHECK(static_cast<float>(Scalar(65504.0).to<Half>()) == 65504.0f);
  CHECK(Scalar(2147483647.5).to<int32_t>() == 2147483647);
  CHECK(Scalar(-0x1p63).to<int64_t>() == std::numeric_limits<int64_t>::min());
  CHECK(Scalar(NAN).to<bool>());
}

TEST_CASE("negative integers wrap into uint8 down to -255, negative floats do not, as in PyTorch") {
  CHECK(Scalar(255).to<uint8_t>() == 255);
  CHECK(Scalar(255.99).to<uint8_t>() == 255);
  CHECK(Scalar(-1).to<uint8_t>() == 255);
  CHECK(Scalar(-255).to<uint8_t>() == 1);
  CHECK(refuses<uint8_t>(-256));
  CHECK(refuses<uint8_t>(std::numeric_limits<int64_t>::min()));
  CHECK(refuses<uint8_t>(-1.0));
  CHECK(refuses<uint8_t>(-0.5));
  CHECK(Scalar(-0.0).to<uint8_t>() == 0);
}

TEST_CASE("wrapped_to never refuses") {
  CHECK(Scalar(300).wrapped_to<uint8_t>() == 44);
  CHECK(Scalar(200).wrapped_to<int8_t>() == -56);
  CHECK(std::isinf(static_cast<float>(Scalar(1e6).wrapped_to<Half>())));
}

TEST_CASE("DT-2 the promotion table is PyTorch's, commutative and idempotent") {
  // Rows and columns in the order of kScalarTypes.
  const std::string table[10] = {
      "b1   u8   i8  i16  i32  i64  f16 bf16  f32  f64",  "u8   u8  i16  i16  i32  i64  f16 bf16  f32  f64",
      "i8  i16   i8  i16  i32  i64  f16 bf16  f32  f64",  "i16  i16  i16  i16  i32  i64  f16 bf16  f32  f64",
      "i32  i32  i32  i32  i32  i64  f16 bf16  f32  f64", "i64  i64  i64  i64  i64  i64  f16 bf16  f32  f64",
      "f16  f16  f16  f16  f16  f16  f16  f32  f32  f64", "bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16  f32  f64",
      "f32  f32  f32  f32  f32  f32  f32  f32  f32  f64", "f64  f64  f64  f64  f64  f64  f64  f64  f64  f64"};
  const std::string names[10] = {"b1", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
  for (size_t row = 0; row < 10; ++row) {
    std::istringstream words(table[row]);
    for (size_t column = 0; column < 10; ++column) {
      std::string wanted;
      words >> wanted;
      const ScalarType promoted = promote_types(kScalarTypes[row], kScalarTypes[column]);
      size_t at = 0;
      while (kScalarTypes[at] != promoted) ++at;
      CHECK_MESSAGE(names[at] == wanted, names[row], " with ", names[column]);
      CHECK(promoted == promote_types(kScalarTypes[column], kScalarTypes[row]));
    }
    CHECK(promote_types(kScalarTypes[row], kScalarTypes[row]) == kScalarTypes[row]);
  }
}

TEST_CASE("DT-3 a plain number counts only by its category") {
  CHECK(result_type(ScalarType::Int, 2.5) == ScalarType::Float);
  CHECK(result_type(ScalarType::Half, 1e10) == ScalarType::Half);
  CHECK(result_type(ScalarType::Byte, 300) == ScalarType::Byte);
  CHECK(result_type(ScalarType::Bool, 1) == ScalarType::Long);
  CHECK(result_type(ScalarType::Float, true) == ScalarType::Float);
}

TEST_CASE("DT-4 floats are not written to integers, and only bool to bool") {
  for (ScalarType from : kScalarTypes)
    for (ScalarType to : kScalarTypes) {
      const bool refused =
          (is_floating(from) && is_integral(to, true)) || (to == ScalarType::Bool && from != to);
      CHECK(can_cast(from, to) == !refused);
    }
}
