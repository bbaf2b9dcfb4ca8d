// A number without a tensor: what `x + 2` carries into an op. Knows whether it was a bool, an integer or a
// float.
//
//   | type_ : Bool, Long or Double | integer_ or double_ |      16 bytes, a value
//
// PyTorch: c10/core/Scalar.h
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "core/convert.h"
#include "core/scalar_type.h"

namespace cutaway {

class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  // Exactly bool: a pointer, which C++ would turn into one, is no number.
  template <std::same_as<bool> T>
  Scalar(T value) : type_(ScalarType::Bool), integer_(value) {}
  // Throws: Error for an unsigned number beyond int64.
  template <std::integral T>
  requires(!std::same_as<T, bool>) Scalar(T value)
      : type_(ScalarType::Long), integer_(static_cast<int64_t>(value)) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(int64_t)) check_not_wrapped();
  }
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

  // Returns: the value as T. Throws: Error "value cannot be converted to type uint8_t without overflow" when
  // it does not fit. An unsigned T also takes the negative integers that wrap into it, as in PyTorch.
  template <class T>
  T to() const {
    check_fits(scalar_type_of<T>());
    return wrapped_to<T>();
  }
  // Returns: the value as T by the rules of core/convert.h, never an error: what an element becomes in a
  // copy.
  template <class T>
  T wrapped_to() const {
    return is_floating_point() ? convert<T>(double_) : convert<T>(integer_);
  }

  friend std::ostream& operator<<(std::ostream& out, const Scalar& s);

 private:
  void check_fits(ScalarType to) const;
  void check_not_wrapped() const;

  ScalarType type_;
  union {
    int64_t integer_;
    double double_;
  };
};

}  // namespace cutaway
