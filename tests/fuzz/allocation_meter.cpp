#include "tests/fuzz/allocation_meter.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

namespace cutaway::fuzz {

namespace {
int64_t live = 0;
int64_t peak = 0;
int64_t start = 0;
int64_t most = INT64_MAX;

void* counted_or_null(size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (!memory) return nullptr;
  live += static_cast<int64_t>(::malloc_usable_size(memory));
  if (live > peak) peak = live;
  if (live > most) {
    constexpr char kText[] = "over the memory limit\n";
    if (::write(STDERR_FILENO, kText, sizeof(kText) - 1) < 0) std::abort();
    ::_exit(kOverLimitExit);
  }
  return memory;
}

void* counted(size_t size) {
  void* memory = counted_or_null(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void discounted(void* memory) {
  if (!memory) return;
  live -= static_cast<int64_t>(::malloc_usable_size(memory));
  std::free(memory);
}
}  // namespace

void start_meter(uint64_t limit) {
  start = peak = live;
  most = live + static_cast<int64_t>(limit);
}

uint64_t stop_meter() {
  most = INT64_MAX;
  return static_cast<uint64_t>(peak - start);
}

}  // namespace cutaway::fuzz

void* operator new(size_t size) { return cutaway::fuzz::counted(size); }
void* operator new[](size_t size) { return cutaway::fuzz::counted(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return cutaway::fuzz::counted_or_null(size);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return cutaway::fuzz::counted_or_null(size);
}
void operator delete(void* memory) noexcept { cutaway::fuzz::discounted(memory); }
void operator delete[](void* memory) noexcept { cutaway::fuzz::discounted(memory); }
void operator delete(void* memory, size_t) noexcept { cutaway::fuzz::discounted(memory); }
void operator delete[](void* memory, size_t) noexcept { cutaway::fuzz::discounted(memory); }
