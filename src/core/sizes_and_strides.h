// Sizes and strides of a tensor, side by side, inline up to five dimensions.
//
//   rank <= 5   size_ | s0 s1 s2 s3 s4 | t0 t1 t2 t3 t4 |          no allocation
//   rank >  5   size_ | pointer to [s0 ... sn-1 t0 ... tn-1]        one allocation
//
// Invariants: the two rows have one length; size_ says which of the two layouts holds.
// Thread safety: as for a plain struct.
//
// PyTorch: c10/core/impl/SizesAndStrides.h
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
  ~SizesAndStrides() {
    if (!is_inline()) delete[] heap_;
  }

  size_t size() const { return size_; }
  IntArrayRef sizes() const { return {begin(), size_}; }
  IntArrayRef strides() const { return {begin() + stride_start(), size_}; }

  // Requires: equal lengths; the rows are not part of this object.
  void set(IntArrayRef new_sizes, IntArrayRef new_strides) {
    if (new_sizes.size() != size_) change_rank(new_sizes.size());
    std::copy(new_sizes.begin(), new_sizes.end(), begin());
    std::copy(new_strides.begin(), new_strides.end(), begin() + stride_start());
  }

 private:
  bool is_inline() const { return size_ <= kInline; }
  size_t stride_start() const { return is_inline() ? kInline : size_; }
  int64_t* begin() { return is_inline() ? inline_ : heap_; }
  const int64_t* begin() const { return is_inline() ? inline_ : heap_; }

  // Leaves the numbers themselves unspecified. When the allocation throws, nothing has changed.
  void change_rank(size_t rank) {
    int64_t* fresh = rank > kInline ? new int64_t[2 * rank] : nullptr;
    if (!is_inline()) delete[] heap_;
    size_ = rank;
    if (fresh) heap_ = fresh;
  }

  size_t size_ = 0;
  union {
    int64_t inline_[2 * kInline] = {};
    int64_t* heap_;
  };
};

static_assert(sizeof(SizesAndStrides) == 88, "MEM-4: as large as PyTorch's");

}  // namespace cutaway
