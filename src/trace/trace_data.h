// What a Trace keeps in memory: events, side tables, the slot of every object, keyframes. For src/trace only.
//
// Every storage, tensor and version counter has one Slot in a column, at a position given by its order of birth. An
// event changes at most one slot. The slot as it was before is kept beside the event, so a step back is one store:
//
//   events   e1   e2   e3   ...                 columns at t     chunks of 64 slots, shared between worlds
//   before   s1   s2   s3   ...  (undo)         keyframes        the columns after every 4,096 events
//
// PyTorch: none
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/byte_history.h"
#include "trace/trace.h"

namespace cutaway::trace {

enum class ObjectKind : uint8_t { None, Storage, Tensor, Counter };

struct Slot {
  uint64_t value = 0;             // storage: bytes; counter: version
  uint32_t born = 0;              // event numbers
  uint32_t died = 0;
  uint32_t changed = 0;           // tensor: last change of metadata; storage: last write
  TableIndex detail = kNone;      // tensor: snapshot; storage: StorageRecord
  TableIndex name = kNone;
  TableIndex view = kNone;
  uint32_t strong = 0;
  uint32_t weak = 0;
};
static_assert(sizeof(Slot) == 40);

inline constexpr size_t kChunkSlots = 64;
inline constexpr size_t kKeyframeEvents = 4096;
using Chunk = std::array<Slot, kChunkSlots>;

struct Columns {
  std::vector<std::shared_ptr<Chunk>> chunks;

  const Slot& at(size_t slot) const { return (*chunks[slot / kChunkSlots])[slot % kChunkSlots]; }
  // A slot to write to: its chunk is copied first when another Columns shares it.
  Slot& edit(size_t slot);
};

// A tensor's metadata at one moment.
struct TensorSnapshot {
  ObjectId storage = 0;
  ObjectId version_counter = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t storage_offset = 0;
  ScalarType dtype = ScalarType::Undefined;
  Device device{};
  Layout layout = Layout::Strided;
  uint64_t key_set = 0;
  bool requires_grad = false;
};

struct CallText {
  std::string op;
  std::string call;
};

struct TraceData {
  std::vector<Event> events;
  std::vector<Slot> before;                        // parallel to events
  std::vector<std::vector<uint32_t>> touching;     // event numbers, by slot
  std::vector<OpSpan> spans;
  std::vector<SourceText> sources;
  std::vector<std::string> texts;
  std::vector<StorageRecord> storages;
  std::vector<TensorSnapshot> snapshots;
  std::vector<ViewRecord> views;
  std::vector<WriteRecord> writes;
  std::vector<size_t> marks;
  std::unordered_map<ObjectId, uint32_t> slot_of;
  std::vector<ObjectId> id_of;                     // by slot
  std::vector<ObjectKind> kind_of;                 // by slot
  std::vector<Columns> keyframes;                  // [i]: after i * kKeyframeEvents events
  ByteHistory bytes;

  // Returns: the slot of an object; kNone when it was never seen.
  uint32_t slot(ObjectId id) const;
};

// Changes the one slot that `event`, number `number`, changes. Returns: the slot, or kNone when it changes none.
uint32_t apply(const TraceData& data, Columns& columns, const Event& event, size_t number);

}  // namespace cutaway::trace
