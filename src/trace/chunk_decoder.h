// Turns the chunks of a file into events of a trace, each checked before it is believed. For src/trace only.
//
// Requires: chunks have passed FlatBuffers' verifier. That says where vectors lie, not that their numbers
// make sense; here every index is compared with what there is, and the appender holds each event against
// those before it.
// Throws, both: ValueError saying what is wrong.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/appender.h"
#include "trace/trace_format.h"

namespace cutaway::trace {

class ChunkDecoder {
 public:
  ChunkDecoder(TraceData& data, Appender& appender) : data_(data), appender_(appender) {}

  void add_page(std::span<const std::byte> bytes);
  // Appends the events of the chunk, until the trace has `until` of them.
  void add_chunk(const fb::Chunk& chunk, size_t until);
  // How many events of the present chunk have been appended.
  size_t events_done() const { return events_done_; }

 private:
  class Rows;

  void bring(const fb::Chunk& chunk);
  void add(const fb::Event& event, Rows& rows);
  void add_other(const fb::Event& event);
  TableIndex text(uint64_t number) const;
  // The id of an object that this event makes. Throws: ValueError unless it is the next one.
  ObjectId id_of_new(Slot slot, size_t ahead) const;

  NewStorage storage_of(const fb::Storage& row) const;
  NewTensor tensor_of(const fb::Tensor& row, Rows& rows) const;
  void add_storage(const fb::Event& event, Rows& rows);
  void add_tensor(const fb::Event& event, Rows& rows);
  void add_view(const fb::Event& event, Rows& rows);
  void add_write(const fb::Event& event, Rows& rows);
  // Takes the pieces of [begin, end) of a storage off the rows; `into` keeps them alive.
  Contents take_pieces(uint64_t begin, uint64_t end, Rows& rows, std::vector<PagePiece>& into) const;

  TraceData& data_;
  Appender& appender_;
  size_t events_done_ = 0;
  // By number in the file.
  std::vector<ObjectId> ids_;
  std::vector<TableIndex> texts_;
  std::vector<TableIndex> sources_;
  std::vector<uint32_t> pages_;
};

}  // namespace cutaway::trace
