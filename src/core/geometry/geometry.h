// Where a tensor's elements lie: sizes, strides and an offset, all in elements, over some storage.
//
// The functions of this folder work on Geometry alone: no memory is touched, no tensor is needed, so the same code
// answers for a tensor, for a file that is only looked at, and for a knob that is being turned.
// Invariants: sizes and strides have one length; sizes are not negative. A value.
//
// PyTorch: the geometry half of aten/src/ATen/native/TensorShape.cpp
#pragma once

#include <cstdint>
#include <string>

#include "core/array_ref.h"

namespace cutaway {

struct Geometry {
  DimVector sizes;
  DimVector strides;
  int64_t offset = 0;

  int64_t dim() const { return static_cast<int64_t>(sizes.size()); }
  int64_t numel() const;

  // Returns: the element of the storage that index names: offset + sum of index[i] * strides[i] (VIEW-1).
  // Requires: index.size() == dim().
  int64_t element(IntArrayRef index) const;

  friend bool operator==(const Geometry& a, const Geometry& b) {
    return a.sizes == b.sizes && a.strides == b.strides && a.offset == b.offset;
  }
};

// Returns: a row-major geometry at offset 0.
Geometry contiguous_geometry(IntArrayRef sizes);

// Returns: "sizes [2, 3], strides [3, 1], offset 0".
std::string to_string(const Geometry& g);

}  // namespace cutaway
