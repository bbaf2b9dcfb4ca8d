// The dtypes of .safetensors: their names, widths and order, and which of ours they are.
//
// Invariants: the table is in the reference library's order, smallest alignment first, which decides in what
// order a writer lays tensors down. Thread safety: constants.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/scalar_type.h"

namespace cutaway::io {

struct SafetensorsDtype {
  std::string_view name;
  uint64_t bits;
  std::optional<ScalarType> type;
  std::string_view reason;  // why it is none of ours
};

inline constexpr std::string_view kEightBitFloat =
    "an 8-bit float: the floating-point types here are float16, bfloat16, float32 and float64";
inline constexpr std::string_view kTinyFloat =
    "a float of less than 8 bits: every element here takes whole bytes";
inline constexpr std::string_view kWideUnsigned = "the only unsigned integer here is uint8";

inline constexpr SafetensorsDtype kSafetensorsDtypes[] = {
    {"BOOL", 8, ScalarType::Bool, ""},
    {"F4", 4, {}, kTinyFloat},
    {"F6_E2M3", 6, {}, kTinyFloat},
    {"F6_E3M2", 6, {}, kTinyFloat},
    {"U8", 8, ScalarType::Byte, ""},
    {"I8", 8, ScalarType::Char, ""},
    {"F8_E5M2", 8, {}, kEightBitFloat},
    {"F8_E4M3", 8, {}, kEightBitFloat},
    {"F8_E8M0", 8, {}, kEightBitFloat},
    {"F8_E4M3FNUZ", 8, {}, kEightBitFloat},
    {"F8_E5M2FNUZ", 8, {}, kEightBitFloat},
    {"I16", 16, ScalarType::Short, ""},
    {"U16", 16, {}, kWideUnsigned},
    {"F16", 16, ScalarType::Half, ""},
    {"BF16", 16, ScalarType::BFloat16, ""},
    {"I32", 32, ScalarType::Int, ""},
    {"U32", 32, {}, kWideUnsigned},
    {"F32", 32, ScalarType::Float, ""},
    {"C64", 64, {}, "there are no complex numbers here"},
    {"F64", 64, ScalarType::Double, ""},
    {"I64", 64, ScalarType::Long, ""},
    {"U64", 64, {}, kWideUnsigned},
};

// Returns: the dtype of that name, or null.
inline const SafetensorsDtype* find_safetensors_dtype(std::string_view name) {
  for (const SafetensorsDtype& dtype : kSafetensorsDtypes) {
    if (dtype.name == name) return &dtype;
  }
  return nullptr;
}

// Returns: the dtype that holds `type`. Requires: `type` is not Undefined.
inline const SafetensorsDtype& safetensors_dtype_of(ScalarType type) {
  for (const SafetensorsDtype& dtype : kSafetensorsDtypes) {
    if (dtype.type == type) return dtype;
  }
  return kSafetensorsDtypes[0];
}

}  // namespace cutaway::io
