// A trace on disk: a header, then chunks that are each complete and checksummed, then an end mark.
//
//   +---------------------------+  8 bytes  "CUTAWAY\x1a"
//   | magic, version            |  4 bytes  version, 4 bytes zero
//   +---------------------------+
//   | tag, crc32, length        |  4 + 4 + 8 bytes, little-endian
//   |   FlatBuffers Chunk       |  up to 65,536 events with all they refer to
//   +---------------------------+
//   | ... more chunks           |
//   +---------------------------+
//   | end tag, crc32, 8         |  number of events: without it the recording was cut off
//   +---------------------------+
//
// Safe to open from a stranger: nothing is used before its checksum, FlatBuffers' verifier and the builder's checks have
// passed. The same events give the same bytes.
//
// PyTorch: none
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trace/builder.h"
#include "trace/trace.h"

namespace cutaway::trace {

inline constexpr uint32_t kTraceVersion = 1;
inline constexpr size_t kEventsPerChunk = 65536;

// Writes a trace in parts, as it grows.
class TraceWriter {
 public:
  // Throws: Error when the file cannot be created.
  explicit TraceWriter(std::string path);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // Appends the events the trace has beyond those written so far. Throws: Error when the disk is full.
  void append(const Trace& trace);
  // Writes the end mark and closes.
  void finish(const Trace& trace);

 private:
  void write_chunk(const Trace& trace, size_t first, size_t last);
  void put(const char* tag, std::span<const uint8_t> payload);
  void write(const void* bytes, size_t n);

  std::string path_;
  std::FILE* file_;
  size_t written_ = 0;
};

void write_trace(const Trace& trace, const std::string& path);

struct ReadOptions {
  // Take the whole chunks in front of the first broken place instead of refusing the file.
  bool partial = false;
};

struct LoadedTrace {
  std::shared_ptr<TraceBuilder> builder;   // for who wants to append
  std::shared_ptr<const Trace> trace;
  std::vector<std::string> problems;       // with `partial`: what was left out, and why
};

// Throws: Error naming file, byte offset, what was wrong and what to do.
LoadedTrace read_trace(const std::string& path, ReadOptions options = {});
// The same from memory; `name` stands for the path in messages.
LoadedTrace read_trace(std::span<const uint8_t> bytes, const std::string& name, ReadOptions options = {});

}  // namespace cutaway::trace
