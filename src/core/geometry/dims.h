// Dimension numbers as people write them: -1 is the last.
//
// PyTorch: c10/core/WrapDimMinimal.h
#pragma once

#include <cstdint>

#include "core/array_ref.h"

namespace cutaway {

// Returns: `dim` counted from the front; a scalar accepts -1 and 0. Throws: IndexError "Dimension out of range
// (expected to be in range of [-2, 1], but got 2)" (M32).
int64_t wrap_dim(int64_t dim, int64_t ndim);

// Returns: each of `dims`, wrapped. Throws: as wrap_dim.
DimVector wrap_dims(IntArrayRef dims, int64_t ndim);

}  // namespace cutaway
