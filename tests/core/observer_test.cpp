#include "core/observer.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/storage_impl.h"
#include "made_tensor.h"

using namespace cutaway;

namespace {

// Writes down what core tells it.
class Diary : public Observer {
 public:
  Diary() { set_observer(this); }
  ~Diary() override { set_observer(nullptr); }

  void storage_allocated(const StorageFacts& f) override {
    storage = f.storage;
    add("alloc ", f.nbytes, f.allocator, f.initialised ? "given" : "raw",
        f.resizable ? "resizable" : "fixed");
  }
  void storage_freed(ObjectId id) override { add(id == storage ? "free" : "free other"); }
  void storage_resized(ObjectId, uint64_t old, const StorageFacts& now) override {
    add("resize", old, now.nbytes);
  }
  void counts_changed(ObjectId id, uint32_t strong, uint32_t weak) override {
    if (counts) add(id == storage ? "storage" : "tensor", strong, weak);
  }
  void tensor_made(const TensorFacts& f) override {
    add("made", f.sizes.size(), f.storage == storage ? "here" : "there");
  }
  void tensor_changed(const TensorFacts& f) override { add("changed", f.sizes.size(), f.storage_offset); }
  void tensor_released(ObjectId) override { add("released"); }
  void tensor_named(ObjectId, std::string_view name) override { add("named", name); }
  void version_changed(ObjectId, uint64_t old, uint64_t now) override { add("version", old, now); }

  std::vector<std::string> taken() { return std::exchange(lines_, {}); }
  bool counts = false;
  ObjectId storage = 0;

 private:
  template <class... Parts>
  void add(const Parts&... parts) {
    std::ostringstream out;
    const char* separator = "";
    ((out << separator << parts, separator = " "), ...);
    lines_.push_back(out.str());
  }
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a storage tells its allocation, its resizing and its end") {
  Diary diary;
  {
    auto storage = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU));
    storage->resize(20);
    storage->resize(20);
  }
  CHECK(diary.taken() == Lines{"alloc  8 cpu raw resizable", "resize 8 20", "free"});
  int memory = 0;
  { auto given = make_intrusive<StorageImpl>(4, DataPtr(&memory, Device())); }
  CHECK(diary.taken() == Lines{"alloc  4 foreign given fixed", "free"});
}

TEST_CASE(
    "MEM-1a the bytes of a storage are told freed when its last owner goes, not its last weak pointer") {
  Diary diary;
  auto storage = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU));
  weak_intrusive_ptr<StorageImpl> weak(storage);
  diary.taken();
  storage.reset();
  CHECK(diary.taken() == Lines{"free"});
  weak.reset();
  CHECK(diary.taken().empty());
}

TEST_CASE("counts are told with every change, strong and weak") {
  Diary diary;
  auto storage = make_intrusive<StorageImpl>(8, get_allocator(DeviceType::CPU));
  diary.taken();
  diary.counts = true;
  Storage second = storage;
  weak_intrusive_ptr<StorageImpl> weak(storage);
  second.reset();
  { const auto locked = weak.lock(); }
  weak.reset();
  CHECK(diary.taken() ==
        Lines{"storage 2 1", "storage 2 2", "storage 1 2", "storage 2 2", "storage 1 2", "storage 1 1"});
  storage.reset();
  CHECK(diary.taken() == Lines{"storage 0 1", "free"});
}

TEST_CASE("a tensor tells its birth, its changes and its end, and what it is called") {
  Diary diary;
  {
    Tensor t = made_tensor({2, 3});
    CHECK(diary.taken() == Lines{"alloc  24 cpu raw resizable"});
    t.unsafe_impl()->report_made();
    name(t, "x");
    t.unsafe_impl()->set_sizes_and_strides({3}, {2}, 1);
    t.unsafe_impl()->bump_version();
    CHECK(diary.taken() == Lines{"made 2 here", "named x", "changed 1 1", "version 0 1"});
  }
  CHECK(diary.taken() == Lines{"released", "free"});
}

TEST_CASE("set_storage is told as one change, before the old storage goes") {
  Diary diary;
  Tensor t = made_tensor({2, 3}), other = made_tensor({4});
  t.unsafe_impl()->report_made();
  diary.taken();
  t.unsafe_impl()->set_storage(other.storage(), {2}, {2}, 1);
  CHECK(diary.taken() == Lines{"changed 1 1", "free other"});
}

TEST_CASE("a tensor whose birth nobody heard of is not told released") {
  Tensor t = made_tensor({2, 3});
  t.unsafe_impl()->report_made();
  Diary diary;
  t.unsafe_impl()->set_sizes_contiguous({6});
  t.reset();
  CHECK(diary.taken() == Lines{"free other"});
}
