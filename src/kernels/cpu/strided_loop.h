// The plain walk over one or more tensors of one shape: every index once, in row-major order.
//
// Strides here are in bytes. The innermost dimension is handed to the kernel as a whole, so that the compiler sees a
// simple loop: inner(pointers, byte strides, n).
//
// PyTorch: aten/src/ATen/native/TensorIterator.h, without its reordering
#pragma once

#include <array>
#include <cstdint>

#include "core/array_ref.h"

namespace cutaway {

template <size_t N>
struct Operands {
  DimVector sizes;
  std::array<DimVector, N> strides;  // bytes, one for each size
  std::array<char*, N> data;
};

template <size_t N, class Inner>
void strided_loop(const Operands<N>& operands, const Inner& inner) {
  const auto ndim = static_cast<int64_t>(operands.sizes.size());
  for (int64_t size : operands.sizes)
    if (size == 0) return;
  std::array<int64_t, N> step{};
  if (ndim > 0)
    for (size_t k = 0; k < N; ++k) step[k] = operands.strides[k][ndim - 1];
  const int64_t n = ndim > 0 ? operands.sizes[ndim - 1] : 1;
  DimVector index(operands.sizes.size());
  std::array<char*, N> at = operands.data;
  while (true) {
    inner(at, step, n);
    int64_t dim = ndim - 2;
    for (; dim >= 0; --dim) {
      for (size_t k = 0; k < N; ++k) at[k] += operands.strides[k][dim];
      if (++index[dim] < operands.sizes[dim]) break;
      for (size_t k = 0; k < N; ++k) at[k] -= index[dim] * operands.strides[k][dim];
      index[dim] = 0;
    }
    if (dim < 0) return;
  }
}

}  // namespace cutaway
