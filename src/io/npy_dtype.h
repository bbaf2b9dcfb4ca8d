// What the 'descr' of a .npy header means: which of our dtypes, or why none.
//
// Invariants: `reason` is empty exactly when `dtype` is set. Object arrays never have an itemsize, because
// what lies in the file is a pickle, which is not read here in any way. Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/scalar_type.h"
#include "io/python_literal.h"
#include "io/tensor_file.h"

namespace cutaway::io {

struct NpyDtype {
  std::optional<ScalarType> dtype;
  uint64_t itemsize = 0;   // in the file; 0 when it cannot be told
  uint64_t swap_unit = 0;  // see TensorEntry
  ByteOrder byte_order = ByteOrder::None;
  std::string reason;
};

// Returns: what `descr` (a string, list or tuple) means. Anything not understood becomes a reason.
NpyDtype npy_dtype(const Literal& descr);

// Returns: what np.save writes for `type` on a little-endian machine ("<f4", "|b1"), or "" where NumPy has no
// such dtype (bfloat16).
std::string_view npy_descr(ScalarType type);

}  // namespace cutaway::io
