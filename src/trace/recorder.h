// The observer that records: everything the library reports becomes an event of a growing trace.
//
//   {
//     Recording recording("t.trace");
//     ...                                   // what happens here is in the trace
//   }                                       // the file is complete
//
// Recording ends when it is stopped or destroyed, also by an exception; a program that is killed leaves a
// file that is whole up to its last chunk. What was made before it began is unknown to it: storages appear
// when they are first used, with the size that shows; events about older tensors are left out, and counted in
// the trace's notes. Watching never throws into the program that is watched: when a file cannot be written,
// or a limit is reached, the recording ends there and says so.
// Bytes are read from the memory a tensor writes to, before (up to 4 KiB) and after, within the cap. Two
// threads that write to one storage at the same time, in turns of elements, are read while they write.
// Thread safety: the library may report from any thread; one lock puts the events in order. One Recording at
// a time.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "trace/trace.h"

namespace cutaway::trace {

struct RecorderOptions {
  bool counts = false;                // also record every change of a reference count
  uint64_t byte_cap = 256ull << 20;   // the most bytes of contents to keep
  uint64_t most_events = 20'000'000;  // the recording ends there
};

class Recorder;

class Recording {
 public:
  // In memory only. Throws, both: Error when another recording is running.
  explicit Recording(RecorderOptions options = {});
  // To a file, written in chunks while it grows. Throws: TraceFileError when it cannot be created.
  explicit Recording(const std::string& path, RecorderOptions options = {});
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Stops recording and completes the file. Throws: Error when the recording is not complete, because of the
  // file or a limit. The destructor does the same, and warns instead. Calling it again does nothing.
  void stop();

  // The trace so far. Requires: no other thread is reporting meanwhile, or recording has stopped.
  std::shared_ptr<const Trace> trace() const { return trace_; }

 private:
  Recorder* recorder_;  // lives for ever
  std::shared_ptr<const Trace> trace_;
};

}  // namespace cutaway::trace
