#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "core/error.h"
#include "core/geometry/bounds.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/indexing.h"
#include "core/geometry/reshaping.h"
#include "core/geometry/view_op_table.h"
#include "core/geometry/view_ops.h"

using namespace cutaway;

namespace {

constexpr unsigned kSeed = 20261201;

// Whether some strides visit exactly the elements of g in g's order, with the new sizes: tried out, dimension by dimension.
bool view_exists(const Geometry& g, IntArrayRef sizes) {
  std::vector<int64_t> order;
  const Geometry row_major = contiguous_geometry(g.sizes);
  std::vector<int64_t> index(g.sizes.size());
  for (int64_t i = 0; i < g.numel(); ++i) {
    int64_t rest = i;
    for (size_t d = g.sizes.size(); d-- > 0; rest /= g.sizes[d]) index[d] = rest % g.sizes[d];
    order.push_back(g.element(index));
  }
  // The stride of a dimension can only be the distance to the element where its index first becomes 1.
  Geometry candidate{DimVector(sizes), DimVector(sizes.size(), 0), g.offset};
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > 0; step *= sizes[d])
    if (sizes[d] > 1) candidate.strides[d] = order[static_cast<size_t>(step)] - order[0];
  std::vector<int64_t> at(sizes.size());
  for (int64_t i = 0; i < g.numel(); ++i) {
    int64_t rest = i;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) at[d] = rest % sizes[d];
    if (candidate.element(at) != order[static_cast<size_t>(i)]) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("VIEW-4a M1 t().view(12) fails and explains; t().view(4, 3, 1) has strides (1, 4, 4)") {
  const Geometry transposed = t(contiguous_geometry({3, 4}));
  CHECK_THROWS_WITH_AS(
      view(transposed, {12}),
      "view size is not compatible with input tensor's size and stride (at least one dimension spans "
      "across two contiguous subspaces). Use .reshape(...) instead.",
      Error);
  CHECK(IntArrayRef(view(transposed, {4, 3, 1}).strides) == IntArrayRef{1, 4, 4});
  const ViewVerdict verdict = explain_view(transposed, {12});
  CHECK_FALSE(verdict.possible);
  CHECK(verdict.outer == 0);
  CHECK(verdict.inner == 1);
  CHECK(verdict.why().find(
            "Dimensions 0 and 1 cannot merge: stepping dimension 0 once moves 1 element, but a full run of "
            "dimension 1 moves 3 x 4 = 12.") == 0);
}

TEST_CASE("VIEW-4b VIEW-5 view succeeds exactly when strides exist (property)") {
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  int possible = 0, impossible = 0;
  for (int round = 0; round < 4000; ++round) {
    DimVector sizes;
    for (unsigned i = 0, n = 1 + random() % 4; i < n; ++i)
      sizes.push_back(static_cast<int64_t>(1 + random() % 4));
    Geometry g = contiguous_geometry(sizes);
    for (int step = 0; step < 2; ++step) {
      const auto dim = static_cast<int64_t>(random() % g.sizes.size());
      if (random() % 2)
        g = transpose(g, dim, static_cast<int64_t>(random() % g.sizes.size()));
      else
        g = slice(g, dim, 0, {}, static_cast<int64_t>(1 + random() % 2));
    }
    DimVector target;
    int64_t rest = g.numel();
    while (rest > 1) {
      int64_t factor = 1 + static_cast<int64_t>(random() % static_cast<unsigned>(rest));
      while (rest % factor) --factor;
      if (factor == 1 && random() % 2) factor = rest;
      target.push_back(factor);
      rest /= factor;
    }
    const bool exists = view_exists(g, target);
    REQUIRE_MESSAGE(explain_view(g, target).possible == exists, to_string(g));
    REQUIRE(reshape(g, target).copies == !exists);
    (exists ? possible : impossible)++;
  }
  CHECK(possible > 500);
  CHECK(impossible > 500);
}

TEST_CASE("M2 sizes that cannot be") {
  const Geometry g = contiguous_geometry({3, 4});
  CHECK_THROWS_WITH_AS(view(g, {5, 3}), "shape '[5, 3]' is invalid for input of size 12", Error);
  CHECK_THROWS_WITH_AS(view(g, {-1, -1}), "only one dimension can be inferred", Error);
  CHECK_THROWS_WITH_AS(
      view(contiguous_geometry({0, 3}), {-1, 0}),
      "cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified dimension size -1 "
      "can be any value and is ambiguous",
      Error);
  CHECK(IntArrayRef(view(g, {2, -1}).sizes) == IntArrayRef{2, 6});
}

TEST_CASE("VIEW-6 M4 expand gives stride 0, keeps -1, refuses in PyTorch's words") {
  CHECK(IntArrayRef(expand(contiguous_geometry({3, 1}), {3, 4}).strides) == IntArrayRef{1, 0});
  CHECK(IntArrayRef(expand(contiguous_geometry({3}), {2, 3}).strides) == IntArrayRef{0, 1});
  CHECK(IntArrayRef(expand(contiguous_geometry({3, 1}), {-1, 4}).sizes) == IntArrayRef{3, 4});
  CHECK_THROWS_WITH_AS(
      expand(contiguous_geometry({3}), {2, 4}),
      "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  "
      "Target sizes: [2, 4].  Tensor sizes: [3]",
      Error);
  CHECK_THROWS_WITH_AS(
      expand(contiguous_geometry({3}), {-1, 3}),
      "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0", Error);
}

TEST_CASE("M3 M5 are texts of operations on two tensors") {
  // Their tests with real tensors stand in tests/kernels/inplace_test.cpp; the geometry only knows expand's text.
  CHECK_THROWS_AS(expand(contiguous_geometry({4}), {3}), Error);
}

TEST_CASE("VIEW-7 M30 M31 as_strided refuses negative strides and places outside the storage") {
  CHECK_THROWS_WITH_AS(as_strided({3}, {-1}, 2, 4, 12),
                       "as_strided: Negative strides are not supported at the moment, got strides: [-1]",
                       Error);
  CHECK_THROWS_WITH_AS(
      as_strided({3, 3}, {3, 1}, 0, 4, 20),
      "setStorage: sizes [3, 3], strides [3, 1], storage offset 0, and itemsize 4 requiring a storage size "
      "of 36 are out of bounds for storage of size 20",
      Error);
  CHECK(as_strided({0, 3}, {3, 1}, 100, 4, 20).numel() == 0);
}

TEST_CASE("VIEW-7 legal ranges are exactly what as_strided accepts (property)") {
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  for (int round = 0; round < 500; ++round) {
    Geometry g{{}, {}, static_cast<int64_t>(random() % 5)};
    for (unsigned i = 0, n = random() % 3; i < n; ++i) {
      g.sizes.push_back(static_cast<int64_t>(1 + random() % 4));
      g.strides.push_back(static_cast<int64_t>(1 + random() % 4));
    }
    const uint64_t needed = required_nbytes(g.sizes, g.strides, g.offset, 4),
                   nbytes = needed + 4 * (random() % 10);
    const auto fits = [&](const Geometry& x) {
      return required_nbytes(x.sizes, x.strides, x.offset, 4) <= nbytes;
    };
    const LegalRanges ranges = legal_ranges(g, 4, nbytes);
    Geometry turned = g;
    turned.offset = ranges.offset;
    CHECK(fits(turned));
    ++turned.offset;
    CHECK_FALSE(fits(turned));
    for (size_t i = 0; i < g.sizes.size(); ++i) {
      turned = g;
      turned.sizes[i] = ranges.sizes[i];
      CHECK(fits(turned));
      ++turned.sizes[i];
      CHECK_FALSE(fits(turned));
      if (g.sizes[i] == 1) continue;
      turned = g;
      turned.strides[i] = ranges.strides[i];
      CHECK(fits(turned));
      ++turned.strides[i];
      CHECK_FALSE(fits(turned));
    }
  }
}

TEST_CASE("VIEW-8 strides and offsets of the view operations") {
  const Geometry g = contiguous_geometry({3, 4});
  CHECK(IntArrayRef(unsqueeze(g, 0).strides) == IntArrayRef{12, 4, 1});
  CHECK(IntArrayRef(unsqueeze(g, 1).strides) == IntArrayRef{4, 4, 1});
  CHECK(IntArrayRef(unsqueeze(g, 2).strides) == IntArrayRef{4, 1, 1});
  CHECK(IntArrayRef(diagonal(contiguous_geometry({3, 3}), 0, 0, 1).strides) == IntArrayRef{4});
  const Geometry windows = unfold(contiguous_geometry({7}), 0, 3, 1);
  CHECK(IntArrayRef(windows.sizes) == IntArrayRef{5, 3});
  CHECK(IntArrayRef(windows.strides) == IntArrayRef{1, 1});
  CHECK(slice(slice(contiguous_geometry({10}), 0, 2, 9, 1), 0, 3, 6, 1).offset == 5);
  CHECK(select(g, 0, -1).offset == 8);
}

TEST_CASE("VIEW-9 M32 integers, slices, None and the ellipsis alias; lists and masks copy") {
  const Geometry g = contiguous_geometry({3, 4});
  CHECK_FALSE(index(g, {int64_t{1}}).copies);
  CHECK_FALSE(index(g, {IndexSlice{1, {}, {}}, IndexNone{}, IndexEllipsis{}}).copies);
  CHECK(index(g, {IndexList{{0, 2}}}).copies);
  CHECK(index(g, {IndexMask{{true, false, true}}}).copies);
  CHECK(IntArrayRef(index(g, {IndexEllipsis{}, IndexList{{0, 2, 3}}}).geometry.sizes) == IntArrayRef{3, 3});
  CHECK_THROWS_WITH_AS(index(g, {int64_t{5}}), "index 5 is out of bounds for dimension 0 with size 3",
                       IndexError);
  CHECK_THROWS_WITH_AS(index(g, {int64_t{0}, int64_t{5}}),
                       "index 5 is out of bounds for dimension 1 with size 4", IndexError);
  CHECK_THROWS_WITH_AS(index(g, {int64_t{0}, int64_t{0}, int64_t{0}}),
                       "too many indices for tensor of dimension 2", IndexError);
  CHECK_THROWS_WITH_AS(index(g, {IndexSlice{{}, {}, -1}}), "step must be greater than zero", ValueError);
}

TEST_CASE("VIEW-12 M30 the presets of the Stride Visualizer: all but flip are accepted") {
  const auto accepted = [](IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
    as_strided(sizes, strides, offset, 1, 16);
  };
  accepted({4, 4}, {4, 1}, 0);
  accepted({4, 4}, {0, 1}, 0);
  accepted({4, 4}, {1, 4}, 0);
  accepted({4}, {5}, 0);
  accepted({6, 3}, {1, 1}, 0);
  CHECK_THROWS_WITH_AS(accepted({4, 4}, {-4, 1}, 12), doctest::Contains("Negative strides are not supported"),
                       Error);
}

TEST_CASE("every view operation of the table has parameters that bind, and says what is missing") {
  CHECK(view_op_table().size() > 25);
  const ViewOp* op = find_view_op("transpose");
  REQUIRE(op);
  CHECK(signature(*op) == "transpose(dim0, dim1)");
  CHECK_THROWS_WITH_AS(bind_view_args(*op, {int64_t{0}}, {}),
                       "transpose() missing 1 required positional argument: 'dim1': transpose(dim0, dim1)",
                       TypeError);
  CHECK_THROWS_AS(bind_view_args(*op, {}, {{"axis", int64_t{0}}}), TypeError);
  CHECK(bind_view_args(*op, {}, {{"dim1", int64_t{1}}, {"dim0", int64_t{0}}}).size() == 2);
  CHECK(find_view_op("flip") == nullptr);
}
