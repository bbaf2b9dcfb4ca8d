// Indexing without ceremony for kernel authors: a[i][j], with rank and dtype checked once when it is made.
//
// Borrows the tensor's memory, sizes and strides: the tensor must live as long. Element (i, j) lies at
// data + i * stride(0) + j * stride(1), in elements (VIEW-1).
// Thread safety: as for T*.
//
// PyTorch: aten/src/ATen/core/TensorAccessor.h
#pragma once

#include <cstdint>

#include "core/error.h"
#include "core/tensor.h"

namespace cutaway {

template <class T, int N>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const int64_t* sizes, const int64_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}

  IntArrayRef sizes() const { return {sizes_, N}; }
  IntArrayRef strides() const { return {strides_, N}; }
  int64_t size(int i) const { return sizes_[i]; }
  int64_t stride(int i) const { return strides_[i]; }
  T* data() const { return data_; }

  // Requires: 0 <= i < size(0).
  decltype(auto) operator[](int64_t i) const {
    if constexpr (N == 1)
      return static_cast<T&>(data_[i * strides_[0]]);
    else
      return TensorAccessor<T, N - 1>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
  }

 private:
  T* data_;
  const int64_t* sizes_;
  const int64_t* strides_;
};

// Throws: Error "TensorAccessor expected 2 dims but tensor has 1" (M29), or M27 for another dtype.
template <class T, int N>
TensorAccessor<T, N> accessor(const Tensor& tensor) {
  static_assert(N > 0, "accessor is used for indexing tensor, for scalars use const_data_ptr<T>()");
  CUTAWAY_CHECK(tensor.dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", tensor.dim());
  return {tensor.mutable_data_ptr<T>(), tensor.sizes().data(), tensor.strides().data()};
}

}  // namespace cutaway
