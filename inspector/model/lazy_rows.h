// The rows of a list, each made when it is looked at: a list of a million costs what is on the screen.
//
// What is kept are the ids of the objects; a row is a value, made from the session on the way out.
// Requires: the session outlives the rows, and is at the moment they were made for.
// Thread safety: that of the session.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/observer.h"

namespace cutaway::inspector {

class Session;

template <class Row>
class LazyRows {
 public:
  using Make = Row (*)(const Session& session, ObjectId id);

  LazyRows() = default;
  LazyRows(const Session& session, Make make, std::shared_ptr<const std::vector<ObjectId>> ids)
      : session_(&session), make_(make), ids_(std::move(ids)) {}

  size_t size() const { return ids_ ? ids_->size() : 0; }
  bool empty() const { return size() == 0; }
  // Requires: i < size().
  Row operator[](size_t i) const { return make_(*session_, (*ids_)[i]); }
  Row front() const { return (*this)[0]; }
  ObjectId id(size_t i) const { return (*ids_)[i]; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = const Row*;
    using reference = Row;

    Iterator(const LazyRows* rows, size_t at) : rows_(rows), at_(at) {}
    Row operator*() const { return (*rows_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) {
      return static_cast<std::ptrdiff_t>(a.at_) - static_cast<std::ptrdiff_t>(b.at_);
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const LazyRows* rows_;
    size_t at_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  const Session* session_ = nullptr;
  Make make_ = nullptr;
  std::shared_ptr<const std::vector<ObjectId>> ids_;
};

}  // namespace cutaway::inspector
