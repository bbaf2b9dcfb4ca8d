#include "core/storage_impl.h"

#include <doctest/doctest.h>

#include <cstring>

#include "core/tensor.h"

using namespace cutaway;

namespace {

int deleted = 0;

Storage foreign(void* memory, size_t nbytes) {
  return make_intrusive<StorageImpl>(nbytes, DataPtr(memory, &deleted, [](void* n) { ++*static_cast<int*>(n); }, Device()));
}

}  // namespace

TEST_CASE("MEM-2 M34 foreign memory calls its deleter once and refuses to resize") {
  float memory[4] = {};
  deleted = 0;
  {
    Storage storage = foreign(memory, sizeof(memory));
    CHECK_THROWS_WITH_AS(storage->resize(64), "Trying to resize storage that is not resizable", Error);
    CHECK(storage->nbytes() == sizeof(memory));
    weak_intrusive_ptr<StorageImpl> weak(storage);
    storage.reset();
    CHECK(deleted == 1);
  }
  CHECK(deleted == 1);
}

TEST_CASE("MEM-3 two storages over one address are no aliases") {
  float memory[4] = {};
  auto tensor = [&] {
    auto impl = make_intrusive<TensorImpl>(foreign(memory, sizeof(memory)), DispatchKeySet(), ScalarType::Float);
    impl->set_sizes_contiguous({4});
    return Tensor(impl);
  };
  Tensor a = tensor(), b = tensor();
  CHECK(a.const_data_ptr() == b.const_data_ptr());
  CHECK_FALSE(a.is_alias_of(b));
  a.unsafe_impl()->bump_version();
  CHECK(b._version() == 0);
  CHECK(a.storage()->id() != b.storage()->id());
}

TEST_CASE("resizing keeps the bytes both sizes share") {
  auto storage = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU));
  std::memcpy(storage->mutable_data(), "abcdefg", 8);
  storage->resize(1024);
  CHECK(std::memcmp(storage->data(), "abcdefg", 8) == 0);
  storage->resize(3);
  CHECK(std::memcmp(storage->data(), "abc", 3) == 0);
  storage->resize(0);
  CHECK(storage->nbytes() == 0);
}

TEST_CASE("ids are never reused") {
  ObjectId last = 0;
  for (int i = 0; i < 10; ++i) {
    const ObjectId id = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU))->id();
    CHECK(id > last);
    last = id;
  }
}
