// Counts what operator new hands out, so that the memory one file costs can be measured and limited, under
// sanitizers too (whose own memory would drown it).
//
// Invariants: linking allocation_meter.cpp replaces the global operator new and delete of a program.
// Thread safety: one thread; meant for mutate_files.
//
// PyTorch: none
#pragma once

#include <cstdint>

namespace cutaway::fuzz {

// Begins a measurement. A program that then holds more than `limit` bytes above what it holds now ends at
// once with kOverLimitExit.
void start_meter(uint64_t limit);

// Returns: the most that was held at once since start_meter, in bytes above what was held then.
uint64_t stop_meter();

inline constexpr int kOverLimitExit = 86;

}  // namespace cutaway::fuzz
