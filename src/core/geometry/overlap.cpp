#include "core/geometry/overlap.h"

#include <algorithm>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/lit_runs.h"

namespace cutaway {

const char* to_string(InternalOverlap verdict) {
  switch (verdict) {
    case InternalOverlap::No: return "no";
    case InternalOverlap::Yes: return "yes";
    case InternalOverlap::TooHard: return "too hard";
  }
  return "unknown";
}

const char* to_string(OverlapStatus verdict) {
  switch (verdict) {
    case OverlapStatus::Full: return "full";
    case OverlapStatus::Partial: return "partial";
    case OverlapStatus::No: return "no";
    case OverlapStatus::TooHard: return "too hard";
  }
  return "unknown";
}

InternalOverlap internal_overlap(IntArrayRef sizes, IntArrayRef strides) {
  if (is_contiguous(sizes, strides) || is_non_overlapping_and_dense(sizes, strides))
    return InternalOverlap::No;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (strides[i] == 0 && sizes[i] > 1) return InternalOverlap::Yes;
  return InternalOverlap::TooHard;
}

OverlapStatus overlap_status(const Geometry& a, const Geometry& b) {
  if (a.numel() == 0 || b.numel() == 0) return OverlapStatus::No;
  if (!is_non_overlapping_and_dense(a.sizes, a.strides) || !is_non_overlapping_and_dense(b.sizes, b.strides))
    return OverlapStatus::TooHard;
  const int64_t a_end = a.offset + a.numel(), b_end = b.offset + b.numel();
  if (a.offset == b.offset && a_end == b_end)
    return a.strides == b.strides ? OverlapStatus::Full : OverlapStatus::Partial;
  return a.offset < b_end && b.offset < a_end ? OverlapStatus::Partial : OverlapStatus::No;
}

namespace {

// Whether the strides alone prove that no two indices meet: sorted by stride, each dimension steps over all that the
// smaller ones can reach.
bool provably_distinct(const Geometry& g) {
  std::vector<std::pair<int64_t, int64_t>> axes;
  for (size_t i = 0; i < g.sizes.size(); ++i)
    if (g.sizes[i] > 1) axes.push_back({g.strides[i], g.sizes[i]});
  std::sort(axes.begin(), axes.end());
  int64_t reach = 0;
  for (const auto& [stride, size] : axes) {
    if (stride <= reach) return false;
    reach += (size - 1) * stride;
  }
  return true;
}

std::vector<int64_t> unravel(int64_t linear, IntArrayRef sizes) {
  std::vector<int64_t> index(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; linear /= sizes[i]) index[i] = linear % sizes[i];
  return index;
}

}  // namespace

ExactOverlap exact_overlap(const Geometry& g, int64_t limit) {
  using Verdict = ExactOverlap::Verdict;
  const int64_t numel = g.numel();
  if (numel < 2 || provably_distinct(g)) return {Verdict::None, {}};
  const Run range = extent(g);
  if (numel > limit || range.end - range.begin > 64 * limit) return {Verdict::TooLarge, {}};
  std::vector<int64_t> reader(range.end - range.begin, -1);
  for (int64_t linear = 0; linear < numel; ++linear) {
    const std::vector<int64_t> index = unravel(linear, g.sizes);
    const int64_t element = g.element(index);
    int64_t& earlier = reader[element - range.begin];
    if (earlier >= 0) return {Verdict::Collides, {unravel(earlier, g.sizes), index, element}};
    earlier = linear;
  }
  return {Verdict::None, {}};
}

void assert_no_internal_overlap(IntArrayRef sizes, IntArrayRef strides) {
  CUTAWAY_CHECK(
      internal_overlap(sizes, strides) != InternalOverlap::Yes,
      "unsupported operation: more than one element of the written-to tensor refers to a single memory "
      "location. Please clone() the tensor before performing the operation.");
}

void assert_no_partial_overlap(const Geometry& written, const Geometry& read) {
  CUTAWAY_CHECK(
      overlap_status(written, read) != OverlapStatus::Partial,
      "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
      "memory location. Please clone() the tensor before performing the operation.");
}

void assert_no_overlap(const Geometry& a, const Geometry& b) {
  const OverlapStatus status = overlap_status(a, b);
  CUTAWAY_CHECK(
      status != OverlapStatus::Partial && status != OverlapStatus::Full,
      "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
      "memory location. Please clone() the tensor before performing the operation.");
}

}  // namespace cutaway
