// A made-up program for benchmarks, told to an observer event by event: nothing is computed, all is reported.
//
// Ten thousand tensors over as many storages live all the time, and events fall on them at random: the worst
// case for keyframes, where nothing stays the same between two of them.
// Thread safety: one thread for each program; programs with ids of their own may run at once.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/observer.h"

namespace cutaway::bench {

inline constexpr size_t kTensors = 10'000;
inline constexpr size_t kStorageBytes = 1024;

class BusyProgram {
 public:
  // Ids of storage, tensor and counter number i are first + 3 i, + 1 and + 2.
  BusyProgram(uint64_t first_id, size_t tensors, uint64_t seed);

  // Returns: how many events were told.
  size_t make_tensors(Observer& o);
  // Tells at least so many. Returns: how many.
  size_t run(Observer& o, size_t events);

 private:
  TensorFacts facts(size_t i, const int64_t* sizes, const int64_t* strides) const;
  // One in-place operation: six events.
  size_t step(Observer& o);

  uint64_t first_;
  std::mt19937_64 random_;
  std::vector<std::byte> bytes_;
  std::vector<uint64_t> versions_;
};

}  // namespace cutaway::bench
