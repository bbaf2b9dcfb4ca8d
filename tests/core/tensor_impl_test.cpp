#include "core/tensor_impl.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include "allocation_count.h"
#include "made_tensor.h"

using namespace cutaway;

namespace {

// Autograd as core sees it.
struct FakeMeta : AutogradMetaInterface {
  bool requires_grad() const override { return on; }
  void set_requires_grad(bool value, const TensorImpl& self) override {
    CUTAWAY_CHECK(!value || is_floating(self.dtype()),
                  "only Tensors of floating point dtype can require gradients");
    on = value;
  }
  bool on = false;
};

struct WithFakeAutograd {
  WithFakeAutograd() {
    set_autograd_meta_factory(
        []() -> std::unique_ptr<AutogradMetaInterface> { return std::make_unique<FakeMeta>(); });
  }
  ~WithFakeAutograd() { set_autograd_meta_factory(nullptr); }
};

// A tensor that holds its numbers otherwise: no storage, two tensors behind the common fields.
struct SparseLike final : TensorImpl {
  SparseLike(Tensor i, Tensor v)
      : TensorImpl(key_set_of_tensor(Device(), true), v.dtype(), Device(), Layout::Sparse),
        indices(std::move(i)),
        values(std::move(v)) {}
  const char* tensorimpl_type_name() const override { return "SparseTensorImpl"; }
  Tensor indices;
  Tensor values;
};

unsigned char byte_at(const TensorImpl& impl, size_t offset) {
  unsigned char byte = 0;
  std::memcpy(&byte, reinterpret_cast<const unsigned char*>(&impl) + offset, 1);
  return byte;
}

}  // namespace

TEST_CASE("MEM-4 no heap allocation for shapes up to rank 5") {
  static_assert(sizeof(Tensor) == 8 && sizeof(TensorImpl) == 168 && sizeof(StorageImpl) == 80);
  Tensor t = made_tensor({2, 3, 4, 5, 6});
  size_t before = allocations_so_far();
  t.unsafe_impl()->set_sizes_and_strides({6, 5, 4, 3, 2}, {120, 24, 6, 2, 1}, 0);
  t.unsafe_impl()->set_sizes_contiguous({720});
  t.unsafe_impl()->set_sizes_contiguous({});
  CHECK(allocations_so_far() == before);
  t.unsafe_impl()->set_sizes_and_strides({1, 6, 5, 4, 3, 2}, {720, 120, 24, 6, 2, 1}, 0);
  CHECK(allocations_so_far() > before);
  CHECK(t.sizes() == IntArrayRef{1, 6, 5, 4, 3, 2});
}

TEST_CASE("MEM-4 a new tensor allocates its storage, itself and its counter; a view only itself") {
  size_t before = allocations_so_far();
  Tensor t = made_tensor({2, 3});
  CHECK(allocations_so_far() == before + 3);
  before = allocations_so_far();
  auto view = t.unsafe_impl()->shallow_copy_and_detach(t.unsafe_impl()->version_counter(), true);
  CHECK(allocations_so_far() == before + 1);
}

TEST_CASE("MEM-4 the field map covers the struct without overlap") {
  size_t end = 0;
  for (const TensorImplField& field : tensor_impl_fields()) {
    CHECK(field.offset + field.size <= sizeof(TensorImpl));
    if (field.size == 0) continue;
    CHECK_MESSAGE(field.offset >= end, field.name);
    end = field.offset + field.size;
  }
  CHECK(end == sizeof(TensorImpl));
}

TEST_CASE("MEM-4 the field map tells where a live tensor's values lie") {
  Tensor t = made_tensor({7, 11});
  const auto at = [&](const std::string& name) {
    for (const TensorImplField& field : tensor_impl_fields())
      if (field.name == name) return field.offset;
    FAIL("no field ", name);
    return size_t{0};
  };
  CHECK(byte_at(*t.unsafe_impl(), at("numel_")) == 77);
  CHECK(byte_at(*t.unsafe_impl(), at("dtype_")) == static_cast<unsigned char>(ScalarType::Float));
  CHECK(byte_at(*t.unsafe_impl(), at("sizes_and_strides_")) == 2);
  const unsigned char contiguous = byte_at(*t.unsafe_impl(), at("is_contiguous_"));
  t.unsafe_impl()->set_sizes_and_strides({7, 11}, {22, 2}, 0);
  const unsigned char strided = byte_at(*t.unsafe_impl(), at("is_contiguous_"));
  CHECK((contiguous ^ strided) != 0);
}

TEST_CASE("MEM-8 shallow_copy_and_detach shares the storage, drops history, chooses the counter") {
  WithFakeAutograd autograd;
  Tensor t = made_tensor({2, 3, 4, 5});
  t.unsafe_impl()->set_sizes_and_strides({2, 3, 4, 5}, {60, 1, 15, 3}, 0);
  t.unsafe_impl()->set_requires_grad(true);
  auto shared = t.unsafe_impl()->shallow_copy_and_detach(t.unsafe_impl()->version_counter(), true);
  auto own = t.unsafe_impl()->shallow_copy_and_detach(VersionCounter(), false);
  t.unsafe_impl()->bump_version();
  CHECK(shared->version_counter().current() == 1);
  CHECK(own->version_counter().current() == 0);
  CHECK(Tensor(shared).is_alias_of(t));
  CHECK(t.requires_grad());
  CHECK_FALSE(shared->requires_grad());
  CHECK(shared->id() != t.id());
  CHECK(shared->sizes() == t.sizes());
  CHECK(shared->strides() == t.strides());
  CHECK(shared->is_contiguous(MemoryFormat::ChannelsLast));
  CHECK_FALSE(shared->is_contiguous());
  CHECK(shared->numel() == t.numel());
  CHECK_THROWS_WITH_AS(own->set_sizes_contiguous({120}),
                       "set_sizes_and_strides is not allowed on a Tensor created from .data or .detach().",
                       Error);
  CHECK_THROWS_WITH_AS(own->set_storage(t.storage(), {120}, {1}, 0),
                       "set_storage is not allowed on a Tensor created from .data or .detach().", Error);
}

TEST_CASE("MEM-6 a view keeps the storage alive, not the tensor it came from") {
  Tensor base = made_tensor({1000, 1000});
  weak_intrusive_ptr<TensorImpl, UndefinedTensorImpl> base_object(base.impl());
  Tensor row(base.unsafe_impl()->shallow_copy_and_detach(base.unsafe_impl()->version_counter(), true));
  row.unsafe_impl()->set_sizes_and_strides({1000}, {1}, 0);
  CHECK(row.storage().use_count() == 2);
  base.reset();
  CHECK(base_object.expired());
  CHECK(row.storage().use_count() == 1);
  CHECK(row.storage()->nbytes() == 4'000'000);
  CHECK(row.nbytes() == 4'000);
}

TEST_CASE("MEM-7 DSP-4 an inference tensor has no version counter, and neither have its copies") {
  const auto keys = without_autograd(key_set_of_tensor(Device()));
  auto storage = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU));
  auto impl = make_intrusive<TensorImpl>(storage, keys, ScalarType::Float);
  CHECK(impl->is_inference());
  CHECK_FALSE(made_tensor({2}).unsafe_impl()->is_inference());
  CHECK(impl->version_counter().id() == 0);
  CHECK_THROWS_WITH_AS(impl->version_counter().current(), "Inference tensors do not track version counter.",
                       Error);
  CHECK_THROWS_WITH_AS(impl->bump_version(),
                       "Inplace update to inference tensor outside InferenceMode is not allowed.", Error);
  CHECK_FALSE(impl->shallow_copy_and_detach(VersionCounter(), true)->version_counter().enabled());
  CHECK_THROWS_WITH_AS(impl->set_version_counter(VersionCounter()),
                       "Cannot set version_counter for inference tensor", Error);
}

TEST_CASE("MEM-7 handles of a version counter share it; a fresh one does not") {
  VersionCounter a, b = a, c;
  CHECK(a.shares_with(b));
  CHECK(a.id() == b.id());
  CHECK_FALSE(a.shares_with(c));
  CHECK_FALSE(VersionCounter::disabled().shares_with(VersionCounter::disabled()));
  b.bump();
  CHECK(a.current() == 1);
  CHECK(c.current() == 0);
  CHECK(a.use_count() == 2);
}

TEST_CASE("requires_grad asks for autograd, which core does not know") {
  Tensor t = made_tensor({2});
  t.unsafe_impl()->set_requires_grad(false);
  CHECK(t.unsafe_impl()->autograd_meta() == nullptr);
  CHECK_THROWS_WITH_AS(t.unsafe_impl()->set_requires_grad(true),
                       doctest::Contains("Support for autograd has not been loaded"), Error);
  WithFakeAutograd autograd;
  t.unsafe_impl()->set_requires_grad(true);
  CHECK(t.requires_grad());
  CHECK(t.key_set() == key_set_of_tensor(Device()));
  t.unsafe_impl()->set_requires_grad(false);
  CHECK_FALSE(t.requires_grad());
  CHECK_THROWS_AS(made_tensor({2}, ScalarType::Int).unsafe_impl()->set_requires_grad(true), Error);
}

TEST_CASE("set_storage takes other bytes with their geometry, on the same device only") {
  Tensor a = made_tensor({2, 3}), b = made_tensor({4, 5});
  a.unsafe_impl()->set_storage(b.storage(), {5}, {4}, 2);
  CHECK(a.is_alias_of(b));
  CHECK(a.sizes() == IntArrayRef{5});
  CHECK(a.storage_offset() == 2);
  const Tensor meta = made_tensor({2}, ScalarType::Float, DeviceType::Meta);
  CHECK_THROWS_WITH_AS(
      a.unsafe_impl()->set_storage(meta.storage(), {2}, {1}, 0),
      "Attempted to set the storage of a tensor on device \"cpu\" to a storage on different device "
      "\"meta\".  This is no longer allowed; the devices must match.",
      Error);
  CHECK(a.is_alias_of(b));
}

TEST_CASE("EXT-2 a tensor of another layout adds its fields behind the common ones and has no storage") {
  auto impl = make_intrusive<SparseLike>(made_tensor({1, 2}, ScalarType::Long), made_tensor({2}));
  const Tensor sparse{intrusive_ptr<TensorImpl>(impl)};
  CHECK(sparse.layout() == Layout::Sparse);
  CHECK(sparse.key_set().has(DispatchKey::SparseCPU));
  CHECK_FALSE(sparse.key_set().has(DispatchKey::CPU));
  CHECK(reinterpret_cast<std::byte*>(&impl->indices) - reinterpret_cast<std::byte*>(impl.get()) >= 168);
  CHECK_THROWS_WITH_AS(sparse.storage(), "Cannot access storage of SparseTensorImpl", NotImplementedError);
  CHECK_THROWS_WITH_AS(sparse.const_data_ptr(),
                       "Cannot access data pointer of Tensor that doesn't have storage", Error);
  CHECK_FALSE(sparse.is_alias_of(made_tensor({2})));
}

TEST_CASE("only a 0-dim tensor can stand for a plain number") {
  Tensor scalar = made_tensor({}), vector = made_tensor({1});
  scalar.unsafe_impl()->set_wrapped_number(true);
  CHECK(scalar.unsafe_impl()->is_wrapped_number());
  CHECK_THROWS_AS(vector.unsafe_impl()->set_wrapped_number(true), Error);
}
