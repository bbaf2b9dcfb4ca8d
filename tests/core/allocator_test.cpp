#include "core/allocator.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "core/cpu_allocator.h"
#include "core/error.h"

using namespace cutaway;

TEST_CASE("a block is aligned to 64 bytes and size classes are powers of two") {
  for (size_t nbytes : {1ul, 63ul, 64ul, 65ul, 4096ul, 65536ul, 100000ul}) {
    DataPtr block = cpu_allocator()->allocate(nbytes);
    CHECK(reinterpret_cast<uintptr_t>(block.get()) % kCpuAlignment == 0);
  }
  CHECK(size_class_of(1) == 0);
  CHECK(size_class_of(64) == 0);
  CHECK(size_class_of(65) == 1);
  CHECK(size_class_of(kLargestCached) == kSizeClasses - 1);
}

TEST_CASE("no bytes need no memory") { CHECK(cpu_allocator()->allocate(0).get() == nullptr); }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a small block that comes back serves the next call without the system allocator") {
  empty_cpu_cache();
  cpu_allocator()->allocate(256);
  const auto before = cpu_allocator_statistics();
  for (int i = 0; i < 100; ++i) cpu_allocator()->allocate(200);
  const auto after = cpu_allocator_statistics();
  CHECK(after.system_allocations == before.system_allocations);
  CHECK(after.cache_hits == before.cache_hits + 100);
  CHECK(after.live_blocks == before.live_blocks);
}

TEST_CASE("the cache is bounded") {
  empty_cpu_cache();
  {
    std::vector<DataPtr> many;
    for (size_t i = 0; i < 4 * kMostPerClass; ++i) many.push_back(cpu_allocator()->allocate(kLargestCached));
  }
  CHECK(cpu_allocator_statistics().cached_bytes == kMostPerClass * kLargestCached);
  empty_cpu_cache();
  CHECK(cpu_allocator_statistics().cached_bytes == 0);
}
#endif

TEST_CASE("live bytes are exact when threads allocate at once") {
  const auto before = cpu_allocator_statistics();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 2000; ++i) cpu_allocator()->allocate(static_cast<size_t>(1 + i % 5000));
    });
  for (auto& thread : threads) thread.join();
  CHECK(cpu_allocator_statistics().live_bytes == before.live_bytes);
  CHECK(cpu_allocator_statistics().live_blocks == before.live_blocks);
}

TEST_CASE("a DataPtr calls its deleter once, wherever it was moved") {
  int calls = 0;
  {
    DataPtr first(&calls, &calls, [](void* context) { ++*static_cast<int*>(context); }, Device());
    DataPtr second(std::move(first));
    DataPtr third;
    third = std::move(second);
    CHECK(calls == 0);
  }
  CHECK(calls == 1);
}

TEST_CASE("a device without an allocator is an error that names it") {
  CHECK_THROWS_WITH_AS(get_allocator(DeviceType::PrivateUse1), "Allocator for privateuseone is not set.", Error);
}
