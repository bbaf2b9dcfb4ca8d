#include "core/tensor.h"

#include <doctest/doctest.h>

#include <array>
#include <numeric>

#include "allocation_count.h"
#include "core/geometry/contiguity.h"
#include "core/tensor_accessor.h"

using namespace cutaway;

namespace {

Tensor make(IntArrayRef sizes, ScalarType dtype = ScalarType::Float, DeviceType device = DeviceType::CPU) {
  const size_t nbytes = static_cast<size_t>(compute_numel(sizes)) * element_size(dtype);
  auto storage = make_intrusive<StorageImpl>(nbytes, get_allocator(device));
  auto impl = make_intrusive<TensorImpl>(storage, key_set_of_tensor(Device(device), false), dtype);
  impl->set_sizes_contiguous(sizes);
  return Tensor(impl);
}

}  // namespace

TEST_CASE("MEM-4 struct sizes, and no heap allocation for shapes up to rank 5") {
  static_assert(sizeof(Tensor) == 8 && sizeof(TensorImpl) <= 192 && sizeof(StorageImpl) <= 96 && sizeof(DispatchKeySet) == 8);
  Tensor t = make({2, 3, 4, 5, 6});
  const std::array<int64_t, 5> sizes{6, 5, 4, 3, 2}, strides{120, 24, 6, 2, 1};
  const size_t before = allocations_so_far();
  t.unsafe_impl()->set_sizes_and_strides({sizes.data(), 5}, {strides.data(), 5}, 0);
  CHECK(allocations_so_far() == before);
  const std::array<int64_t, 6> six{1, 6, 5, 4, 3, 2}, six_strides{720, 120, 24, 6, 2, 1};
  t.unsafe_impl()->set_sizes_and_strides({six.data(), 6}, {six_strides.data(), 6}, 0);
  CHECK(allocations_so_far() > before);
  CHECK(t.sizes() == IntArrayRef(six.data(), 6));
}

TEST_CASE("MEM-4 the field map covers the struct without overlap") {
  size_t end = 0;
  for (const TensorImplField& field : tensor_impl_fields()) {
    CHECK(field.offset + field.size <= sizeof(TensorImpl));
    if (field.size == 0) continue;
    CHECK_MESSAGE(field.offset >= end, field.name);
    end = field.offset + field.size;
  }
}

TEST_CASE("MEM-5 an undefined tensor is one singleton and refuses questions") {
  Tensor a, b;
  CHECK_FALSE(a.defined());
  CHECK(a.is_same(b));
  CHECK(a.use_count() == 0);
  CHECK_THROWS_WITH_AS(a.sizes(), "Expected a proper Tensor but got None (or an undefined Tensor in C++)", TypeError);
}

TEST_CASE("MEM-8 shallow_copy_and_detach shares the storage, drops history, chooses the counter") {
  Tensor t = make({2, 3});
  auto shared = t.unsafe_impl()->shallow_copy_and_detach(t.unsafe_impl()->version_counter(), true);
  auto own = t.unsafe_impl()->shallow_copy_and_detach(VersionCounter(), false);
  t.unsafe_impl()->bump_version();
  CHECK(shared->version_counter().current() == 1);
  CHECK(own->version_counter().current() == 0);
  CHECK(Tensor(shared).is_alias_of(t));
  CHECK_FALSE(shared->requires_grad());
  CHECK_THROWS_WITH_AS(own->set_sizes_contiguous({6}),
                       "set_sizes_and_strides is not allowed on a Tensor created from .data or .detach().", Error);
}

TEST_CASE("inference tensors have no version counter") {
  const VersionCounter none(0, false);
  CHECK_THROWS_WITH_AS(none.current(), "Inference tensors do not track version counter.", Error);
}

TEST_CASE("VIEW-1 M29 M27 an accessor checks rank and dtype once, then follows the address formula") {
  Tensor t = make({2, 3});
  float* data = t.mutable_data_ptr<float>();
  std::iota(data, data + 6, 0.0f);
  const int64_t sizes[] = {3, 2}, strides[] = {1, 3};
  t.unsafe_impl()->set_sizes_and_strides({sizes, 2}, {strides, 2}, 0);
  auto a = accessor<float, 2>(t);
  CHECK(a[2][1] == 5);
  a[0][1] = 42;
  CHECK(data[3] == 42);
  CHECK_THROWS_WITH_AS((accessor<float, 1>(t)), "TensorAccessor expected 1 dims but tensor has 2", Error);
  CHECK_THROWS_WITH_AS((accessor<double, 2>(t)), "expected scalar type Double but found Float", Error);
}

TEST_CASE("VIEW-2 the five edge cases of contiguity") {
  CHECK(is_contiguous({1, 3}, {100, 1}));
  CHECK(is_contiguous({3, 1}, {1, 7}));
  CHECK(is_contiguous({0, 3}, {100, 50}));
  CHECK(is_contiguous({}, {}));
  CHECK(IntArrayRef(contiguous_strides({2, 0, 3})) == IntArrayRef{3, 3, 1});
  CHECK_FALSE(is_contiguous({2, 3}, {1, 2}));
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
  Tensor t = make({2, 3});
  CHECK(t.size(-1) == 3);
  CHECK(t.stride(0) == 3);
  CHECK_THROWS_WITH_AS(t.size(2), "Dimension out of range (expected to be in range of [-2, 1], but got 2)", IndexError);
  CHECK_THROWS_AS(make({}).size(0), IndexError);
}

TEST_CASE("meta tensors know their shape and have no data") {
  Tensor t = make({2, 3}, ScalarType::Float, DeviceType::Meta);
  CHECK(t.numel() == 6);
  CHECK_THROWS_AS(t.const_data_ptr(), Error);
}

TEST_CASE("an impossible number of elements is refused") {
  CHECK_THROWS_WITH_AS(compute_numel({int64_t{1} << 40, int64_t{1} << 40}), "numel: integer multiplication overflow", Error);
  CHECK(compute_numel({int64_t{1} << 40, int64_t{1} << 40, 0}) == 0);
}

TEST_CASE("DimVector behaves like a vector, inline and beyond") {
  unsigned seed = 12345;
  DimVector ours;
  std::vector<int64_t> model;
  for (int i = 0; i < 5000; ++i) {
    seed = seed * 1664525 + 1013904223;
    const auto choice = seed >> 28;
    if (choice < 6 || model.empty()) {
      ours.push_back(i);
      model.push_back(i);
    } else if (choice < 9) {
      ours.pop_back();
      model.pop_back();
    } else if (choice < 12) {
      const size_t at = (seed >> 8) % (model.size() + 1);
      ours.insert(at, i);
      model.insert(model.begin() + static_cast<int64_t>(at), i);
    } else {
      const size_t at = (seed >> 8) % model.size();
      ours.erase(at);
      model.erase(model.begin() + static_cast<int64_t>(at));
    }
    if (model.size() > 12) {
      ours.resize(3);
      model.resize(3);
    }
    REQUIRE(IntArrayRef(ours) == IntArrayRef(model));
    DimVector copy = ours, moved = std::move(copy);
    REQUIRE(moved == ours);
  }
}
