// The observer that records: everything the library reports becomes an event of a growing trace.
//
// Recording starts when it is made and ends, with the file complete, when it is destroyed, also by an exception. Objects
// made before are unknown to the trace; events about them are left out. Bytes up to 64 MiB a write are kept, within the
// trace's cap.
// Thread safety: the library may report from any thread; one lock puts the events in order. At most one Recording at a
// time is installed; a second one throws.
//
// PyTorch: none
#pragma once

#include <memory>
#include <string>

#include "trace/trace.h"

namespace cutaway::trace {

struct RecorderOptions {
  bool counts = false;                      // also record every change of a reference count
  uint64_t byte_cap = 256ull << 20;         // the most bytes of contents to keep
};

class Recorder;

class Recording {
 public:
  // In memory only.
  explicit Recording(RecorderOptions options = {});
  // To a file, written in chunks while it grows. Throws: Error when it cannot be created.
  explicit Recording(const std::string& path, RecorderOptions options = {});
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Stops recording and completes the file. Throws: Error when writing fails. The destructor does the same, and prints
  // the failure.
  void stop();

  // The trace so far. Requires: no other thread is reporting meanwhile, or recording has stopped.
  std::shared_ptr<const Trace> trace() const;

 private:
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace cutaway::trace
