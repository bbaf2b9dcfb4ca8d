// The one door into a TraceData: every event is checked against what came before it, then laid down. For
// src/trace only.
//
// Objects go by slot here, not by id: TraceBuilder finds the slots for a recording, a file names them itself.
// A trace may come from a stranger and panels rely on it, so nothing gets in that contradicts the events
// before: objects are made once, named after they were made, die once; writes lie inside their storage;
// shapes are such that no arithmetic on them overflows; operators nest.
// Throws, all of its functions: ValueError when the event is not possible. The trace is then as it was
// before.
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace_data.h"

namespace cutaway::trace {

inline constexpr size_t kMostDims = 64;                    // NumPy's limit too
inline constexpr uint64_t kMostStorageBytes = 1ull << 48;  // what a process can address
inline constexpr int64_t kMostElements = 1ll << 60;  // so that sums of two and bytes of one stay in 64 bits
inline constexpr size_t kMostNesting = 10'000;       // operators inside each other, on one thread
inline constexpr size_t kMostEvents = 0xfffffff0u;

// What a tensor is made with, or becomes.
struct NewTensor {
  Slot storage = kNone;
  Slot counter = kNone;
  ObjectId new_counter = 0;  // or a version counter seen for the first time, at version `first_version`
  uint64_t first_version = 0;
  IntArrayRef sizes;
  IntArrayRef strides;
  int64_t storage_offset = 0;
  ScalarType dtype = ScalarType::Undefined;
  Device device{};
  Layout layout = Layout::Strided;
  uint64_t key_set = 0;
  bool requires_grad = false;
};

struct NewStorage {
  uint64_t nbytes = 0;
  Device device{};
  TableIndex allocator = kNone;  // text
  bool resizable = false;
  bool initialised = false;
  bool partial = false;
};

struct NewView {
  Slot source = kNone;    // kNone: made before the recording
  TableIndex op = kNone;  // texts
  TableIndex call = kNone;
  TableIndex why = kNone;
  bool copied = false;
};

struct NewWrite {
  Slot tensor = kNone;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t version_before = 0;
  uint64_t version_after = 0;
};

// Bytes that lay in a storage before a write although the trace knew of none, or of others.
struct OldBytes {
  uint64_t begin = 0;
  uint64_t end = 0;
  Contents contents;
};

class Appender {
 public:
  explicit Appender(TraceData& data) : data_(data) {}

  // Of the events that follow.
  void set_thread(uint16_t thread) { thread_ = thread; }
  void set_source(TableIndex source) { source_ = source; }

  TableIndex add_source(TableIndex file, int line, TableIndex text);

  // Its first `known` bytes are `contents`. Contents have the size they say they have: who calls sees to it.
  void storage_allocated(ObjectId id, const NewStorage& storage, uint64_t known = 0,
                         const Contents& contents = {});
  void storage_freed(Slot storage);
  void storage_resized(Slot storage, const NewStorage& now);
  void counts_changed(Slot object, uint32_t strong, uint32_t weak);
  void tensor_made(ObjectId id, const NewTensor& tensor);
  void tensor_changed(Slot tensor, const NewTensor& now);
  void tensor_released(Slot tensor);
  void tensor_named(Slot tensor, TableIndex name);
  void view_made(Slot result, const NewView& view);
  // `contents`: what [begin, end) holds now, empty when it is not recorded.
  void written(Slot storage, const NewWrite& write, const Contents& contents, std::span<const OldBytes> old);
  // A counter whose reports came out of order keeps the higher version: versions never fall.
  void version_changed(Slot counter, uint64_t version);
  void op_begin(TableIndex op, TableIndex call);
  void op_end();
  void error(TableIndex text);
  void mark(TableIndex text);

  // Whether this thread is inside an operator.
  bool inside_operator() const { return thread_ < open_spans_.size() && !open_spans_[thread_].empty(); }
  // The trace ends here: operators that are still open end with it.
  void close_operators();

  uint64_t nbytes_of(Slot storage) const { return data_.objects[storage].number; }
  uint64_t version_of(Slot counter) const;

 private:
  Slot birth(ObjectId id, ObjectKind kind);
  void require_fresh(ObjectId id) const;
  void require(Slot slot, ObjectKind kind, const char* what) const;
  void require_living(Slot slot, ObjectKind kind, const char* what) const;
  void require_text(TableIndex text) const;
  void require_room() const;
  void append(EventKind kind, Slot slot, TableIndex detail, int64_t old_value = 0, int64_t new_value = 0);
  void end(EventKind kind, Slot slot, int64_t old_value);
  TableIndex add_storage(const NewStorage& storage, TableIndex before);
  TableIndex add_tensor(const NewTensor& tensor, uint32_t changed);
  void look_over(Slot storage, Slot tensor);
  const int64_t* keep_dims(IntArrayRef sizes, IntArrayRef strides);
  uint32_t next_number() const { return static_cast<uint32_t>(data_.events.size() + 1); }

  TraceData& data_;
  Columns now_;                                      // after the last event
  std::vector<std::vector<TableIndex>> open_spans_;  // by thread, innermost last
  uint16_t thread_ = 0;
  TableIndex source_ = kNone;
};

}  // namespace cutaway::trace
