#include "kernels/views.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "kernels/ops.h"

using namespace cutaway;

TEST_CASE("VIEW-1 a view's elements are the base's, by the address formula") {
  const Tensor x = arange(24);
  const Tensor v = transpose(slice(view(x, {4, 6}), 1, 1, 6, 2), 0, 1);
  CHECK(v.sizes() == IntArrayRef{3, 4});
  CHECK(v.strides() == IntArrayRef{2, 6});
  CHECK(v.storage_offset() == 1);
  CHECK(item(select(select(v, 0, 2), 0, 3)).to<int64_t>() == 1 + 2 * 2 + 3 * 6);
}

TEST_CASE("MEM-3 views share one storage") {
  const Tensor x = zeros({4, 4});
  for (const Tensor& v :
       {view(x, {16}), transpose(x, 0, 1), select(x, 0, 1), unfold(x, 1, 2, 1), diagonal(x), detach(x)}) {
    CHECK(v.is_alias_of(x));
    CHECK(v.storage()->id() == x.storage()->id());
  }
  CHECK_FALSE(clone(x).is_alias_of(x));
}

TEST_CASE("MEM-6 a row of 1000 x 1000 floats keeps 4,000,000 bytes; its clone has 4,000") {
  Tensor x = zeros({1000, 1000});
  const Tensor row = select(x, 0, 0);
  x.reset();
  CHECK(row.storage()->nbytes() == 4'000'000);
  CHECK(clone(row).storage()->nbytes() == 4'000);
}

TEST_CASE("MEM-8 detach shares storage and counter, data only the storage") {
  const Tensor x = ones({4});
  const Tensor d = detach(x), y = data(x);
  add_(x, 1);
  CHECK(x._version() == 1);
  CHECK(d._version() == 1);
  CHECK(y._version() == 0);
  mul_(d, 2);
  CHECK(x._version() == 2);
  zero_(y);
  CHECK(x._version() == 2);
  CHECK(item(select(x, 0, 0)).to<float>() == 0);
}

TEST_CASE("VIEW-9 index expressions alias or copy") {
  const Tensor x = view(arange(12), {3, 4});
  const Tensor row = index(x, {int64_t{1}}),
               part = index(x, {IndexEllipsis{}, IndexSlice{1, 3, {}}, IndexNone{}});
  CHECK(row.is_alias_of(x));
  CHECK(part.is_alias_of(x));
  CHECK(part.sizes() == IntArrayRef{3, 2, 1});
  const Tensor chosen = index(x, {IndexList{{2, 0}}}),
               masked = index(x, {IndexSlice{}, IndexMask{{true, false, false, true}}});
  CHECK_FALSE(chosen.is_alias_of(x));
  CHECK(item(index(chosen, {int64_t{0}, int64_t{1}})).to<int64_t>() == 9);
  CHECK(masked.sizes() == IntArrayRef{3, 2});
  CHECK(item(index(masked, {int64_t{2}, int64_t{1}})).to<int64_t>() == 11);
}

TEST_CASE("VIEW-7 M31 as_strided is bounded by the storage") {
  const Tensor x = zeros({5});
  CHECK_THROWS_WITH_AS(
      as_strided(x, {3, 3}, {3, 1}),
      "setStorage: sizes [3, 3], strides [3, 1], storage offset 0, and itemsize 4 requiring a storage size "
      "of 36 are out of bounds for storage of size 20",
      Error);
  CHECK(as_strided(x, {2, 2}, {1, 2}, 1).storage_offset() == 1);
}

TEST_CASE("split, chunk and unbind give views side by side") {
  const Tensor x = arange(7);
  const auto pieces = split(x, 3);
  CHECK(pieces.size() == 3);
  CHECK(pieces[2].sizes() == IntArrayRef{1});
  CHECK(pieces[1].storage_offset() == 3);
  CHECK(chunk(x, 2).size() == 2);
  CHECK(unbind(view(arange(6), {2, 3})).size() == 2);
}

TEST_CASE("views of meta tensors need no bytes") {
  const Tensor x = empty({2, 3}, {ScalarType::Float, Device(DeviceType::Meta)});
  CHECK(transpose(x, 0, 1).sizes() == IntArrayRef{3, 2});
  CHECK_THROWS_AS(item(select(select(x, 0, 0), 0, 0)), Error);
}
