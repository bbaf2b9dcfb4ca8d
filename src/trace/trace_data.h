// What a Trace keeps in memory: events, side tables, the columns at every 4,096th event. For src/trace only.
//
// Every storage, tensor and version counter has a slot, a small number in order of first appearance. Birth
// and death of an object are constants beside it; all else that changes lies in the columns. An event changes
// at most one cell of them, and `old_value` tells what was there, so a step back is one store:
//
//   events     e1   e2   e3  ...             each with its slot, old and new value
//   keyframes  after 0, 4,096, 8,192, ...    Columns, sharing the chunks that did not change in between
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/byte_history.h"
#include "trace/columns.h"
#include "trace/table.h"
#include "trace/text_pool.h"
#include "trace/trace.h"

namespace cutaway::trace {

enum class ObjectKind : uint8_t { Storage, Tensor, Counter };

inline constexpr size_t kKeyframeEvents = 4096;

// Names an object by its place in TraceData::objects; kNone for none.
using Slot = uint32_t;

struct ObjectRow {
  ObjectId id = 0;
  // Counter: its version when it was first seen; versions never fall. For the appender alone, after the last
  // event: storage: its bytes; tensor: the slot of its storage.
  uint64_t number = 0;
  uint32_t born = 0;  // event numbers
  uint32_t died = 0;  // 0 while it lives
  ObjectKind kind = ObjectKind::Storage;
};

struct StorageRow {
  StorageRecord record;
  TableIndex before = kNone;  // the row that this one replaced, when it was resized
  uint64_t known = 0;         // how many of its first bytes came with the event that made it
};

struct WriteRow {
  WriteRecord record;
  bool with_bytes = false;  // whether the event brought its bytes, kept or not
};

// A tensor's metadata at one moment.
struct TensorRow {
  const int64_t* dims = nullptr;  // `rank` sizes, then `rank` strides
  uint64_t needs = 0;             // bytes that its storage must have
  int64_t storage_offset = 0;
  uint64_t key_set = 0;
  Slot storage = kNone;
  Slot counter = kNone;
  uint32_t changed = 0;  // event number, 0 when the tensor was made so
  uint8_t rank = 0;
  ScalarType dtype = ScalarType::Undefined;
  Device device{};
  Layout layout = Layout::Strided;
  bool requires_grad = false;

  IntArrayRef sizes() const { return {dims, rank}; }
  IntArrayRef strides() const { return {dims + rank, rank}; }
};

// The old bytes of a write that turned out to be others than the trace knew: somebody changed them unseen.
struct SeenRun {
  TableIndex write = kNone;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Slots by id. A recording numbers its objects one after the other, so most ids are places in a vector; a
// stranger's may be any numbers.
class SlotMap {
 public:
  // Returns: kNone for an id that was never added.
  Slot find(ObjectId id) const {
    if (id < dense_.size()) return dense_[id];
    if (sparse_.empty()) return kNone;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? kNone : found->second;
  }
  // Requires: the id is not there yet; slots are added in order.
  void add(ObjectId id, Slot slot);

 private:
  std::vector<Slot> dense_;
  std::unordered_map<ObjectId, Slot> sparse_;
};

// Numbers of the events that touch each object, gathered when somebody first asks.
class TouchIndex {
 public:
  std::vector<size_t> of(const TraceData& data, Slot slot);

 private:
  void gather(const TraceData& data);

  std::mutex mutex_;
  size_t gathered_ = 0;          // events that are in the two below; the few after them are looked through
  std::vector<uint32_t> first_;  // by slot: where its numbers begin in numbers_
  std::vector<uint32_t> numbers_;
};

struct TraceData {
  Table<Event> events;
  Table<Slot> slots;  // of Event::object, one for each event
  std::vector<OpSpan> spans;
  std::vector<size_t> marks;
  TextPool texts;
  Table<SourceText> sources;
  Table<StorageRow> storages;
  Table<TensorRow> tensors;
  Table<ViewRecord> views;
  Table<WriteRow> writes;
  Table<SeenRun> seen;                    // ascending by write
  std::deque<std::vector<int64_t>> dims;  // blocks that TensorRow::dims points into
  Table<ObjectRow> objects;               // by slot
  std::vector<std::vector<Slot>>
      tensors_over;  // by slot of a storage: all that ever looked at it, oldest first
  SlotMap slot_of;
  std::vector<Columns> keyframes;  // [i]: after i * kKeyframeEvents events
  ByteHistory bytes;
  std::vector<std::string> notes;
  mutable TouchIndex touching;

  // Returns: the slot of an object; kNone when it was never seen.
  Slot slot(ObjectId id) const { return slot_of.find(id); }
  // Returns: the same, kNone also when it is of another kind or not born by time t.
  Slot slot_at(ObjectId id, ObjectKind kind, size_t t) const;
  bool alive_at(Slot slot, size_t t) const { return objects[slot].died == 0 || objects[slot].died > t; }
};

// Changes the one cell that event `number` changes, forward or back.
void apply(const TraceData& data, Columns& columns, size_t number);
void undo(const TraceData& data, Columns& columns, size_t number);

}  // namespace cutaway::trace
