#include "core/cpu_allocator.h"

#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

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

// What stands in front of every block, so that the deleter needs no table. It fills a whole alignment unit:
//
//   | Header (64 bytes) | data ...
//   ^ system pointer    ^ what the tensor sees
struct alignas(kCpuAlignment) Header {
  size_t nbytes;     // asked for
  size_t capacity;   // there, without the header
  int size_class;    // -1 for large blocks
};
static_assert(sizeof(Header) == kCpuAlignment);

class CachingCpuAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    if (nbytes == 0) return DataPtr(nullptr, Device(DeviceType::CPU));
    const int size_class = nbytes <= kLargestCached ? size_class_of(nbytes) : -1;
    Header* header = size_class >= 0 ? take_cached(size_class) : nullptr;
    if (!header) header = from_system(nbytes, size_class);
    header->nbytes = nbytes;
    count(header, +1);
    return DataPtr(header + 1, header, &release, Device(DeviceType::CPU));
  }

  const char* name() const override { return "cpu"; }

  CpuAllocatorStatistics statistics() {
    std::lock_guard lock(mutex_);
    return statistics_;
  }

  void empty_cache() {
    std::lock_guard lock(mutex_);
    for (auto& list : free_) {
      for (Header* header : list) std::free(header);
      list.clear();
    }
    statistics_.cached_bytes = 0;
  }

  // Never destroyed: tensors with static storage may outlive any static allocator.
  static CachingCpuAllocator& instance() {
    static auto* allocator = new CachingCpuAllocator;
    return *allocator;
  }

 private:
  CachingCpuAllocator() {
    for (auto& list : free_) list.reserve(kMostPerClass);
  }

  Header* take_cached(int size_class) {
    std::lock_guard lock(mutex_);
    auto& list = free_[size_class];
    if (list.empty()) return nullptr;
    Header* header = list.back();
    list.pop_back();
    statistics_.cached_bytes -= header->capacity;
    ++statistics_.cache_hits;
    return header;
  }

  Header* from_system(size_t nbytes, int size_class) {
    const size_t units = (nbytes + kCpuAlignment - 1) / kCpuAlignment;
    const size_t capacity = size_class >= 0 ? kCpuAlignment << size_class : units * kCpuAlignment;
    CUTAWAY_CHECK(nbytes < SIZE_MAX / 2, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", nbytes,
                  " bytes.");
    void* memory = std::aligned_alloc(kCpuAlignment, sizeof(Header) + capacity);
    CUTAWAY_CHECK(memory != nullptr, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", nbytes,
                  " bytes.");
    std::lock_guard lock(mutex_);
    ++statistics_.system_allocations;
    return new (memory) Header{nbytes, capacity, size_class};
  }

  void count(const Header* header, int sign) {
    std::lock_guard lock(mutex_);
    statistics_.live_blocks += sign;
    statistics_.live_bytes += sign * static_cast<int64_t>(header->nbytes);
  }

  static void release(void* context) { instance().give_back(static_cast<Header*>(context)); }

  void give_back(Header* header) {
    count(header, -1);
    if (CUTAWAY_CACHE_BLOCKS && header->size_class >= 0) {
      std::lock_guard lock(mutex_);
      auto& list = free_[header->size_class];
      if (list.size() < kMostPerClass) {
        list.push_back(header);
        statistics_.cached_bytes += header->capacity;
        return;
      }
    }
    std::free(header);
  }

  std::mutex mutex_;
  std::vector<Header*> free_[kSizeClasses];  // guarded by mutex_
  CpuAllocatorStatistics statistics_;        // guarded by mutex_
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
