// A trace on disk: written in chunks while it grows, checksummed, safe to open from a stranger.
//
// Nothing in a file is used before its checksum, FlatBuffers' verifier and the appender's checks have passed.
// The same events give the same bytes, whatever the clock. A recording that was cut off is whole up to its
// last chunk. trace_format.h draws the frames, trace.fbs what is in them.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "trace/builder.h"
#include "trace/trace.h"

namespace cutaway::trace {

inline constexpr uint32_t kTraceVersion = 1;

// "cannot read 't.trace': at byte 57: what is wrong. What to do."
class TraceFileError : public Error {
 public:
  // `offset`: nothing when the file cannot be opened at all.
  TraceFileError(const char* heading, const std::string& path, std::optional<uint64_t> offset,
                 const std::string& problem, const std::string& advice, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE());

  // The byte the error is about.
  uint64_t offset() const { return offset_; }

 private:
  uint64_t offset_;
};

// Writes a trace in parts, as it grows.
class TraceWriter {
 public:
  // Throws: TraceFileError when the file cannot be created.
  explicit TraceWriter(std::string path);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // Writes every full chunk of events that the trace has beyond those written. With `all`, also the last,
  // short one.
  // Throws: TraceFileError when the disk is full.
  void append(const Trace& trace, bool all = false);
  // Writes all that is left and the end mark, and closes.
  void finish(const Trace& trace);

 private:
  void write_chunk();
  void put(const char* tag, std::span<const uint8_t> payload);
  void write(const void* bytes, size_t n);
  [[noreturn]] void fail(const std::string& what);

  std::string path_;
  std::FILE* file_;
  uint64_t at_ = 0;  // bytes written so far
  std::unique_ptr<class ChunkEncoder> encoder_;
};

// Throws: TraceFileError.
void write_trace(const Trace& trace, const std::string& path);

struct ReadOptions {
  // Take the whole chunks in front of the first broken place instead of refusing the file.
  bool partial = false;
  // Stop after this many events; what follows is not looked at.
  size_t until = SIZE_MAX;
};

struct LoadedTrace {
  std::shared_ptr<TraceBuilder> builder;  // for who wants to append
  std::shared_ptr<const Trace> trace;
  std::vector<std::string>
      problems;          // what is not there and why: with `partial` what is broken, and the notes
  bool cut_off = false;  // with `partial`: the file just ends too early, as that of a killed program
};

// Throws: TraceFileError naming file, byte offset, what was wrong and what to do.
LoadedTrace read_trace(const std::string& path, ReadOptions options = {});
// The same from memory; `name` stands for the path in messages.
LoadedTrace read_trace(std::span<const uint8_t> bytes, const std::string& name, ReadOptions options = {});

// Returns: whether a file that begins with these bytes (8 are enough) says it is a trace.
bool looks_like_trace(std::span<const uint8_t> head);

}  // namespace cutaway::trace
