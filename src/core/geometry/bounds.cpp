#include "core/geometry/bounds.h"

#include <algorithm>

#include "core/error.h"
#include "core/geometry/contiguity.h"

namespace cutaway {

uint64_t required_nbytes(IntArrayRef sizes, IntArrayRef strides, int64_t offset, size_t itemsize) {
  if (compute_numel(sizes) == 0) return 0;
  int64_t last = offset;
  bool overflow = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t reach = 0;
    overflow |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach);
    overflow |= __builtin_add_overflow(last, reach, &last);
  }
  int64_t nbytes = 0;
  overflow |= __builtin_add_overflow(last, 1, &last);
  overflow |= __builtin_mul_overflow(last, static_cast<int64_t>(itemsize), &nbytes);
  CUTAWAY_CHECK(!overflow, "Storage size calculation overflowed with sizes=", sizes,
                " and strides=", strides);
  return static_cast<uint64_t>(nbytes);
}

void check_in_bounds(IntArrayRef sizes, IntArrayRef strides, int64_t offset, size_t itemsize,
                     uint64_t storage_nbytes) {
  const uint64_t needed = required_nbytes(sizes, strides, offset, itemsize);
  CUTAWAY_CHECK(needed <= storage_nbytes, "setStorage: sizes ", sizes, ", strides ", strides,
                ", storage offset ", offset, ", and itemsize ", itemsize, " requiring a storage size of ",
                needed, " are out of bounds for storage of size ", storage_nbytes);
}

LegalRanges legal_ranges(const Geometry& g, size_t itemsize, uint64_t storage_nbytes) {
  const auto length = static_cast<int64_t>(itemsize ? storage_nbytes / itemsize : 0);
  const bool empty = g.numel() == 0;
  int64_t spare = length - 1 - g.offset;  // elements behind the last one that is named
  for (size_t i = 0; i < g.sizes.size() && !empty; ++i) spare -= (g.sizes[i] - 1) * g.strides[i];
  LegalRanges ranges;
  ranges.offset = empty ? length : g.offset + spare;
  for (size_t i = 0; i < g.sizes.size(); ++i) {
    if (empty) {
      ranges.sizes.push_back(length);
      ranges.strides.push_back(length);
      continue;
    }
    const int64_t steps = g.sizes[i] - 1;
    ranges.sizes.push_back(g.strides[i] == 0 ? std::max(length, g.sizes[i])
                                             : g.sizes[i] + spare / g.strides[i]);
    ranges.strides.push_back(steps == 0 ? length : g.strides[i] + spare / steps);
  }
  return ranges;
}

}  // namespace cutaway
