#include <doctest/doctest.h>

#include <random>

#include "core/error.h"
#include "core/geometry/reshaping.h"
#include "kernels/ops.h"
#include "kernels/tensor_geometry.h"

using namespace cutaway;

TEST_CASE("VIEW-5 reshape shares memory exactly when view would succeed") {
  constexpr unsigned kSeed = 5;
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  for (int round = 0; round < 500; ++round) {
    Tensor x = view(arange(48), {2, 3, 8});
    for (int i = 0; i < 2; ++i)
      x = transpose(x, static_cast<int64_t>(random() % 3), static_cast<int64_t>(random() % 3));
    if (random() % 2) x = slice(x, static_cast<int64_t>(random() % 3), 0, {}, 2);
    const int64_t first = std::vector<int64_t>{1, 2, 3, 4}[random() % 4];
    if (x.numel() % first) continue;
    const bool possible = explain_view(geometry_of(x), {first, -1}).possible;
    const Tensor y = reshape(x, {first, -1});
    CHECK(y.is_alias_of(x) == possible);
    CHECK(equal(reshape(y, {-1}), reshape(contiguous(x), {-1})));
  }
}

TEST_CASE("VIEW-5 contiguous returns itself when it is; a transposed reshape has the values in index order") {
  const Tensor x = arange(6);
  CHECK(contiguous(x).is_same(x));
  const Tensor y = reshape(t(view(x, {2, 3})), {6});
  const int64_t wanted[] = {0, 3, 1, 4, 2, 5};
  for (int i = 0; i < 6; ++i) CHECK(y.const_data_ptr<int64_t>()[i] == wanted[i]);
}

TEST_CASE("VIEW-3 channels-last strides survive add, clone and empty_like") {
  const Tensor x = contiguous(zeros({2, 3, 4, 5}), MemoryFormat::ChannelsLast);
  const std::vector<int64_t> strides{60, 1, 15, 3};
  CHECK(x.strides() == IntArrayRef(strides));
  CHECK(clone(x).strides() == IntArrayRef(strides));
  CHECK(empty_like(x).strides() == IntArrayRef(strides));
  CHECK(add(x, 1).strides() == IntArrayRef(strides));
  CHECK(contiguous(x).strides() == IntArrayRef(std::vector<int64_t>{60, 20, 5, 1}));
}

TEST_CASE("clone keeps the strides of dense tensors and packs the others") {
  const Tensor x = zeros({4, 8});
  CHECK(clone(t(x)).strides() == IntArrayRef(std::vector<int64_t>{1, 8}));
  CHECK(clone(slice(x, 1, 0, {}, 2)).strides() == IntArrayRef(std::vector<int64_t>{4, 1}));
  CHECK(empty_like(expand(zeros({3, 1}), {3, 4})).strides() == IntArrayRef(std::vector<int64_t>{4, 1}));
}

TEST_CASE("MEM-2 from_blob uses foreign memory and calls its deleter once") {
  int deleted = 0;
  float memory[6] = {0, 1, 2, 3, 4, 5};
  {
    const Tensor x = from_blob(memory, {2, 3}, {ScalarType::Float, {}}, [&](void*) { ++deleted; });
    add_(x, 1);
    CHECK(memory[5] == 6);
    CHECK_THROWS_WITH_AS(resize_(x, {7}), "Trying to resize storage that is not resizable", Error);
    const Tensor keeps = select(x, 0, 1);
  }
  CHECK(deleted == 1);
}

TEST_CASE("item needs one element") {
  CHECK_THROWS_WITH_AS(item(zeros({2})), "a Tensor with 2 elements cannot be converted to Scalar", Error);
  CHECK(item(full({1, 1}, 2.5)).to<double>() == 2.5);
}

TEST_CASE("to converts every dtype") {
  const Tensor x = full({3}, 1.75);
  for (ScalarType type : kScalarTypes) {
    const Tensor y = to(x, type);
    CHECK(y.dtype() == type);
    CHECK(item(select(to(y, ScalarType::Double), 0, 0)).to<double>() == (is_floating(type) ? 1.75 : 1.0));
  }
}
