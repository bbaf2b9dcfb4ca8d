// Sizes and strides of a tensor, side by side, inline up to five dimensions.
//
//   rank <= 5   size_ | s0 s1 s2 s3 s4 | t0 t1 t2 t3 t4 |          no allocation
//   rank >  5   size_ | pointer to [s0 ... sn-1 t0 ... tn-1]        one allocation
//
// Thread safety: as for a plain struct.
//
// PyTorch: c10/core/impl/SizesAndStrides.h
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/array_ref.h"

namespace cutaway {

class SizesAndStrides {
 public:
  static constexpr size_t kInline = 5;

  SizesAndStrides() = default;
  SizesAndStrides(const SizesAndStrides& other) { set(other.sizes(), other.strides()); }
  SizesAndStrides& operator=(const SizesAndStrides& other) {
    if (this != &other) set(other.sizes(), other.strides());
    return *this;
  }
  ~SizesAndStrides() { release(); }

  size_t size() const { return size_; }
  IntArrayRef sizes() const { return {begin(), size_}; }
  IntArrayRef strides() const { return {begin() + capacity(), size_}; }

  // Requires: equal lengths; the rows are not part of this object.
  void set(IntArrayRef new_sizes, IntArrayRef new_strides) {
    if (new_sizes.size() != size_) {
      release();
      size_ = new_sizes.size();
      if (size_ > kInline) heap_ = new int64_t[2 * size_];
    }
    std::copy(new_sizes.begin(), new_sizes.end(), begin());
    std::copy(new_strides.begin(), new_strides.end(), begin() + capacity());
  }

 private:
  size_t capacity() const { return size_ > kInline ? size_ : kInline; }
  int64_t* begin() { return size_ > kInline ? heap_ : inline_; }
  const int64_t* begin() const { return size_ > kInline ? heap_ : inline_; }
  void release() {
    if (size_ > kInline) delete[] heap_;
    size_ = 0;
  }

  size_t size_ = 0;
  union {
    int64_t inline_[2 * kInline] = {};
    int64_t* heap_;
  };
};

static_assert(sizeof(SizesAndStrides) == 88);

}  // namespace cutaway
