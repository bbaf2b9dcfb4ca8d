// View operations on tensors: a new tensor over the old storage, sharing its version counter.
//
// The arithmetic is core/geometry's; here it meets storage, version and the observer. reshape, flatten and contiguous
// copy when they must and then say why; clone always copies.
//
// PyTorch: aten/src/ATen/native/TensorShape.cpp
#pragma once

#include <optional>
#include <vector>

#include "core/geometry/indexing.h"
#include "core/scalar.h"
#include "core/tensor.h"

namespace cutaway {

Tensor view(const Tensor& self, IntArrayRef sizes);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor t(const Tensor& self);
Tensor permute(const Tensor& self, IntArrayRef dims);
Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination);
Tensor expand(const Tensor& self, IntArrayRef sizes);
Tensor select(const Tensor& self, int64_t dim, int64_t index);
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
             int64_t step = 1);
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor squeeze(const Tensor& self);
Tensor squeeze(const Tensor& self, IntArrayRef dims);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor unfold(const Tensor& self, int64_t dim, int64_t size, int64_t step);
Tensor diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                  std::optional<int64_t> offset = {});
Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes);
std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim = 0);
std::vector<Tensor> unbind(const Tensor& self, int64_t dim = 0);

// x[items]: integers, slices, None and ellipsis alias; a list or mask copies (VIEW-9).
Tensor index(const Tensor& self, const std::vector<IndexItem>& items);

// Same storage and version counter, no history (MEM-8).
Tensor detach(const Tensor& self);
// x.data: same storage, a version counter of its own; writes through it go unnoticed.
Tensor data(const Tensor& self);

// Copies when the elements cannot be viewed so.
Tensor reshape(const Tensor& self, IntArrayRef sizes);
Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1);
// Itself when it already is.
Tensor contiguous(const Tensor& self, MemoryFormat format = MemoryFormat::Contiguous);
Tensor clone(const Tensor& self, MemoryFormat format = MemoryFormat::Preserve);
Tensor to(const Tensor& self, ScalarType dtype);

// self + number, in the order of self's dimensions in memory; and the same into `out`, resized when it does not fit.
Tensor add(const Tensor& self, const Scalar& other);
const Tensor& add_out(const Tensor& out, const Tensor& self, const Scalar& other);

// The value of a tensor of one element. Throws: Error M37.
Scalar item(const Tensor& self);
// Whether sizes and all elements are equal. Requires: one dtype.
bool equal(const Tensor& a, const Tensor& b);

}  // namespace cutaway
