#include "core/intrusive_ptr.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace cutaway;

namespace {

struct Probe : intrusive_ptr_target {
  explicit Probe(int* released_count = nullptr, int* destroyed_count = nullptr)
      : released(released_count), destroyed(destroyed_count) {}
  ~Probe() override {
    if (destroyed) ++*destroyed;
  }
  void release_resources() override {
    if (released) ++*released;
  }
  int* released;
  int* destroyed;
};

}  // namespace

TEST_CASE("MEM-1a strong count 0 with a live weak pointer frees the payload, not the object") {
  int released = 0, destroyed = 0;
  auto owner = make_intrusive<Probe>(&released, &destroyed);
  weak_intrusive_ptr<Probe> weak(owner);
  CHECK(owner.use_count() == 1);
  CHECK(owner.weak_use_count() == 2);
  owner.reset();
  CHECK(released == 1);
  CHECK(destroyed == 0);
  CHECK(weak.expired());
  weak.reset();
  CHECK(destroyed == 1);
}

TEST_CASE("MEM-1a without weak pointers the object goes at once and release is not called") {
  int released = 0, destroyed = 0;
  make_intrusive<Probe>(&released, &destroyed).reset();
  CHECK(released == 0);
  CHECK(destroyed == 1);
}

TEST_CASE("MEM-1b lock on an expired weak pointer gives null and never resurrects") {
  auto owner = make_intrusive<Probe>();
  weak_intrusive_ptr<Probe> weak(owner);
  {
    auto second = weak.lock();
    CHECK(second.defined());
    CHECK(owner.use_count() == 2);
  }
  owner.reset();
  CHECK_FALSE(weak.lock().defined());
  CHECK(weak.use_count() == 0);
}

TEST_CASE("MEM-1 counts after copy, move, assignment and release") {
  auto a = make_intrusive<Probe>();
  auto b = a;
  CHECK(a.use_count() == 2);
  auto c = std::move(b);
  CHECK_FALSE(b.defined());
  CHECK(a.use_count() == 2);
  c = a;
  CHECK(a.use_count() == 2);
  a = a;
  CHECK(a.use_count() == 2);
  Probe* raw = c.release();
  CHECK(a.use_count() == 2);
  c = intrusive_ptr<Probe>::reclaim(raw);
  c.reset();
  CHECK(a.use_count() == 1);
}

TEST_CASE("MEM-1 a pointer to an object on the stack is caught") {
  Probe on_stack;
  CHECK_THROWS_WITH_AS(intrusive_ptr<Probe>::share(&on_stack), doctest::Contains("is it on the stack?"), Error);
}

TEST_CASE("MEM-1 copying an object does not copy its counts") {
  auto a = make_intrusive<Probe>();
  auto b = make_intrusive<Probe>(*a);
  CHECK(b.use_count() == 1);
  CHECK(a.use_count() == 1);
}

TEST_CASE("MEM-1c concurrent copies and drops from 8 threads leave exact counts") {
  auto shared = make_intrusive<Probe>();
  weak_intrusive_ptr<Probe> weak(shared);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&shared, &weak] {
      for (int i = 0; i < 10000; ++i) {
        auto copy = shared;
        auto locked = weak.lock();
        weak_intrusive_ptr<Probe> another(copy);
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(shared.use_count() == 1);
  CHECK(shared.weak_use_count() == 2);
}
