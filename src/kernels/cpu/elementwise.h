// The loops under the in-place operations: fill, copy with conversion, add and multiply, for every dtype.
//
// Plain strided loops over already checked and broadcast operands: no events, no versions, no errors about shapes.
//
// PyTorch: aten/src/ATen/native/cpu/FillKernel.cpp, CopyKernel.cpp, BinaryOpsKernel.cpp
#pragma once

#include "core/array_ref.h"
#include "core/scalar.h"
#include "core/tensor.h"

namespace cutaway::cpu {

void fill(const Tensor& self, const Scalar& value);
// 0, 1, 2, ... in index order.
void count(const Tensor& self);
// What is read: elements of some dtype, with a stride (in elements) for each dimension of self.
struct Source {
  ScalarType dtype;
  const void* data;
  DimVector strides;
};

void copy(const Tensor& self, const Source& source);

enum class BinaryOp { Add, Multiply };
// self = self op other.
void binary(BinaryOp op, const Tensor& self, const Source& other);

}  // namespace cutaway::cpu
