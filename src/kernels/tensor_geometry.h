// A tensor's sizes, strides and offset as a value that the functions of core/geometry work on.
//
// PyTorch: none
#pragma once

#include "core/geometry/geometry.h"
#include "core/tensor.h"

namespace cutaway {

inline Geometry geometry_of(const Tensor& tensor) {
  return {DimVector(tensor.sizes()), DimVector(tensor.strides()), tensor.storage_offset()};
}

}  // namespace cutaway
