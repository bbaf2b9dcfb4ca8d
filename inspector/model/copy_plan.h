// A copy that is shown but never made: which element of the source stands at each place of the copy.
//
// reshape, contiguous, clone and a list as index copy their elements. A file may be larger than memory, so what such a
// copy holds is worked out for the range that is asked for.
// A value; thread safety: reading is.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/geometry.h"
#include "core/geometry/indexing.h"

namespace cutaway::inspector {

class CopyPlan {
 public:
  CopyPlan() = default;
  // All elements of `source` in row-major order, into `result` of as many elements.
  // Requires: result is dense from element 0 of its storage on.
  CopyPlan(Geometry source, Geometry result);
  // Those that a list or mask chooses. Requires: indexed.copies.
  CopyPlan(const Geometry& source, const Indexed& indexed);

  int64_t numel() const { return numel_; }
  // Returns: the element of the source's storage that element `place` of the copy's storage was read from.
  // Requires: 0 <= place < numel().
  int64_t source_element(int64_t place) const;

 private:
  struct Axis {
    int64_t stride = 1;  // in the copy
    size_t dim = 0;
  };
  void set_result(const Geometry& result);

  Geometry source_;
  Geometry result_;
  int64_t numel_ = 0;
  std::vector<Axis> axes_;      // of the copy, from the largest stride down
  int64_t gather_dim_ = -1;     // -1: no list
  std::vector<Geometry> rows_;  // of the source, for each index of that dimension
};

}  // namespace cutaway::inspector
