// What the strides of a tensor say about its order in memory: pure functions of sizes and strides.
//
// Dimensions of size 1 are never stepped over, so their strides do not count; a tensor without elements counts as
// contiguous. Sizes and strides are in elements and have the same length.
//
// PyTorch: c10/core/Contiguity.h, c10/core/MemoryFormat.h
#pragma once

#include <cstdint>

#include "core/array_ref.h"
#include "core/memory_format.h"

namespace cutaway {

// Returns: the product of the sizes; 1 for a scalar. Throws: Error when it does not fit in 63 bits.
int64_t compute_numel(IntArrayRef sizes);

// Returns: row-major strides; a dimension of size 0 counts as 1, as in PyTorch: (2, 0, 3) gives (3, 3, 1).
DimVector contiguous_strides(IntArrayRef sizes);
// Requires: 4 dimensions (5 for the 3d form).
DimVector channels_last_strides(IntArrayRef sizes);
DimVector channels_last_3d_strides(IntArrayRef sizes);

bool is_contiguous(IntArrayRef sizes, IntArrayRef strides);
bool is_channels_last_contiguous(IntArrayRef sizes, IntArrayRef strides);
bool is_channels_last_3d_contiguous(IntArrayRef sizes, IntArrayRef strides);
bool is_contiguous(IntArrayRef sizes, IntArrayRef strides, MemoryFormat format);

// Whether the strides order the dimensions as channels-last would, dense or not.
bool is_channels_last_strides(IntArrayRef sizes, IntArrayRef strides);
bool is_channels_last_3d_strides(IntArrayRef sizes, IntArrayRef strides);

// Whether some order of the dimensions makes it contiguous: every number of a block is read exactly once.
bool is_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides);

// Returns: the format an op should give its output to follow this input.
MemoryFormat suggested_memory_format(IntArrayRef sizes, IntArrayRef strides);

// Returns: the strides of empty_like and clone: those of the input when it is non-overlapping and dense; else dense
// ones with the dimensions in the same order.
DimVector preserved_strides(IntArrayRef sizes, IntArrayRef strides);

}  // namespace cutaway
