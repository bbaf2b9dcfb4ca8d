#include "core/tensor.h"

#include <doctest/doctest.h>

#include <numeric>
#include <random>
#include <string>

#include "core/geometry/contiguity.h"
#include "core/tensor_accessor.h"
#include "made_tensor.h"

using namespace cutaway;

TEST_CASE("MEM-5 an undefined tensor is one singleton and refuses questions") {
  Tensor a, b;
  CHECK_FALSE(a.defined());
  CHECK(a.is_same(b));
  CHECK(a.use_count() == 0);
  CHECK(a.key_set().empty());
  CHECK_FALSE(a.requires_grad());
  const char* text = "Expected a proper Tensor but got None (or an undefined Tensor in C++)";
  CHECK_THROWS_WITH_AS(a.sizes(), text, TypeError);
  CHECK_THROWS_WITH_AS(a.const_data_ptr(), text, TypeError);
  CHECK_THROWS_WITH_AS(a.is_alias_of(made_tensor({2})), text, TypeError);
  CHECK_THROWS_WITH_AS(made_tensor({2}).is_alias_of(a), text, TypeError);
  Tensor c = made_tensor({2});
  c.reset();
  CHECK(c.is_same(a));
}

TEST_CASE("MEM-4 a copied handle is the same tensor, and the last one frees it") {
  Tensor a = made_tensor({2, 3});
  weak_intrusive_ptr<StorageImpl> bytes(a.storage());
  Tensor b = a;
  CHECK(a.is_same(b));
  CHECK(a.use_count() == 2);
  a.reset();
  CHECK(b.use_count() == 1);
  CHECK_FALSE(bytes.expired());
  b.reset();
  CHECK(bytes.expired());
}

TEST_CASE("VIEW-1 element (i, j) is storage[offset + i * s0 + j * s1] for random views") {
  const unsigned seed = std::random_device{}();
  INFO("seed ", seed);
  std::mt19937 random(seed);
  constexpr int64_t kNumel = 400;
  Tensor t = made_tensor({kNumel}, ScalarType::Long);
  auto* data = t.mutable_data_ptr<int64_t>();
  std::iota(data, data + kNumel, int64_t{0});
  for (int i = 0; i < 500; ++i) {
    const int64_t rows = 1 + random() % 6, columns = 1 + random() % 6, s0 = random() % 40, s1 = random() % 40;
    const int64_t offset = random() % 5;
    REQUIRE(offset + (rows - 1) * s0 + (columns - 1) * s1 < kNumel);
    t.unsafe_impl()->set_sizes_and_strides({rows, columns}, {s0, s1}, offset);
    const auto a = accessor<int64_t, 2>(t);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c) REQUIRE(a[r][c] == offset + r * s0 + c * s1);
  }
}

TEST_CASE("VIEW-1 M29 M27 an accessor checks rank and dtype once, then follows the address formula") {
  Tensor t = made_tensor({2, 3});
  float* data = t.mutable_data_ptr<float>();
  std::iota(data, data + 6, 0.0f);
  t.unsafe_impl()->set_sizes_and_strides({3, 2}, {1, 3}, 0);
  auto a = accessor<float, 2>(t);
  CHECK(a[2][1] == 5);
  CHECK(a[1].size(0) == 2);
  CHECK(a[1].stride(0) == 3);
  a[0][1] = 42;
  CHECK(data[3] == 42);
  CHECK_THROWS_WITH_AS((accessor<float, 1>(t)), "TensorAccessor expected 1 dims but tensor has 2", Error);
  CHECK_THROWS_WITH_AS((accessor<double, 2>(t)), "expected scalar type Double but found Float", Error);
  CHECK_THROWS_WITH_AS(t.const_data_ptr<double>(), "expected scalar type Double but found Float", Error);
}

TEST_CASE("VIEW-2 the five edge cases of contiguity") {
  CHECK(is_contiguous({1, 3}, {100, 1}));
  CHECK(is_contiguous({3, 1}, {1, 7}));
  CHECK(is_contiguous({0, 3}, {100, 50}));
  CHECK(is_contiguous({}, {}));
  CHECK(IntArrayRef(contiguous_strides({2, 0, 3})) == IntArrayRef{3, 3, 1});
  CHECK_FALSE(is_contiguous({2, 3}, {1, 2}));
}

TEST_CASE("VIEW-2 VIEW-3 a tensor's bits are those of its present geometry") {
  Tensor t = made_tensor({120});
  const auto bits = [&](IntArrayRef sizes, IntArrayRef strides) {
    t.unsafe_impl()->set_sizes_and_strides(sizes, strides, 0);
    std::string on;
    if (t.is_contiguous()) on += 'c';
    if (t.is_contiguous(MemoryFormat::ChannelsLast)) on += 'l';
    if (t.is_contiguous(MemoryFormat::ChannelsLast3d)) on += '3';
    if (t.is_non_overlapping_and_dense()) on += 'd';
    return on;
  };
  CHECK(bits({1, 3}, {100, 1}) == "cd");
  CHECK(bits({3, 1}, {1, 7}) == "cd");
  CHECK(bits({0, 3}, {100, 50}) == "cd");
  CHECK(bits({}, {}) == "cd");
  CHECK(bits({2, 3}, {1, 2}) == "d");
  CHECK(bits({2, 3}, {6, 2}) == "");
  CHECK(bits({2, 3}, {0, 1}) == "");
  CHECK(bits({2, 3, 4, 5}, {60, 1, 15, 3}) == "ld");
  CHECK(bits({1, 3, 1, 1}, {3, 1, 1, 1}) == "cld");
  CHECK(bits({2, 3, 1, 2, 2}, {12, 1, 12, 6, 3}) == "3d");
  CHECK(t.suggest_memory_format() == MemoryFormat::ChannelsLast3d);
  CHECK(t.numel() == 24);
}

TEST_CASE("VIEW-3 channels-last strides and formats") {
  CHECK(IntArrayRef(channels_last_strides({2, 3, 4, 5})) == IntArrayRef{60, 1, 15, 3});
  CHECK(is_channels_last_contiguous({2, 3, 4, 5}, {60, 1, 15, 3}));
  CHECK_FALSE(is_contiguous({2, 3, 4, 5}, {60, 1, 15, 3}));
  CHECK(IntArrayRef(preserved_strides({2, 3, 4, 5}, {60, 1, 15, 3})) == IntArrayRef{60, 1, 15, 3});
  CHECK(suggested_memory_format({2, 3, 4, 5}, {60, 1, 15, 3}) == MemoryFormat::ChannelsLast);
  // (1, 3, 1, 1) is contiguous in both formats at once.
  CHECK(is_contiguous({1, 3, 1, 1}, {3, 1, 1, 1}));
  CHECK(is_channels_last_contiguous({1, 3, 1, 1}, {3, 1, 1, 1}));
}

TEST_CASE("M32 sizes and strides of one dimension wrap and refuse") {
  Tensor t = made_tensor({2, 3});
  CHECK(t.size(-1) == 3);
  CHECK(t.stride(0) == 3);
  CHECK_THROWS_WITH_AS(t.size(2), "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
                       IndexError);
  CHECK_THROWS_WITH_AS(made_tensor({}).size(0), "Dimension specified as 0 but tensor has no dimensions",
                       IndexError);
}

TEST_CASE("EXT-3 meta tensors know their shape and have no data") {
  Tensor t = made_tensor({2, 3}, ScalarType::Float, DeviceType::Meta);
  CHECK(t.numel() == 6);
  CHECK(t.nbytes() == 24);
  CHECK_THROWS_AS(t.const_data_ptr(), Error);
}

TEST_CASE("a tensor without elements has no address") {
  CHECK(made_tensor({0, 3}).const_data_ptr() == nullptr);
  CHECK(made_tensor({0, 3}).mutable_data_ptr<float>() == nullptr);
}

TEST_CASE("an impossible number of elements is refused and changes nothing") {
  constexpr int64_t kHuge = int64_t{1} << 40;
  CHECK_THROWS_WITH_AS(compute_numel({kHuge, kHuge}), "numel: integer multiplication overflow", Error);
  CHECK(compute_numel({kHuge, kHuge, 0}) == 0);
  Tensor t = made_tensor({2, 3});
  CHECK_THROWS_AS(t.unsafe_impl()->set_sizes_and_strides({kHuge, kHuge}, {1, 1}, 7), Error);
  CHECK_THROWS_AS(t.unsafe_impl()->set_sizes_and_strides({2, 3}, {1}, 7), Error);
  CHECK(t.sizes() == IntArrayRef{2, 3});
  CHECK(t.numel() == 6);
  CHECK(t.storage_offset() == 0);
}
