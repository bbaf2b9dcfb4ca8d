#include "core/array_ref.h"

#include <ostream>

namespace cutaway {

std::ostream& operator<<(std::ostream& out, IntArrayRef row) {
  out << '[';
  for (size_t i = 0; i < row.size(); ++i) out << (i ? ", " : "") << row[i];
  return out << ']';
}

void DimVector::reserve(size_t n) {
  if (n <= capacity_) return;
  const size_t grown = std::max(n, 2 * capacity_);
  std::unique_ptr<int64_t[]> bigger(new int64_t[grown]);
  std::copy(begin(), end(), bigger.get());
  heap_ = std::move(bigger);
  capacity_ = grown;
}

void DimVector::resize(size_t n, int64_t value) {
  reserve(n);
  if (n > size_) std::fill(data() + size_, data() + n, value);
  size_ = n;
}

void DimVector::assign(IntArrayRef row) {
  // The row may be part of this vector, so nothing is cleared before it is copied.
  if (row.size() > capacity_) {
    std::unique_ptr<int64_t[]> bigger(new int64_t[row.size()]);
    std::copy(row.begin(), row.end(), bigger.get());
    heap_ = std::move(bigger);
    capacity_ = row.size();
  } else {
    std::copy(row.begin(), row.end(), data());
  }
  size_ = row.size();
}

void DimVector::push_back(int64_t value) {
  reserve(size_ + 1);
  data()[size_++] = value;
}

void DimVector::insert(size_t pos, int64_t value) {
  push_back(value);
  std::rotate(begin() + pos, end() - 1, end());
}

void DimVector::erase(size_t pos) {
  std::copy(begin() + pos + 1, end(), begin() + pos);
  --size_;
}

}  // namespace cutaway
