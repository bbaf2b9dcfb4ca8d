// A trace: events in order, the tables they refer to, the bytes that changed, and the world at any moment.
//
// Grows only through its TraceBuilder (a recording, or views the user adds to an opened file). References and
// texts it gives out stay good while it grows; `spans()` and `marks()` do until the next event is appended.
// Thread safety: reading is safe from any thread while nobody appends; bytes_at and last_write_to also
// meanwhile.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/byte_history.h"
#include "trace/event.h"
#include "trace/world.h"

namespace cutaway::trace {

struct TraceData;

// The texts in the records below are references into the trace, which keeps each of them once, however often
// a program calls one operator. A copy of a record must not outlive its trace.

// One operator call: every event of its thread with first < number <= last belongs to it or to a span inside
// it.
struct OpSpan {
  static constexpr size_t kOpen = ~size_t{0};

  const std::string& op;    // "transpose"
  const std::string& call;  // "transpose(0, 1)"
  size_t first = 0;         // event number of OpBegin
  size_t last = kOpen;      // event number of OpEnd; size() when the trace ended inside, kOpen while it grows
  TableIndex parent = kNone;
  int depth = 0;
  TableIndex source = kNone;
  uint16_t thread = 0;
};

struct SourceText {
  const std::string& file;
  int line = 0;
  const std::string& text;
};

struct StorageRecord {
  uint64_t nbytes = 0;
  Device device{};
  const std::string& allocator;
  bool resizable = false;
  bool initialised = false;
  bool partial = false;  // made before the recording began; it has `nbytes` at least
};

struct ViewRecord {
  ObjectId result = 0;
  ObjectId source = 0;  // 0 for a tensor made before the recording began
  ObjectId root = 0;    // start of the chain of views; 0 for a copy
  const std::string& op;
  const std::string& call;
  bool copied = false;
  const std::string& why;
};

struct WriteRecord {
  ObjectId storage = 0;
  ObjectId tensor = 0;
  uint64_t begin = 0;  // bytes
  uint64_t end = 0;
  uint64_t version_before = 0;
  uint64_t version_after = 0;
  bool bytes_recorded = false;  // all of them
};

class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // Number of events.
  size_t size() const;
  // Throws: IndexError unless 1 <= number <= size().
  const Event& event(size_t number) const;

  std::span<const OpSpan> spans() const;
  // Requires: the index is valid for that table. kNone gives an empty value.
  const SourceText& source_line(TableIndex source) const;
  const std::string& text(TableIndex detail) const;   // Error, Mark, TensorNamed
  const WriteRecord& write(TableIndex detail) const;  // Write

  // A sentence for one event: "storage #3 allocated, 256 bytes, cpu". With `world`, names of tensors are
  // used.
  std::string describe(size_t number, const World* world = nullptr) const;

  // The world after the first t events. Requires: t <= size(). O(keyframe distance) worst case.
  World world_at(size_t t) const;

  // Bytes [begin, begin + out.size()) of a storage at time t, and per byte what is known of them; the others
  // are 0 in `out`. What lies beyond the storage, or in no storage, is not recorded. A freed storage keeps
  // its last contents.
  // Requires: out.size() == known.size(). Throws: what the provider of a file's bytes throws.
  void bytes_at(size_t t, ObjectId storage, uint64_t begin, std::span<std::byte> out,
                std::span<ByteState> known) const;

  // Number of the last event <= t that wrote any byte of [begin, end) of the storage, 0 if none.
  size_t last_write_to(size_t t, ObjectId storage, uint64_t begin, uint64_t end) const;

  // Event numbers that touch an object, ascending: its own, and for a storage those of tensors that come to
  // look at it, for a tensor writes through it and views of it. The first call gathers them for all objects.
  std::vector<size_t> events_touching(ObjectId object) const;

  // Marks (the steps of a tour or lesson): event numbers, ascending. text() of their detail is
  // "title\nprose".
  std::span<const size_t> marks() const;

  // What its storage was when it was made (event StorageAllocated or StorageResized).
  const StorageRecord& storage_record(TableIndex detail) const;
  // How a view came to be (event ViewMade).
  const ViewRecord& view_record(TableIndex detail) const;

  // Bytes of contents that are kept, pages that are equal counted once.
  uint64_t bytes_kept() const;
  // What the trace does not show although it happened, one sentence each: "Left out 3 events about ...".
  std::span<const std::string> notes() const;

 private:
  friend class TraceBuilder;
  friend class Replay;
  friend class TraceWriter;
  friend class FileReader;
  std::shared_ptr<TraceData> data_;
};

}  // namespace cutaway::trace
