// Turning a number of one dtype into one of another, for every ordered pair.
//
// To bool: whether it is not zero (NaN is true). Between integers: modulo 2^bits. Float to float: rounded to
// nearest. Float to integer: toward zero. Where the value does not fit, or is NaN, C++ leaves the result
// undefined and PyTorch gives what the processor gives; see Note [Out-of-range floats].
//
// PyTorch: torch/headeronly/core/ScalarType.h, c10/util/TypeCast.h
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/bfloat16.h"
#include "core/half.h"
#include "core/scalar_type.h"

namespace cutaway {

namespace detail {

// Note [Out-of-range floats]
// A float that does not fit an integer type has no defined conversion in C++. x86-64 answers with the most
// negative int32 or int64, whichever it was asked for, and narrower types take the low bits of that. PyTorch
// asks for int64 when the target is int64 or uint8 and for int32 otherwise. We do the same, spelled out, so
// that every compiler and sanitizer agrees. Hence uint8(300.0) is 44 and uint8(-1.0) is 255, int8(1e10) is 0,
// and NaN becomes 0 or the most negative integer.
template <class Wide>
constexpr Wide truncate(double value) {
  // The integers of Wide are those strictly between these two, both exact in double.
  constexpr double kAbove = sizeof(Wide) == 8 ? 0x1p63 : 0x1p31;
  constexpr double kBelow = sizeof(Wide) == 8 ? -0x1.0000000000001p63 : -0x1p31 - 1;
  return value > kBelow && value < kAbove ? static_cast<Wide>(value) : std::numeric_limits<Wide>::min();
}

}  // namespace detail

template <class To, class From>
constexpr To convert(From from) {
  constexpr bool kSmallFrom = std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>;
  constexpr bool kSmallTo = std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>;
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (kSmallFrom) {
    return convert<To>(static_cast<float>(from));
  } else if constexpr (std::is_same_v<To, bool>) {
    return from != From(0);
  } else if constexpr (kSmallTo) {
    return To(static_cast<float>(from));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Wide = std::conditional_t<sizeof(To) == 8 || std::is_same_v<To, uint8_t>, int64_t, int32_t>;
    return static_cast<To>(detail::truncate<Wide>(from));
  } else {
    return static_cast<To>(from);
  }
}

// Returns: the element at an address that needs no alignment. A bool in memory may be any byte (a file's, a
// foreign library's); reading one that is neither 0 nor 1 as a C++ bool is undefined, so every byte but 0 is
// true here.
template <class T>
T load(const void* element) {
  if constexpr (std::is_same_v<T, bool>) {
    return *static_cast<const unsigned char*>(element) != 0;
  } else {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
  }
}

// Calls f(T{}) with the C++ type of `t`. Throws: NotImplementedError for Undefined, in the words of a dtype
// switch: "\"name\" not implemented for 'Undefined'".
template <class F>
decltype(auto) with_type_of(ScalarType t, const char* name, F&& f);

// Converts one element in memory; the addresses need no alignment.
void convert_element(ScalarType to, void* destination, ScalarType from, const void* source);

// Returns: the element as a double (int64 beyond 2^53 is rounded).
double element_as_double(ScalarType type, const void* element);

}  // namespace cutaway

#include "core/convert_inl.h"
