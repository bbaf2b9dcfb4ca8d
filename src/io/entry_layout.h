// From sizes and an item size to strides, element count and bytes, with every product checked.
//
// Invariants: a filled entry's strides are PyTorch's for a dense tensor in the given order (a size of 0
// counts as 1 in them), and numel * itemsize == storage_nbytes without overflow. Thread safety: pure
// functions.
//
// PyTorch: c10/core/TensorImpl.h (empty_tensor_restride)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/tensor_file.h"

namespace cutaway::io {

// C: the last dimension lies closest together. Fortran: the first does.
enum class MemoryOrder { C, Fortran };

// Fills strides, numel and storage_nbytes of `entry` from its sizes and itemsize.
// Returns: why that is impossible (too many dimensions, a negative size, more bytes than 63 bits count), else
// "".
std::string lay_out(TensorEntry& entry, MemoryOrder order);

// Returns: "(3, 4)" as Python writes it, "(3,)" for one dimension.
std::string shape_text(const std::vector<int64_t>& sizes);

}  // namespace cutaway::io
