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
    case ScalarType::Half: return "at::Half";
    case ScalarType::BFloat16: return "at::BFloat16";
    case ScalarType::Float: return "float";
    default: return to_string(t);
  }
}

template <class T>
bool fits(bool floating, int64_t integer, double value) {
  using Limits = std::numeric_limits<T>;
  if (!floating) {
    if (std::is_unsigned_v<T> && integer < 0) return -static_cast<uint64_t>(integer) <= Limits::max();
    return integer >= static_cast<int64_t>(Limits::min()) && integer <= static_cast<int64_t>(Limits::max());
  }
  if (std::isnan(value) || std::isinf(value)) return false;
  const double low = std::is_unsigned_v<T> ? -static_cast<double>(Limits::max()) : static_cast<double>(Limits::min());
  const double beyond = sizeof(T) == 8 ? 0x1p63 : static_cast<double>(Limits::max()) + 1;
  return value >= low && value < beyond;
}

bool fits_float(double value, double largest) { return std::isnan(value) || std::isinf(value) || std::fabs(value) <= largest; }

}  // namespace

void Scalar::check_fits(ScalarType to) const {
  const bool floating = is_floating_point();
  const double value = floating ? double_ : static_cast<double>(integer_);
  bool ok = true;
  switch (to) {
    case ScalarType::Byte: ok = fits<uint8_t>(floating, floating ? 0 : integer_, value); break;
    case ScalarType::Char: ok = fits<int8_t>(floating, floating ? 0 : integer_, value); break;
    case ScalarType::Short: ok = fits<int16_t>(floating, floating ? 0 : integer_, value); break;
    case ScalarType::Int: ok = fits<int32_t>(floating, floating ? 0 : integer_, value); break;
    case ScalarType::Long: ok = fits<int64_t>(floating, floating ? 0 : integer_, value); break;
    case ScalarType::Half: ok = fits_float(value, 65504.0); break;
    case ScalarType::BFloat16: ok = fits_float(value, 0x1.fep127); break;
    case ScalarType::Float: ok = fits_float(value, std::numeric_limits<float>::max()); break;
    case ScalarType::Double:
    case ScalarType::Bool:
    case ScalarType::Undefined: break;
  }
  CUTAWAY_CHECK(ok, "value cannot be converted to type ", type_name(to), " without overflow");
}

std::ostream& operator<<(std::ostream& out, const Scalar& s) {
  if (s.is_boolean()) return out << (s.integer_ ? "True" : "False");
  if (s.is_floating_point()) return out << s.double_;
  return out << s.integer_;
}

}  // namespace cutaway
