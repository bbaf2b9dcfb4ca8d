// New tensors: uninitialised, filled, counted, or over memory that somebody else owns.
//
// PyTorch: aten/src/ATen/native/TensorFactories.cpp, aten/src/ATen/EmptyTensor.cpp
#pragma once

#include <functional>

#include "core/scalar.h"
#include "core/tensor.h"

namespace cutaway {

struct TensorOptions {
  ScalarType dtype = ScalarType::Float;
  Device device{};
};

// Uninitialised, row-major or channels-last. Throws: Error "Trying to create tensor with negative dimension -1: ...".
Tensor empty(IntArrayRef sizes, TensorOptions options = {}, MemoryFormat format = MemoryFormat::Contiguous);
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});
// As `like`: its dtype, device and, by default, the order of its dimensions in memory.
Tensor empty_like(const Tensor& like, MemoryFormat format = MemoryFormat::Preserve);

Tensor zeros(IntArrayRef sizes, TensorOptions options = {});
Tensor ones(IntArrayRef sizes, TensorOptions options = {});
Tensor full(IntArrayRef sizes, const Scalar& value, TensorOptions options = {});
// 0, 1, ..., below `end`.
Tensor arange(int64_t end, TensorOptions options = {ScalarType::Long, {}});

// A tensor over foreign memory, row-major or with strides; `deleter` is called once when its storage ends. It never
// resizes. Requires: `data` is readable and writable for as far as the strides reach until then.
Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options = {},
                 std::function<void(void*)> deleter = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {},
                 std::function<void(void*)> deleter = {});

}  // namespace cutaway
