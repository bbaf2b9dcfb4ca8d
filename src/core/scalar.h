// A number without a tensor: what `x + 2` carries into an op. Knows whether it was a bool, an integer or a float.
//
// PyTorch: c10/core/Scalar.h
#pragma once

#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "core/convert.h"
#include "core/scalar_type.h"

namespace cutaway {

class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool value) : type_(ScalarType::Bool), integer_(value) {}
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  Scalar(T value) : type_(ScalarType::Long), integer_(static_cast<int64_t>(value)) {}
  Scalar(double value) : type_(ScalarType::Double), double_(value) {}
  Scalar(float value) : Scalar(static_cast<double>(value)) {}
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}

  bool is_boolean() const { return type_ == ScalarType::Bool; }
  bool is_integral(bool include_bool) const {
    return type_ == ScalarType::Long || (include_bool && is_boolean());
  }
  bool is_floating_point() const { return type_ == ScalarType::Double; }
  // Bool, Long or Double.
  ScalarType type() const { return type_; }

  // Returns: the value as T. Throws: Error "value cannot be converted to type uint8_t without overflow" when it does
  // not fit. Unsigned types also take the negative values that wrap into them, as in PyTorch.
  template <class T>
  T to() const {
    check_fits(scalar_type_of<T>());
    return is_floating_point() ? convert<T>(double_) : convert<T>(integer_);
  }

  friend std::ostream& operator<<(std::ostream& out, const Scalar& s);

 private:
  void check_fits(ScalarType to) const;

  ScalarType type_;
  union {
    int64_t integer_;
    double double_;
  };
};

}  // namespace cutaway
