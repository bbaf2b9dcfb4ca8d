// view() and its kin: other sizes over the same elements in the same order, and why that is sometimes impossible.
//
// The old dimensions are cut, from the last to the first, into chunks that are contiguous in memory: dimension i joins
// its right neighbour when stepping it once moves as far as a full run of the neighbour. New dimensions are then fitted
// chunk by chunk. A view exists exactly when no new dimension straddles two chunks.
//
//   sizes (4, 3)  strides (1, 4)          chunks | 4 | 3 |        view(12) straddles both: impossible
//                                                                 view(4, 3, 1), view(2, 2, 3): possible
//
// PyTorch: aten/src/ATen/TensorUtils.cpp (computeStride), aten/src/ATen/InferSize.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry/geometry.h"

namespace cutaway {

// Returns: `sizes` with its one -1 replaced. Throws: Error (M2 and its kin) when that is impossible.
DimVector infer_size(IntArrayRef sizes, int64_t numel);

// Returns: the strides that give `new_sizes` over the same elements, or nothing when no view does.
// Requires: both have the same number of elements.
std::optional<DimVector> compute_stride(IntArrayRef sizes, IntArrayRef strides, IntArrayRef new_sizes);

// Old dimensions [first, last] that lie in memory as one run.
struct Chunk {
  int64_t first = 0;
  int64_t last = 0;
  int64_t numel = 1;
  int64_t stride = 1;  // of its last dimension
};
// Returns: the chunks from the first dimension to the last. Dimensions of size 1 belong to a neighbour.
std::vector<Chunk> memory_chunks(IntArrayRef sizes, IntArrayRef strides);

// Why a view is possible or not, with the numbers.
struct ViewVerdict {
  bool possible = false;
  Geometry geometry;    // when possible
  DimVector new_sizes;  // with -1 inferred
  std::vector<Chunk> chunks;
  // When impossible: two neighbouring old dimensions that the new one would have to join, and the new one.
  int64_t outer = -1;
  int64_t inner = -1;
  int64_t outer_stride = 0;  // stepping `outer` once moves this many elements
  int64_t inner_size = 0;
  int64_t inner_stride = 0;  // a full run of `inner` moves inner_size * inner_stride
  int64_t straddling = -1;   // the new dimension

  // Returns: two or three sentences; empty when possible.
  std::string why() const;
};

// Throws: Error when `new_sizes` does not fit the number of elements at all (M2).
ViewVerdict explain_view(const Geometry& g, IntArrayRef new_sizes);

// Throws: Error M1 when impossible.
Geometry view(const Geometry& g, IntArrayRef new_sizes);

// What reshape does: a view when one exists, otherwise a copy with contiguous strides.
struct Reshaped {
  Geometry geometry;
  bool copies = false;
  std::string why;  // why it copies
};
Reshaped reshape(const Geometry& g, IntArrayRef new_sizes);

// Throws: Error "flatten() has invalid args: start_dim cannot come after end_dim".
DimVector flattened_sizes(IntArrayRef sizes, int64_t start_dim, int64_t end_dim);
DimVector unflattened_sizes(IntArrayRef sizes, int64_t dim, IntArrayRef parts);

}  // namespace cutaway
