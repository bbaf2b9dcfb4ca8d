// Puts a trace together, event by event: what the recorder, the file reader and an opened tensor file go through.
//
// Its methods are the observer's. Every event is checked against what came before it (an unknown storage, a range
// outside it, a shape that does not fit): a trace may come from a stranger, and panels rely on it.
// Thread safety: none; the recorder brings its own lock.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/observer.h"
#include "trace/trace.h"

namespace cutaway::trace {

class TraceBuilder {
 public:
  TraceBuilder();
  ~TraceBuilder();

  // The trace so far; it goes on growing with this builder.
  std::shared_ptr<const Trace> trace() const { return trace_; }

  // Which thread and source line the next events belong to.
  void set_thread(uint16_t thread) { thread_ = thread; }
  // Returns: the index of a source line, the same for the same line.
  TableIndex source_index(std::string_view file, int line, std::string_view text);
  // Requires: an index of this builder's, or kNone.
  void set_source(TableIndex source) { source_ = source; }

  // Whether an object of that id was ever made in this trace.
  bool knows(ObjectId id) const;

  // Throws, all of them: ValueError when the event contradicts what came before.
  // `contents`: the bytes a storage starts with, when they are known and recorded.
  void storage_allocated(const StorageFacts& facts, std::span<const std::byte> contents = {});
  void storage_freed(ObjectId storage);
  void storage_resized(ObjectId storage, const StorageFacts& now);
  void counts_changed(ObjectId object, uint32_t strong, uint32_t weak);
  void tensor_made(const TensorFacts& facts);
  void tensor_changed(const TensorFacts& facts);
  void tensor_released(ObjectId tensor);
  void tensor_named(ObjectId tensor, std::string_view name);
  void view_made(const ViewFacts& facts);
  // `bytes`: what [begin, end) holds after the write; empty when it is not recorded.
  void written(const WriteFacts& facts, uint64_t version_before, std::span<const std::byte> bytes);
  void version_changed(ObjectId counter, uint64_t old_version, uint64_t new_version);
  void op_begin(std::string_view op, std::string_view call);
  void op_end();
  void error(std::string_view kind, std::string_view message);
  void mark(std::string_view text);

  // Where the bytes of a storage come from that is not in the trace (a tensor file).
  void set_provider(ObjectId storage, ByteProvider provider);
  void set_byte_cap(uint64_t bytes);

 private:
  TraceData& data();
  uint32_t slot_for(ObjectId id, uint8_t kind);
  // Requires: the object was seen before, as that kind. Throws: ValueError otherwise.
  uint32_t known(ObjectId id, uint8_t kind, const char* what) const;
  Event& append(EventKind kind, ObjectId object, TableIndex detail, int64_t old_value = 0, int64_t new_value = 0);
  void touch(ObjectId id, size_t number);
  TableIndex add_text(std::string_view text);
  TableIndex add_snapshot(const TensorFacts& facts);
  void ensure_counter(const TensorFacts& facts);

  std::shared_ptr<Trace> trace_;
  std::unique_ptr<struct BuilderNow> now_;
  std::unordered_map<std::string, TableIndex> source_index_;
  std::vector<std::vector<TableIndex>> open_spans_;   // by thread, innermost last
  uint16_t thread_ = 0;
  TableIndex source_ = kNone;
};

}  // namespace cutaway::trace
