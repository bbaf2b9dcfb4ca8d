// Making a view: a new tensor over another's storage, reported to the observer.
//
// PyTorch: aten/src/ATen/native/TensorShape.cpp (alias_with_sizes_and_strides)
#pragma once

#include <string>

#include "core/geometry/geometry.h"
#include "core/tensor.h"

namespace cutaway {

// A tensor over base's storage with geometry `g` and base's version counter. `op` and `call` are for the observer.
Tensor alias_of(const Tensor& base, const Geometry& g, const char* op, const std::string& call);
// The same with a counter of its own.
Tensor alias_with(const Tensor& base, const Geometry& g, const char* op, const std::string& call,
                  VersionCounter counter);

}  // namespace cutaway
