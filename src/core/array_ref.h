// A borrowed row of int64 (IntArrayRef) and a small owned one (DimVector): the shape of everything.
//
// IntArrayRef does not own: it is valid as long as what it was made from. One made from an initializer list
// lives to the end of the full expression, so it is for parameters, not for members. DimVector keeps up to
// five numbers inline and allocates beyond, because nearly every tensor has at most five dimensions.
// Thread safety: as for int64_t*.
//
// PyTorch: c10/util/ArrayRef.h, c10/util/DimVector.h
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <utility>
#include <vector>

namespace cutaway {

class DimVector;

class IntArrayRef {
 public:
  constexpr IntArrayRef() = default;
  constexpr IntArrayRef(const int64_t* data, size_t size) : data_(data), size_(size) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr IntArrayRef(std::initializer_list<int64_t> list) : data_(list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  IntArrayRef(const std::vector<int64_t>& v) : data_(v.data()), size_(v.size()) {}
  IntArrayRef(const DimVector& v);

  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const int64_t* data() const { return data_; }
  constexpr const int64_t* begin() const { return data_; }
  constexpr const int64_t* end() const { return data_ + size_; }
  // Requires: i < size().
  constexpr int64_t operator[](size_t i) const { return data_[i]; }
  constexpr int64_t front() const { return data_[0]; }
  constexpr int64_t back() const { return data_[size_ - 1]; }

  std::vector<int64_t> vec() const { return {begin(), end()}; }

  friend bool operator==(IntArrayRef a, IntArrayRef b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  const int64_t* data_ = nullptr;
  size_t size_ = 0;
};

// Prints "[2, 3]".
std::ostream& operator<<(std::ostream& out, IntArrayRef row);

// A row of its own. Invariants: size_ <= capacity_; heap_ is null exactly while capacity_ is kInline, and
// then the numbers are in inline_. A moved-from row is empty. Iterators end where the row grows past its
// capacity.
class DimVector {
 public:
  static constexpr size_t kInline = 5;

  DimVector() = default;
  explicit DimVector(size_t n, int64_t value = 0) { resize(n, value); }
  DimVector(std::initializer_list<int64_t> list) { assign(list); }
  DimVector(IntArrayRef row) { assign(row); }
  DimVector(const DimVector& other) { assign(other); }
  DimVector(DimVector&& other) noexcept { *this = std::move(other); }
  DimVector& operator=(const DimVector& other) {
    if (this != &other) assign(other);
    return *this;
  }
  DimVector& operator=(DimVector&& other) noexcept {
    if (this == &other) return *this;
    heap_ = std::move(other.heap_);
    std::copy(other.inline_, other.inline_ + kInline, inline_);
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.size_ = 0;
    other.capacity_ = kInline;
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return heap_ ? heap_.get() : inline_; }
  const int64_t* data() const { return heap_ ? heap_.get() : inline_; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + size_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  int64_t& front() { return data()[0]; }
  int64_t front() const { return data()[0]; }
  int64_t& back() { return data()[size_ - 1]; }
  int64_t back() const { return data()[size_ - 1]; }

  void clear() { size_ = 0; }
  void reserve(size_t n);
  void resize(size_t n, int64_t value = 0);
  void assign(IntArrayRef row);
  void push_back(int64_t value);
  void pop_back() { --size_; }
  // Requires: pos <= size().
  void insert(size_t pos, int64_t value);
  // Requires: pos < size().
  void erase(size_t pos);

  friend bool operator==(const DimVector& a, const DimVector& b) { return IntArrayRef(a) == IntArrayRef(b); }

 private:
  size_t size_ = 0;
  size_t capacity_ = kInline;
  int64_t inline_[kInline] = {};
  std::unique_ptr<int64_t[]> heap_;
};

inline IntArrayRef::IntArrayRef(const DimVector& v) : data_(v.data()), size_(v.size()) {}

}  // namespace cutaway
