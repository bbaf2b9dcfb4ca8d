#include "core/scalar.h"

#include <cmath>
#include <limits>
#include <ostream>

#include "core/error.h"

namespace cutaway {
namespace {

// The C++ type as PyTorch's message names it.
const char* type_name(ScalarType t) {
  switch (t) {
    case ScalarType::Byte: return "uint8_t";
    case ScalarType::Char: return "int8_t";
    case ScalarType::Short: return "int16_t";
    case ScalarType::Int: return "int";
    case ScalarType::Long: return "int64_t";
    case ScalarType::Half: return "c10::Half";
    case ScalarType::BFloat16: return "c10::BFloat16";
    case ScalarType::Float: return "float";
    case ScalarType::Double:
    case ScalarType::Bool:
    case ScalarType::Undefined: break;
  }
  return to_string(t);
}

// The largest finite value of a floating type.
double largest(ScalarType t) {
  switch (t) {
    case ScalarType::Half: return 65504.0;
    case ScalarType::BFloat16: return 0x1.fep127;
    case ScalarType::Float: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

// Negative values wrap into an unsigned T down to minus its largest.
template <class T>
bool integer_fits(int64_t value) {
  constexpr int64_t kMost = std::numeric_limits<T>::max();
  constexpr int64_t kLeast = std::is_unsigned_v<T> ? -kMost : int64_t{std::numeric_limits<T>::min()};
  return value >= kLeast && value <= kMost;
}

// Whether T holds the value once its fraction is cut off above; below the least integer nothing is cut.
template <class T>
bool float_fits(double value) {
  constexpr double kAbove = sizeof(T) == 8 ? 0x1p63 : static_cast<double>(std::numeric_limits<T>::max()) + 1;
  return value >= static_cast<double>(std::numeric_limits<T>::min()) && value < kAbove;
}

}  // namespace

void Scalar::check_fits(ScalarType to) const {
  bool fits = true;
  if (cutaway::is_integral(to, false)) {
    with_type_of(to, "Scalar", [&](auto type) {
      using T = decltype(type);
      if constexpr (std::is_integral_v<T>)
        fits = is_floating_point() ? float_fits<T>(double_) : integer_fits<T>(integer_);
    });
  } else if (is_floating(to)) {
    const double value = wrapped_to<double>();
    fits = !std::isfinite(value) || std::fabs(value) <= largest(to);
  }
  CUTAWAY_CHECK(fits, "value cannot be converted to type ", type_name(to), " without overflow");
}

void Scalar::check_not_wrapped() const {
  CUTAWAY_CHECK(integer_ >= 0, "value cannot be converted to type int64_t without overflow");
}

std::ostream& operator<<(std::ostream& out, const Scalar& s) {
  if (s.is_boolean()) return out << (s.integer_ ? "True" : "False");
  if (s.is_floating_point()) return out << s.double_;
  return out << s.integer_;
}

}  // namespace cutaway
