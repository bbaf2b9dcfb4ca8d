// A trace: events in order, the tables they refer to, the bytes that changed, and the world at any moment.
//
// Immutable once built, except through TraceBuilder::append on a trace that is still growing (a live
// connection, or views the user adds to an opened file). Readers on other threads hold a shared_ptr<const Trace>
// and see a fixed prefix.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.h"
#include "trace/world.h"

namespace cutaway::trace {

// One operator call: every event with first < number <= last belongs to it or to a span inside it.
struct OpSpan {
  std::string op;                 // "transpose"
  std::string call;               // "transpose(0, 1)"
  size_t first = 0;               // event number of OpBegin
  size_t last = 0;                // event number of OpEnd; size() when the trace ended inside
  TableIndex parent = kNone;
  int depth = 0;
  TableIndex source = kNone;
};

struct SourceText {
  std::string file;
  int line = 0;
  std::string text;
};

struct WriteRecord {
  ObjectId storage = 0;
  ObjectId tensor = 0;
  uint64_t begin = 0;             // bytes
  uint64_t end = 0;
  uint64_t version_before = 0;
  uint64_t version_after = 0;
  bool bytes_recorded = false;
};

// What is known of a byte of a storage at time t.
enum class ByteState : uint8_t { Known, NotRecorded, Uninitialised };

// Gives bytes of storages that live outside the trace (a tensor file): fills `out` with [begin, begin + out.size()).
using ByteProvider = std::function<void(ObjectId storage, uint64_t begin, std::span<std::byte> out)>;

class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // Number of events.
  size_t size() const;
  // Requires: 1 <= number <= size().
  const Event& event(size_t number) const;

  std::span<const OpSpan> spans() const;
  // Requires: the index is valid for that table. kNone gives an empty value.
  const SourceText& source_line(TableIndex source) const;
  std::string_view text(TableIndex detail) const;      // Error, Mark, TensorNamed
  WriteRecord write(TableIndex detail) const;          // Write

  // A sentence for one event: "storage #3 allocated, 256 bytes, cpu". With `world`, names of tensors are used.
  std::string describe(size_t number, const World* world = nullptr) const;

  // The world after the first t events. Requires: t <= size(). O(keyframe distance) worst case.
  World world_at(size_t t) const;

  // Bytes [begin, begin + out.size()) of a storage at time t, and per byte what is known of them.
  // Requires: the range lies within the storage at t; out.size() == known.size().
  void bytes_at(size_t t, ObjectId storage, uint64_t begin, std::span<std::byte> out,
                std::span<ByteState> known) const;

  // Number of the last event <= t that wrote any byte of [begin, end) of the storage, 0 if none.
  size_t last_write_to(size_t t, ObjectId storage, uint64_t begin, uint64_t end) const;

  // Event numbers that touch an object, ascending.
  std::vector<size_t> events_touching(ObjectId object) const;

  // Marks (the steps of a tour or lesson): event numbers, ascending. text() of their detail is "title\nprose".
  std::span<const size_t> marks() const;

  struct Data;

 private:
  friend class TraceBuilder;
  friend class Replay;
  std::unique_ptr<Data> data_;
};

}  // namespace cutaway::trace
