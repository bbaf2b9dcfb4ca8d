// CPU memory, 64-byte aligned, with a cache of small blocks.
//
// A small tensor must not pay the system allocator for every call, so blocks up to kLargestCached bytes are
// rounded up to a size class (a power of two) and kept in a free list when they come back. Larger blocks go
// to the system and back at once. Each class keeps at most kMostPerClass blocks, so the cache never holds
// more than about 4 MiB.
//
//   class     0    1    2    3        9         10
//   bytes    64  128  256  512 ... 32 Ki      64 Ki
//
// Under AddressSanitizer the cache is off: a block that is never given back hides every use after free.
// Thread safety: every method may be called from any thread. Each class has a lock of its own, held for a few
// instructions and never while the system is asked.
//
// PyTorch: c10/core/CPUAllocator.cpp; the size classes: c10/cuda/CUDACachingAllocator.cpp
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/allocator.h"

namespace cutaway {

inline constexpr size_t kCpuAlignment = 64;
inline constexpr size_t kLargestCached = 64 * 1024;
inline constexpr int kSizeClasses = 11;
inline constexpr size_t kMostPerClass = 32;

// Returns: the class of a block of nbytes. Requires: 1 <= nbytes <= kLargestCached.
int size_class_of(size_t nbytes);

// Counts over all classes; exact when no other thread allocates meanwhile.
struct CpuAllocatorStatistics {
  uint64_t live_bytes = 0;  // asked for and not yet given back
  uint64_t live_blocks = 0;
  uint64_t cached_bytes = 0;  // given back and kept
  uint64_t system_allocations = 0;
  uint64_t cache_hits = 0;
};

Allocator* cpu_allocator();
CpuAllocatorStatistics cpu_allocator_statistics();
// Gives every cached block back to the system.
void empty_cpu_cache();

}  // namespace cutaway
