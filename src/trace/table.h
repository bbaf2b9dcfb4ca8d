// Rows that are only ever added: a row keeps its address and is never moved, so a reference to one stays good
// while the trace grows.
//
//   blocks   [ 16 KiB of rows ][ 16 KiB of rows ][ 16 KiB ...      full ones never change size
//
// Thread safety: reading is, while nobody adds.
//
// PyTorch: none
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace cutaway::trace {

template <class Row>
class Table {
 public:
  static constexpr size_t kBlockRows = std::bit_floor(std::max<size_t>(16384 / sizeof(Row), 1));

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Requires: index < size().
  const Row& operator[](size_t index) const { return blocks_[index / kBlockRows][index % kBlockRows]; }
  Row& operator[](size_t index) { return blocks_[index / kBlockRows][index % kBlockRows]; }

  // Returns: the index of the new row.
  size_t push_back(Row row) {
    if (size_ % kBlockRows == 0) {
      blocks_.emplace_back();
      blocks_.back().reserve(kBlockRows);
    }
    blocks_.back().push_back(std::move(row));
    return size_++;
  }

 private:
  std::vector<std::vector<Row>> blocks_;
  size_t size_ = 0;
};

}  // namespace cutaway::trace
