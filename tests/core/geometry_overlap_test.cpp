#include <doctest/doctest.h>

#include <random>
#include <set>

#include "core/error.h"
#include "core/geometry/overlap.h"
#include "core/geometry/view_ops.h"

using namespace cutaway;

TEST_CASE("VIEW-10a M6 writing an expanded output is refused") {
  const Geometry g = expand(contiguous_geometry({3, 1}), {3, 4});
  CHECK_THROWS_WITH_AS(
      assert_no_internal_overlap(g.sizes, g.strides),
      "unsupported operation: more than one element of the written-to tensor refers to a single memory "
      "location. Please clone() the tensor before performing the operation.",
      Error);
}

TEST_CASE("VIEW-10a M7 partial overlap of dense tensors is refused, full overlap is fine") {
  const Geometry a = contiguous_geometry({5});
  const Geometry front = slice(a, 0, 0, 4, 1), back = slice(a, 0, 1, 5, 1);
  CHECK_THROWS_WITH_AS(
      assert_no_partial_overlap(back, front),
      doctest::Contains("unsupported operation: some elements of the input tensor and the written-to tensor "
                        "refer to a single memory location"),
      Error);
  assert_no_partial_overlap(a, a);
  CHECK(overlap_status(a, a) == OverlapStatus::Full);
  CHECK(overlap_status(slice(a, 0, 0, 2, 1), slice(a, 0, 2, 4, 1)) == OverlapStatus::No);
}

TEST_CASE("VIEW-10b what is too hard is said to be, and the exact solver decides it") {
  const Geometry gaps = slice(contiguous_geometry({4, 4}), 1, 0, 4, 2);
  CHECK(internal_overlap(gaps.sizes, gaps.strides) == InternalOverlap::TooHard);
  CHECK(exact_overlap(gaps).verdict == ExactOverlap::Verdict::None);
  const Geometry windows = unfold(contiguous_geometry({7}), 0, 3, 1);
  CHECK(internal_overlap(windows.sizes, windows.strides) == InternalOverlap::TooHard);
  const ExactOverlap exact = exact_overlap(windows);
  REQUIRE(exact.verdict == ExactOverlap::Verdict::Collides);
  CHECK(windows.element(exact.collision.first) == exact.collision.element);
  CHECK(windows.element(exact.collision.second) == exact.collision.element);
  CHECK(exact.collision.first != exact.collision.second);
  // `a -= a[:, :1]` of a 2 x 2: one operand is not dense, so the rule lets a wrong result through.
  const Geometry square = contiguous_geometry({2, 2});
  CHECK(overlap_status(square, slice(square, 1, 0, 1, 1)) == OverlapStatus::TooHard);
}

TEST_CASE("VIEW-10b the exact solver equals brute force on random strides") {
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  for (int round = 0; round < 2000; ++round) {
    Geometry g{{}, {}, 0};
    for (unsigned i = 0, n = random() % 4; i < n; ++i) {
      g.sizes.push_back(static_cast<int64_t>(random() % 4));
      g.strides.push_back(static_cast<int64_t>(random() % 6));
    }
    std::set<int64_t> seen;
    bool collides = false;
    std::vector<int64_t> index(g.sizes.size());
    for (int64_t i = 0; i < g.numel(); ++i) {
      int64_t rest = i;
      for (size_t d = g.sizes.size(); d-- > 0; rest /= g.sizes[d]) index[d] = rest % g.sizes[d];
      collides |= !seen.insert(g.element(index)).second;
    }
    REQUIRE_MESSAGE((exact_overlap(g).verdict == ExactOverlap::Verdict::Collides) == collides, to_string(g));
    if (internal_overlap(g.sizes, g.strides) == InternalOverlap::No) REQUIRE_FALSE(collides);
  }
}
