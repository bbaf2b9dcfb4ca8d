// Puts a trace together, event by event: what the recorder and an opened tensor file go through.
//
// Its methods are the observer's. Every event is checked against what came before it (an unknown storage, a
// range outside it, a shape that does not fit): see appender.h.
// Thread safety: none; the recorder brings its own lock.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/observer.h"
#include "trace/trace.h"

namespace cutaway::trace {

class Appender;

class TraceBuilder {
 public:
  TraceBuilder();
  ~TraceBuilder();
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;

  // The trace so far; it goes on growing with this builder.
  std::shared_ptr<const Trace> trace() const { return trace_; }
  // Whether an event made this object.
  bool knows(ObjectId id) const;

  // Which thread and source line the next events belong to.
  void set_thread(uint16_t thread);
  // Returns: the number of a source line, for set_source.
  TableIndex source_index(std::string_view file, int line, std::string_view text);
  void set_source(TableIndex source);

  // Throws, all of them: ValueError when the event contradicts what came before. The trace is then unchanged.
  // `contents`: the bytes a storage starts with, when they are known and recorded.
  void storage_allocated(const StorageFacts& facts, std::span<const std::byte> contents = {});
  // A storage made before the recording began, of which only is known that it has `nbytes` at least. When it
  // is known already and that is more than before, it is taken to have them.
  void storage_met(ObjectId storage, uint64_t nbytes, Device device);
  void storage_freed(ObjectId storage);
  void storage_resized(ObjectId storage, const StorageFacts& now);
  void counts_changed(ObjectId object, uint32_t strong, uint32_t weak);
  void tensor_made(const TensorFacts& facts);
  void tensor_changed(const TensorFacts& facts);
  void tensor_released(ObjectId tensor);
  void tensor_named(ObjectId tensor, std::string_view name);
  // facts.source 0: a tensor made before the recording. facts.root is worked out.
  void view_made(const ViewFacts& facts);
  // `bytes`: what [begin, end) holds after the write; `old_bytes`: what it held just before. Each empty when
  // it is not recorded. Old bytes that the trace did not know, or knew otherwise, hold from the event before
  // on.
  void written(const WriteFacts& facts, uint64_t version_before, std::span<const std::byte> bytes,
               std::span<const std::byte> old_bytes = {});
  void version_changed(ObjectId counter, uint64_t new_version);
  void op_begin(std::string_view op, std::string_view call);
  void op_end();
  // Whether the thread of set_thread is inside an operator.
  bool inside_operator() const;
  void error(std::string_view kind, std::string_view message);
  void mark(std::string_view text);

  // The trace ends here, at least for now: operators that are still open end with it.
  void finish();
  // Something that the trace does not show although it happened, in one sentence.
  void add_note(std::string_view sentence);

  // Where the bytes of a storage come from that are not in the trace (a tensor file); or of all that have no
  // other.
  // Throws: ValueError for a storage that was never made.
  void set_provider(ObjectId storage, ByteProvider provider);
  void set_provider(ByteProvider provider);
  // The most bytes of contents to keep, 256 MiB at first.
  void set_byte_cap(uint64_t bytes);

 private:
  friend class FileReader;
  TraceData& data() const;

  std::shared_ptr<Trace> trace_;
  std::unique_ptr<Appender> appender_;
  struct SourceIndex;
  std::unique_ptr<SourceIndex> sources_;
};

}  // namespace cutaway::trace
