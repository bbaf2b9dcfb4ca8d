#include "core/convert.h"

#include <cstring>

namespace cutaway {

void convert_element(ScalarType to, void* destination, ScalarType from, const void* source) {
  with_type_of(from, "convert", [&](auto from_type) {
    const auto value = load<decltype(from_type)>(source);
    with_type_of(to, "convert", [&](auto to_type) {
      using To = decltype(to_type);
      const To converted = convert<To>(value);
      std::memcpy(destination, &converted, sizeof(To));
    });
  });
}

double element_as_double(ScalarType type, const void* element) {
  double value = 0;
  convert_element(ScalarType::Double, &value, type, element);
  return value;
}

}  // namespace cutaway
