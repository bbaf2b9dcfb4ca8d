// Which elements of a storage a geometry reads, as runs: what the inspector lights, and the reverse look-up.
//
// Everything here is asked for a range [low, high) of elements, and costs what lies in that range, not the size of the
// tensor: the walk goes over dimensions from the largest stride down and only into indices that can reach the range.
// Requires throughout: no negative strides.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/geometry.h"

namespace cutaway {

// Elements [begin, end) of the storage.
struct Run {
  int64_t begin = 0;
  int64_t end = 0;
  friend bool operator==(const Run& a, const Run& b) { return a.begin == b.begin && a.end == b.end; }
};

// Returns: the elements of [low, high) that g reads, as sorted runs that do not touch.
std::vector<Run> lit_runs(const Geometry& g, int64_t low, int64_t high);

// Returns: for each element of [low, high) how many indices of g read it. Counting stops after `limit` visits, then the
// counts are lower bounds.
std::vector<uint32_t> read_counts(const Geometry& g, int64_t low, int64_t high, int64_t limit = 1 << 20);

// Returns: the indices of g that read the element, in index order, at most `limit` of them.
std::vector<std::vector<int64_t>> indices_reading(const Geometry& g, int64_t element, size_t limit);

// Returns: [first, last] element that g reads, as a run; empty when g has no elements.
Run extent(const Geometry& g);

}  // namespace cutaway
