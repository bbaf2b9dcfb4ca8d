// How much storage a geometry needs, and how far each of its numbers may be turned within a given one.
//
// PyTorch: aten/src/ATen/native/Resize.h (setStorage), aten/src/ATen/EmptyTensor.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/geometry/geometry.h"

namespace cutaway {

// Returns: bytes from the start of the storage to the end of the last element that can be named; 0 without elements.
// Throws: Error when that does not fit in 63 bits. Requires: no negative strides.
uint64_t required_nbytes(IntArrayRef sizes, IntArrayRef strides, int64_t offset, size_t itemsize);

// Throws: Error M31 when the storage is too small.
void check_in_bounds(IntArrayRef sizes, IntArrayRef strides, int64_t offset, size_t itemsize,
                     uint64_t storage_nbytes);

// How far one number of a geometry may go while all others stay: 0 to `most`, inclusive.
struct LegalRanges {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset = 0;
};
// Requires: g is in bounds. Ranges that nothing bounds (the stride of a dimension of size 1) are the storage's length.
LegalRanges legal_ranges(const Geometry& g, size_t itemsize, uint64_t storage_nbytes);

}  // namespace cutaway
