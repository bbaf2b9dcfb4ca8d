#include <doctest/doctest.h>

#include <cstring>

#include "core/storage_impl.h"
#include "core/tensor.h"

using namespace cutaway;

namespace {

int deleted = 0;

Storage foreign(void* memory, size_t nbytes) {
  return make_intrusive<StorageImpl>(
      nbytes, DataPtr(
                  memory, &deleted, [](void* n) { ++*static_cast<int*>(n); }, Device()));
}

}  // namespace

TEST_CASE("MEM-2 M34 foreign memory calls its deleter once and refuses to resize") {
  float memory[4] = {};
  deleted = 0;
  {
    Storage storage = foreign(memory, sizeof(memory));
    CHECK_THROWS_WITH_AS(storage->resize(64), "Trying to resize storage that is not resizable", Error);
    CHECK(storage->nbytes() == sizeof(memory));
    CHECK_FALSE(storage->resizable());
    Storage second = storage;
    storage.reset();
    CHECK(deleted == 0);
  }
  CHECK(deleted == 1);
}

TEST_CASE("MEM-1a MEM-2 a weak pointer to a storage does not keep its bytes") {
  float memory[4] = {};
  deleted = 0;
  Storage storage = foreign(memory, sizeof(memory));
  weak_intrusive_ptr<StorageImpl> weak(storage);
  storage.reset();
  CHECK(deleted == 1);
  CHECK(weak.weak_use_count() == 1);
  weak.reset();
  CHECK(deleted == 1);
}

TEST_CASE("M34 a storage with an allocator may also be made not to resize") {
  auto fixed = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU), false);
  CHECK_THROWS_WITH_AS(fixed->resize(16), "Trying to resize storage that is not resizable", Error);
  CHECK_THROWS_AS(make_intrusive<StorageImpl>(8, nullptr), Error);
}

TEST_CASE("MEM-3 two storages over one address are no aliases") {
  float memory[4] = {};
  auto tensor = [&] {
    auto impl = make_intrusive<TensorImpl>(foreign(memory, sizeof(memory)), key_set_of_tensor(Device()),
                                           ScalarType::Float);
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
  CHECK(storage->data() == nullptr);
  storage->resize(5);
  CHECK(storage->data() != nullptr);
}

TEST_CASE("a resize that fails leaves the storage as it was") {
  auto storage = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU));
  std::memcpy(storage->mutable_data(), "abcdefg", 8);
  CHECK_THROWS_AS(storage->resize(SIZE_MAX - 1), Error);
  CHECK(storage->nbytes() == 8);
  CHECK(std::memcmp(storage->data(), "abcdefg", 8) == 0);
}

TEST_CASE("EXT-3 a meta storage knows its size and holds nothing") {
  auto storage = make_intrusive<StorageImpl>(size_t{1} << 50, get_allocator(DeviceType::Meta));
  CHECK(storage->nbytes() == size_t{1} << 50);
  CHECK(storage->data() == nullptr);
  storage->resize(size_t{1} << 51);
  CHECK(storage->nbytes() == size_t{1} << 51);
}

TEST_CASE("ids are never reused") {
  ObjectId last = 0;
  for (int i = 0; i < 10; ++i) {
    const ObjectId id = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU))->id();
    CHECK(id > last);
    last = id;
  }
}
