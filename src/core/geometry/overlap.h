// When two indices, or two tensors, name the same memory: PyTorch's quick rule, and the exact answer for small ones.
//
// The quick rule looks at strides only and may answer "too hard"; a write is then allowed, and can give a wrong result
// (a real case is still open in PyTorch). The exact solver proves it either way and names two colliding indices.
//
// PyTorch: aten/src/ATen/MemoryOverlap.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/geometry/geometry.h"

namespace cutaway {

enum class InternalOverlap { No, Yes, TooHard };
enum class OverlapStatus { Full, Partial, No, TooHard };

const char* to_string(InternalOverlap verdict);
const char* to_string(OverlapStatus verdict);

// PyTorch's rule: No for non-overlapping dense strides, Yes when a dimension of size > 1 has stride 0, else TooHard.
InternalOverlap internal_overlap(IntArrayRef sizes, IntArrayRef strides);

// PyTorch's rule for two tensors of one storage and one element size.
OverlapStatus overlap_status(const Geometry& a, const Geometry& b);

// Two indices that read one element.
struct Collision {
  std::vector<int64_t> first;
  std::vector<int64_t> second;
  int64_t element = 0;
};

struct ExactOverlap {
  enum class Verdict { None, Collides, TooLarge } verdict = Verdict::None;
  Collision collision;  // when it collides
};
// Requires: no negative strides. Tensors of more than `limit` elements are TooLarge unless their strides alone prove
// that nothing collides.
ExactOverlap exact_overlap(const Geometry& g, int64_t limit = 1 << 20);

// Throws: Error M6 when the quick rule says Yes.
void assert_no_internal_overlap(IntArrayRef sizes, IntArrayRef strides);
// Throws: Error M7 when the quick rule says Partial. Full overlap, a tensor with itself, is fine.
void assert_no_partial_overlap(const Geometry& written, const Geometry& read);
// Throws: Error M6's text for two outputs that share any memory the rule can see.
void assert_no_overlap(const Geometry& a, const Geometry& b);

}  // namespace cutaway
