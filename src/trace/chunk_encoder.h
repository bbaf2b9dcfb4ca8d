// Turns events of a trace into chunks for a file, one after the other. For src/trace only.
//
// It remembers what earlier chunks have brought: texts, source lines, pages and objects are written once.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/trace_data.h"
#include "trace/trace_format.h"

namespace cutaway::trace {

class ChunkEncoder {
 public:
  // Takes in the next event. Requires: events come in order, without a gap.
  void add(const TraceData& data, size_t number);
  // Whether it is time to finish the chunk.
  bool full() const {
    return events_.size() >= kEventsPerChunk ||
           bytes_.size() + chars_.size() + 4 * pieces_.size() >= kChunkBytesWanted;
  }
  bool empty() const { return events_.empty(); }
  size_t next_event() const { return first_ + events_.size(); }

  // Pages that this chunk refers to and no earlier one did: they go into the file before it. They live in the
  // trace.
  const std::vector<std::span<const std::byte>>& pages() const { return new_pages_; }
  // The chunk of the events taken in; a new one begins.
  flatbuffers::DetachedBuffer finish();

 private:
  uint32_t text_of(const std::string& text);
  uint32_t source_of(const TraceData& data, TableIndex source);
  void bring_objects(const TraceData& data, size_t number);
  uint64_t add_row(const TraceData& data, const Event& event, size_t number);
  void add_storage(const TraceData& data, const Event& event, size_t number);
  void add_tensor(const TraceData& data, const TensorRow& row);
  void add_view(const TraceData& data, const ViewRecord& view);
  void add_write(const TraceData& data, const Event& event, size_t number);
  void add_pieces(const std::vector<PagePiece>& changes);
  void clear();

  size_t first_ = 1;
  // Brought by earlier chunks, or this one.
  std::unordered_map<const std::string*, uint32_t> text_index_;
  std::unordered_map<TableIndex, uint32_t> source_index_;
  std::unordered_map<uint32_t, uint32_t> page_index_;
  size_t objects_done_ = 0;
  size_t seen_done_ = 0;
  // Of this chunk.
  std::vector<fb::Event> events_;
  std::vector<uint64_t> objects_;
  std::vector<uint32_t> text_sizes_;
  std::vector<uint8_t> chars_;
  std::vector<fb::Source> sources_;
  std::vector<fb::Call> calls_;
  std::vector<fb::Storage> storages_;
  std::vector<fb::Tensor> tensors_;
  std::vector<int64_t> dims_;
  std::vector<fb::View> views_;
  std::vector<fb::Write> writes_;
  std::vector<fb::Seen> seen_;
  std::vector<uint32_t> pieces_;
  std::vector<uint8_t> bytes_;
  std::vector<std::span<const std::byte>> new_pages_;
};

}  // namespace cutaway::trace
