// Operations that change a tensor in place: its elements, or its geometry.
//
// Each raises the version of the tensor's counter by one (resize_ only when the sizes change), so that autograd can
// tell. Elementwise ones broadcast their operand to self, refuse to write one place twice (M6) or to read what they
// write through another tensor (M7), and refuse results that self's dtype cannot hold (M26).
//
// PyTorch: aten/src/ATen/native/BinaryOps.cpp, Fill.cpp, Copy.cpp, Resize.cpp, TensorShape.cpp
#pragma once

#include <optional>

#include "core/scalar.h"
#include "core/tensor.h"

namespace cutaway {

const Tensor& fill_(const Tensor& self, const Scalar& value);
const Tensor& zero_(const Tensor& self);
// Converts dtype, broadcasts `source` to self.
const Tensor& copy_(const Tensor& self, const Tensor& source);
const Tensor& add_(const Tensor& self, const Tensor& other);
const Tensor& add_(const Tensor& self, const Scalar& other);
const Tensor& mul_(const Tensor& self, const Tensor& other);
const Tensor& mul_(const Tensor& self, const Scalar& other);

const Tensor& t_(const Tensor& self);
const Tensor& transpose_(const Tensor& self, int64_t dim0, int64_t dim1);
const Tensor& squeeze_(const Tensor& self);
const Tensor& unsqueeze_(const Tensor& self, int64_t dim);
const Tensor& as_strided_(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                          std::optional<int64_t> offset = {});
// Row-major sizes over the same storage, which grows when it must; new elements are uninitialised.
// Throws: Error M34 when the storage cannot grow.
const Tensor& resize_(const Tensor& self, IntArrayRef sizes);
// Makes self look at the storage of `source`, with its geometry.
const Tensor& set_(const Tensor& self, const Tensor& source);

// Gives `out` the wanted sizes. Warns when it had elements and other sizes: the caller then probably passed the wrong
// tensor. Returns: whether it was resized.
bool resize_output(const Tensor& out, IntArrayRef sizes);

// First values of a tensor that is being made: no version is counted.
void fill_fresh(const Tensor& self, const Scalar& value);
void add_fresh(const Tensor& self, const Scalar& other);
void count_fresh(const Tensor& self);
void copy_fresh(const Tensor& self, const Tensor& source);

}  // namespace cutaway
