#include "core/allocator.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "core/cpu_allocator.h"
#include "core/error.h"

using namespace cutaway;

namespace {

// Allocates, fills, checks and frees at random; a block that somebody else also holds shows as a changed
// byte.
void churn(unsigned seed, int steps) {
  struct Held {
    DataPtr block;
    size_t nbytes;
    unsigned char mark;
  };
  std::mt19937 random(seed);
  std::deque<Held> held;
  const auto drop_oldest = [&] {
    const Held& oldest = held.front();
    const auto* bytes = static_cast<const unsigned char*>(oldest.block.get());
    for (size_t i = 0; i < oldest.nbytes; i += 61) REQUIRE(bytes[i] == oldest.mark);
    held.pop_front();
  };
  for (int step = 0; step < steps; ++step) {
    const size_t nbytes = 1 + (random() % 4 ? random() % 300 : random() % (2 * kLargestCached));
    Held fresh{cpu_allocator()->allocate(nbytes), nbytes, static_cast<unsigned char>(random())};
    std::memset(fresh.block.get(), fresh.mark, nbytes);
    held.push_back(std::move(fresh));
    if (held.size() > 20) drop_oldest();
  }
  while (!held.empty()) drop_oldest();
}

}  // namespace

TEST_CASE("a block is aligned to 64 bytes and size classes are powers of two") {
  for (size_t nbytes : {1ul, 63ul, 64ul, 65ul, 4096ul, 65536ul, 65537ul, 100000ul}) {
    DataPtr block = cpu_allocator()->allocate(nbytes);
    CHECK(reinterpret_cast<uintptr_t>(block.get()) % kCpuAlignment == 0);
    CHECK(block.device() == Device(DeviceType::CPU));
  }
  for (size_t nbytes = 1; nbytes <= kLargestCached; ++nbytes) {
    const int c = size_class_of(nbytes);
    REQUIRE(nbytes <= kCpuAlignment << c);
    REQUIRE((c == 0 || nbytes > kCpuAlignment << (c - 1)));
  }
  CHECK(size_class_of(kLargestCached) == kSizeClasses - 1);
}

TEST_CASE("no bytes need no memory") { CHECK(cpu_allocator()->allocate(0).get() == nullptr); }

TEST_CASE("what the machine cannot give is an error and not counted") {
  const auto before = cpu_allocator_statistics();
  CHECK_THROWS_WITH_AS(
      cpu_allocator()->allocate(SIZE_MAX - 1),
      "DefaultCPUAllocator: can't allocate memory: you tried to allocate 18446744073709551614 bytes. "
      "Error code 12 (Cannot allocate memory)",
      Error);
  const auto after = cpu_allocator_statistics();
  CHECK(after.live_bytes == before.live_bytes);
  CHECK(after.live_blocks == before.live_blocks);
  CHECK(after.system_allocations == before.system_allocations);
}

#if !defined(__SANITIZE_ADDRESS__)
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
  { DataPtr large = cpu_allocator()->allocate(kLargestCached + 1); }
  CHECK(cpu_allocator_statistics().cached_bytes == kMostPerClass * kLargestCached);
  empty_cpu_cache();
  CHECK(cpu_allocator_statistics().cached_bytes == 0);
}
#endif

TEST_CASE("no two live blocks share a byte") {
  const unsigned seed = std::random_device{}();
  INFO("seed ", seed);
  churn(seed, 3000);
}

TEST_CASE("blocks are apart and counts exact when threads allocate at once") {
  const auto before = cpu_allocator_statistics();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) threads.emplace_back(churn, t, 1000);
  for (auto& thread : threads) thread.join();
  CHECK(cpu_allocator_statistics().live_bytes == before.live_bytes);
  CHECK(cpu_allocator_statistics().live_blocks == before.live_blocks);
}

TEST_CASE("a block may be given back on another thread than the one that asked") {
  const auto before = cpu_allocator_statistics();
  DataPtr block = cpu_allocator()->allocate(100);
  std::thread([moved = std::move(block)] {}).join();
  CHECK(cpu_allocator_statistics().live_blocks == before.live_blocks);
}

TEST_CASE("MEM-2 a DataPtr calls its deleter once with its context, wherever it was moved") {
  int calls = 0;
  const DeleterFn count = [](void* context) { ++*static_cast<int*>(context); };
  {
    DataPtr first(&calls, &calls, count, Device());
    DataPtr second(std::move(first));
    DataPtr third;
    third = std::move(second);
    CHECK(calls == 0);
    auto& same = third;
    third = std::move(same);
    CHECK(calls == 0);
    CHECK(third.get() == &calls);
  }
  CHECK(calls == 1);
  DataPtr over_written(&calls, &calls, count, Device());
  over_written = DataPtr();
  CHECK(calls == 2);
  over_written.clear();
  CHECK(calls == 2);
}

TEST_CASE("EXT-1 a device without an allocator is an error that names it; one can be registered") {
  CHECK_THROWS_WITH_AS(get_allocator(DeviceType::PrivateUse1), "Allocator for privateuseone is not set.",
                       Error);
  set_allocator(DeviceType::PrivateUse1, cpu_allocator());
  CHECK(get_allocator(DeviceType::PrivateUse1) == cpu_allocator());
  set_allocator(DeviceType::PrivateUse1, nullptr);
  CHECK_THROWS_AS(get_allocator(DeviceType::PrivateUse1), Error);
}

TEST_CASE("EXT-3 the meta allocator hands out no memory for any size") {
  const DataPtr block = get_allocator(DeviceType::Meta)->allocate(size_t{1} << 50);
  CHECK(block.get() == nullptr);
  CHECK(block.device().is_meta());
}
