#include "io/entry_layout.h"

#include <algorithm>

#include "io/limits.h"

namespace cutaway::io {

std::string lay_out(TensorEntry& entry, MemoryOrder order) {
  const size_t rank = entry.sizes.size();
  if (rank > kMaxRank) {
    return "it has " + std::to_string(rank) + " dimensions; at most " + std::to_string(kMaxRank) +
           " are read";
  }
  std::vector<int64_t> strides(rank);
  int64_t step = 1;
  bool empty = false;
  for (size_t i = 0; i < rank; ++i) {
    const size_t dim = order == MemoryOrder::C ? rank - 1 - i : i;
    const int64_t size = entry.sizes[dim];
    if (size < 0) return "its shape " + shape_text(entry.sizes) + " has a negative size";
    strides[dim] = step;
    empty = empty || size == 0;
    if (__builtin_mul_overflow(step, std::max<int64_t>(size, 1), &step)) {
      return "its shape " + shape_text(entry.sizes) + " has more elements than 63 bits can count";
    }
  }
  const int64_t numel = empty ? 0 : step;
  int64_t nbytes = 0;
  if (__builtin_mul_overflow(numel, entry.itemsize, &nbytes)) {
    return "its shape " + shape_text(entry.sizes) + " has more bytes than 63 bits can count";
  }
  entry.strides = std::move(strides);
  entry.numel = numel;
  entry.storage_nbytes = static_cast<uint64_t>(nbytes);
  return "";
}

std::string shape_text(const std::vector<int64_t>& sizes) {
  std::string text = "(";
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(sizes[i]);
  }
  return text + (sizes.size() == 1 ? ",)" : ")");
}

}  // namespace cutaway::io
