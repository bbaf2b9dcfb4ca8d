#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/convert.h"
#include "core/error.h"

using namespace cutaway;

namespace {

std::vector<unsigned char> bytes_of(const std::string& hex) {
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

}  // namespace

TEST_CASE(
    "DT-1 every ordered pair of dtypes converts as recorded from PyTorch, also NaN and what does not fit") {
  std::ifstream golden(std::string(CUTAWAY_GOLDEN_DIR) + "/conversions.txt");
  std::string line;
  REQUIRE(std::getline(golden, line));
  REQUIRE(line == "# PyTorch 2.15.0");
  std::set<std::string> pairs;
  while (std::getline(golden, line)) {
    std::istringstream words(line);
    std::string from, to, from_bits, to_bits;
    words >> from >> from_bits >> to >> to_bits;
    const auto source = bytes_of(from_bits), wanted = bytes_of(to_bits);
    std::vector<unsigned char> got(wanted.size());
    convert_element(*parse_dtype(to), got.data(), *parse_dtype(from), source.data());
    CHECK_MESSAGE(got == wanted, line);
    pairs.insert(from + " " + to);
  }
  CHECK(pairs.size() == 100);
}

TEST_CASE("DT-1 the documented out-of-range values") {
  CHECK(convert<uint8_t>(300.0f) == 44);
  CHECK(convert<uint8_t>(-1.0f) == 255);
  CHECK(convert<uint8_t>(4294967301.0) == 5);
  CHECK(convert<int8_t>(1e10) == 0);
  CHECK(convert<int32_t>(NAN) == std::numeric_limits<int32_t>::min());
  CHECK(convert<int64_t>(INFINITY) == std::numeric_limits<int64_t>::min());
  CHECK(convert<int32_t>(2147483647.5) == 2147483647);
  CHECK(convert<int32_t>(-2147483648.5) == std::numeric_limits<int32_t>::min());
  CHECK(convert<bool>(NAN));
  static_assert(convert<int16_t>(70000) == 4464);
}

TEST_CASE("DT-1 any byte but 0 is a true bool, wherever it came from") {
  const unsigned char bytes[] = {0, 1, 2, 255};
  int32_t numbers[4];
  for (int i = 0; i < 4; ++i) convert_element(ScalarType::Int, &numbers[i], ScalarType::Bool, &bytes[i]);
  CHECK(numbers[0] == 0);
  CHECK(numbers[1] == 1);
  CHECK(numbers[2] == 1);
  CHECK(numbers[3] == 1);
}

TEST_CASE("elements need no alignment") {
  unsigned char bytes[9] = {};
  const double value = 2.5;
  std::memcpy(bytes + 1, &value, sizeof(value));
  CHECK(element_as_double(ScalarType::Double, bytes + 1) == 2.5);
}

TEST_CASE("dtype names parse and print, and the kinds part them") {
  for (ScalarType t : kScalarTypes) {
    CHECK(is_floating(t) != is_integral(t, true));
    CHECK(is_signed(t) == (t != ScalarType::Bool && t != ScalarType::Byte));
    CHECK(parse_dtype(dtype_name(t)) == t);
    CHECK(parse_dtype(std::string("torch.") + dtype_name(t)) == t);
    CHECK(element_size(t) > 0);
  }
  CHECK(parse_dtype("float128") == std::nullopt);
  CHECK(std::string(to_string(ScalarType::Half)) == "Half");
}

TEST_CASE("a dtype switch on no dtype raises the text of such a switch") {
  CHECK_THROWS_WITH_AS(element_as_double(ScalarType::Undefined, nullptr),
                       "\"convert\" not implemented for 'Undefined'", NotImplementedError);
}
