// The element types (dtypes), their sizes and names. One list drives every switch over them.
//
// Values and order are PyTorch's; the numbers we leave out (complex, quantized, 8-bit floats) stay unused, so
// that a ScalarType printed as a number means the same there and here.
//
// PyTorch: torch/headeronly/core/ScalarType.h
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

namespace cutaway {

struct Half;
struct BFloat16;

// _(C++ type, PyTorch's C++ name, Python name, value)
#define CUTAWAY_FORALL_SCALAR_TYPES(_) \
  _(uint8_t, Byte, "uint8", 0)         \
  _(int8_t, Char, "int8", 1)           \
  _(int16_t, Short, "int16", 2)        \
  _(int32_t, Int, "int32", 3)          \
  _(int64_t, Long, "int64", 4)         \
  _(Half, Half, "float16", 5)          \
  _(float, Float, "float32", 6)        \
  _(double, Double, "float64", 7)      \
  _(bool, Bool, "bool", 11)            \
  _(BFloat16, BFloat16, "bfloat16", 15)

enum class ScalarType : int8_t {
#define CUTAWAY_ENUMERATE(type, name, python, value) name = value,
  CUTAWAY_FORALL_SCALAR_TYPES(CUTAWAY_ENUMERATE)
#undef CUTAWAY_ENUMERATE
      Undefined = 127,
};

// The ten types in the order of PyTorch's promotion table: bool, then by category and width.
inline constexpr ScalarType kScalarTypes[] = {
    ScalarType::Bool, ScalarType::Byte, ScalarType::Char,     ScalarType::Short, ScalarType::Int,
    ScalarType::Long, ScalarType::Half, ScalarType::BFloat16, ScalarType::Float, ScalarType::Double,
};

// Returns: bytes of one element; 0 for Undefined.
constexpr size_t element_size(ScalarType t) {
  switch (t) {
    case ScalarType::Byte:
    case ScalarType::Char:
    case ScalarType::Bool: return 1;
    case ScalarType::Short:
    case ScalarType::Half:
    case ScalarType::BFloat16: return 2;
    case ScalarType::Int:
    case ScalarType::Float: return 4;
    case ScalarType::Long:
    case ScalarType::Double: return 8;
    case ScalarType::Undefined: return 0;
  }
  return 0;
}

constexpr bool is_floating(ScalarType t) {
  return t == ScalarType::Half || t == ScalarType::BFloat16 || t == ScalarType::Float ||
         t == ScalarType::Double;
}

// `include_bool`: whether bool counts as an integer.
constexpr bool is_integral(ScalarType t, bool include_bool) {
  if (t == ScalarType::Bool) return include_bool;
  return t != ScalarType::Undefined && !is_floating(t);
}

constexpr bool is_signed(ScalarType t) {
  return t != ScalarType::Bool && t != ScalarType::Byte && t != ScalarType::Undefined;
}

// Returns: PyTorch's C++ name, "Float", as error messages use it.
const char* to_string(ScalarType t);
// Returns: the Python name without the module, "float32".
const char* dtype_name(ScalarType t);
// Returns: the type of a Python name ("float32", also "torch.float32"), or nothing.
std::optional<ScalarType> parse_dtype(std::string_view name);

std::ostream& operator<<(std::ostream& out, ScalarType t);

// scalar_type_of<float>() is ScalarType::Float.
template <class T>
struct ScalarTypeOf;
#define CUTAWAY_SPECIALIZE(type, name, python, value)      \
  template <>                                              \
  struct ScalarTypeOf<type> {                              \
    static constexpr ScalarType kValue = ScalarType::name; \
  };
CUTAWAY_FORALL_SCALAR_TYPES(CUTAWAY_SPECIALIZE)
#undef CUTAWAY_SPECIALIZE

template <class T>
constexpr ScalarType scalar_type_of() {
  return ScalarTypeOf<T>::kValue;
}

}  // namespace cutaway
