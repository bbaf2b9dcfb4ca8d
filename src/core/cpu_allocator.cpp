// A block's life: asked for, it is taken from the free list of its class or made by the system; given back,
// it goes onto that list or, when the list is full or the block is large, to the system. The header in front
// of the data remembers the class, so the deleter needs no table; in a free list it holds the link to the
// next block.

#include "core/cpu_allocator.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "core/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define CUTAWAY_CACHE_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUTAWAY_CACHE_BLOCKS 0
#endif
#endif
#ifndef CUTAWAY_CACHE_BLOCKS
#define CUTAWAY_CACHE_BLOCKS 1
#endif

namespace cutaway {
namespace {

// What stands in front of every block, a whole alignment unit:
//
//   | Header (64 bytes) | data ...
//   ^ system pointer    ^ what the tensor sees
struct alignas(kCpuAlignment) Header {
  size_t nbytes;  // asked for
  int size_class;
  Header* next_free;
};
static_assert(sizeof(Header) == kCpuAlignment);

// Blocks that are never cached form a class of their own, which only counts.
constexpr int kUncached = kSizeClasses;

// The free blocks of one size, last in first out: the block given back last is the one still in the
// processor's cache.
class alignas(kCpuAlignment) SizeClass {
 public:
  // Returns: a cached block, or null when the system has to make one; either way it counts as live.
  Header* take(size_t nbytes) {
    std::lock_guard lock(mutex_);
    ++live_blocks_;
    live_bytes_ += nbytes;
    if (!free_) {
      ++system_allocations_;
      return nullptr;
    }
    ++cache_hits_;
    --cached_;
    return std::exchange(free_, free_->next_free);
  }

  // Takes back the counts of a block that the system did not have after all.
  void forget(size_t nbytes) {
    std::lock_guard lock(mutex_);
    --live_blocks_;
    live_bytes_ -= nbytes;
    --system_allocations_;
  }

  // Returns: whether the block was kept; else the caller gives it to the system.
  bool give(Header* header, bool keep) {
    std::lock_guard lock(mutex_);
    --live_blocks_;
    live_bytes_ -= header->nbytes;
    if (!keep || cached_ == kMostPerClass) return false;
    header->next_free = std::exchange(free_, header);
    ++cached_;
    return true;
  }

  // Returns: the free blocks, no longer ours.
  Header* empty() {
    std::lock_guard lock(mutex_);
    cached_ = 0;
    return std::exchange(free_, nullptr);
  }

  void add_to(CpuAllocatorStatistics& sum, size_t block_bytes) {
    std::lock_guard lock(mutex_);
    sum.live_bytes += live_bytes_;
    sum.live_blocks += live_blocks_;
    sum.cached_bytes += cached_ * block_bytes;
    sum.system_allocations += system_allocations_;
    sum.cache_hits += cache_hits_;
  }

 private:
  std::mutex mutex_;  // guards everything below
  Header* free_ = nullptr;
  size_t cached_ = 0;
  uint64_t live_bytes_ = 0;
  uint64_t live_blocks_ = 0;
  uint64_t system_allocations_ = 0;
  uint64_t cache_hits_ = 0;
};

class CachingCpuAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    if (nbytes == 0) return DataPtr(nullptr, Device(DeviceType::CPU));
    const int size_class = nbytes <= kLargestCached ? size_class_of(nbytes) : kUncached;
    Header* header = classes_[size_class].take(nbytes);
    if (!header) header = from_system(nbytes, size_class);
    header->nbytes = nbytes;
    return DataPtr(header + 1, header, &release, Device(DeviceType::CPU));
  }

  const char* name() const override { return "cpu"; }

  CpuAllocatorStatistics statistics() {
    CpuAllocatorStatistics sum;
    for (int c = 0; c <= kUncached; ++c) classes_[c].add_to(sum, kCpuAlignment << c);
    return sum;
  }

  void empty_cache() {
    for (SizeClass& size_class : classes_)
      for (Header* header = size_class.empty(); header;) std::free(std::exchange(header, header->next_free));
  }

  // Never destroyed: tensors with static storage may outlive any static allocator.
  static CachingCpuAllocator& instance() {
    static auto* allocator = new CachingCpuAllocator;
    return *allocator;
  }

 private:
  Header* from_system(size_t nbytes, int size_class) {
    const size_t units = (nbytes - 1) / kCpuAlignment + 1;
    const size_t capacity = size_class == kUncached ? units * kCpuAlignment : kCpuAlignment << size_class;
    // The rounding up must not wrap, and no machine has half of the address space.
    void* memory =
        nbytes < SIZE_MAX / 2 ? std::aligned_alloc(kCpuAlignment, sizeof(Header) + capacity) : nullptr;
    if (!memory) classes_[size_class].forget(nbytes);
    CUTAWAY_CHECK(memory != nullptr, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
                  nbytes, " bytes. Error code 12 (Cannot allocate memory)");
    return new (memory) Header{nbytes, size_class, nullptr};
  }

  static void release(void* context) {
    auto* header = static_cast<Header*>(context);
    const bool keep = CUTAWAY_CACHE_BLOCKS && header->size_class != kUncached;
    if (!instance().classes_[header->size_class].give(header, keep)) std::free(header);
  }

  std::array<SizeClass, kSizeClasses + 1> classes_;
};

}  // namespace

int size_class_of(size_t nbytes) {
  if (nbytes <= kCpuAlignment) return 0;
  return static_cast<int>(std::bit_width((nbytes - 1) / kCpuAlignment));
}

Allocator* cpu_allocator() { return &CachingCpuAllocator::instance(); }
CpuAllocatorStatistics cpu_allocator_statistics() { return CachingCpuAllocator::instance().statistics(); }
void empty_cpu_cache() { CachingCpuAllocator::instance().empty_cache(); }

}  // namespace cutaway
