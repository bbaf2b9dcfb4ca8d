// Views the slow and obvious way: a tensor is the list of the elements it reads, in index order, and every operation
// picks from that list. What geometry and the inspector say is held against it.
//
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace cutaway::inspector {

struct IndexModel {
  std::vector<int64_t> sizes;
  std::vector<int64_t> elements;  // of the storage, row-major

  static IndexModel counting(const std::vector<int64_t>& sizes);
  int64_t numel() const { return static_cast<int64_t>(elements.size()); }
  // One of `new_sizes` whose index i reads what index source(i) of this one reads.
  template <class Source>
  IndexModel picked(std::vector<int64_t> new_sizes, const Source& source) const;

  IndexModel permuted(const std::vector<int64_t>& dims) const;
  IndexModel sliced(int64_t dim, int64_t start, int64_t end, int64_t step) const;
  IndexModel selected(int64_t dim, int64_t index) const;
  IndexModel unsqueezed(int64_t dim) const;
  IndexModel expanded(int64_t dim, int64_t size) const;  // of a dimension of size 1
  IndexModel unfolded(int64_t dim, int64_t size, int64_t step) const;
  IndexModel diagonal(int64_t dim0, int64_t dim1) const;
  IndexModel chosen(int64_t dim, const std::vector<int64_t>& positions) const;
  IndexModel reshaped(std::vector<int64_t> new_sizes) const;
};

// A random chain of operations on "x" as people write it, with what it must give.
struct RandomChain {
  std::string expression = "x";
  IndexModel model;
  bool copied = false;  // its elements were copied on the way
};
RandomChain random_chain(std::mt19937_64& random, const std::vector<int64_t>& sizes, int steps, bool copies);

}  // namespace cutaway::inspector
