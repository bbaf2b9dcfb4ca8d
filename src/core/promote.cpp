#include "core/promote.h"

#include <algorithm>

namespace cutaway {
namespace {

int category(ScalarType t) { return t == ScalarType::Bool ? 0 : is_floating(t) ? 2 : 1; }

// Order of width within the integers and within the floats.
int width(ScalarType t) {
  return static_cast<int>(std::find(std::begin(kScalarTypes), std::end(kScalarTypes), t) -
                          std::begin(kScalarTypes));
}

}  // namespace

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (width(a) > width(b)) std::swap(a, b);
  if (a == ScalarType::Byte && b == ScalarType::Char) return ScalarType::Short;
  if (a == ScalarType::Half && b == ScalarType::BFloat16) return ScalarType::Float;
  return b;
}

ScalarType result_type(ScalarType tensor, const Scalar& number) {
  if (category(number.type()) <= category(tensor)) return tensor;
  return number.is_floating_point() ? ScalarType::Float : number.type();
}

bool can_cast(ScalarType from, ScalarType to) {
  if (is_floating(from) && is_integral(to, true)) return false;
  return to != ScalarType::Bool || from == ScalarType::Bool;
}

}  // namespace cutaway
