#include "trace/chunk_encoder.h"

namespace cutaway::trace {

uint32_t ChunkEncoder::text_of(const std::string& text) {
  // Texts live in the trace's pool, each once, so their address names them.
  const auto [found, fresh] = text_index_.try_emplace(&text, static_cast<uint32_t>(text_index_.size()));
  if (fresh) {
    text_sizes_.push_back(static_cast<uint32_t>(text.size()));
    chars_.insert(chars_.end(), text.begin(), text.end());
  }
  return found->second;
}

uint32_t ChunkEncoder::source_of(const TraceData& data, TableIndex source) {
  if (source == kNone) return kNone;
  const auto [found, fresh] = source_index_.try_emplace(source, static_cast<uint32_t>(source_index_.size()));
  if (fresh) {
    const SourceText& s = data.sources[source];
    sources_.emplace_back(text_of(s.file), text_of(s.text), s.line);
  }
  return found->second;
}

void ChunkEncoder::bring_objects(const TraceData& data, size_t number) {
  for (; objects_done_ < data.objects.size() && data.objects[objects_done_].born <= number; ++objects_done_)
    objects_.push_back(data.objects[objects_done_].id);
}

void ChunkEncoder::add(const TraceData& data, size_t number) {
  const Event& event = data.events[number - 1];
  bring_objects(data, number);
  const uint32_t source = source_of(data, event.source);
  const uint64_t value = add_row(data, event, number);
  events_.emplace_back(value, data.slots[number - 1], source, event.thread, static_cast<uint8_t>(event.kind));
}

// Lays down what belongs to the event. Returns: its `value`.
uint64_t ChunkEncoder::add_row(const TraceData& data, const Event& event, size_t number) {
  switch (event.kind) {
    case EventKind::StorageAllocated:
    case EventKind::StorageResized: add_storage(data, event, number); return 0;
    case EventKind::TensorMade:
    case EventKind::TensorChanged: add_tensor(data, data.tensors[event.detail]); return 0;
    case EventKind::ViewMade: add_view(data, data.views[event.detail]); return 0;
    case EventKind::Write: add_write(data, event, number); return 0;
    case EventKind::OpBegin: {
      const OpSpan& span = data.spans[event.detail];
      const uint32_t op = text_of(span.op);
      calls_.emplace_back(op, text_of(span.call));
      return 0;
    }
    case EventKind::TensorNamed:
    case EventKind::Error:
    case EventKind::Mark: return text_of(data.texts[event.detail]);
    case EventKind::CountsChanged:
    case EventKind::VersionChanged: return static_cast<uint64_t>(event.new_value);
    case EventKind::StorageFreed:
    case EventKind::TensorReleased:
    case EventKind::OpEnd: return 0;
  }
  return 0;
}

void ChunkEncoder::add_pieces(const std::vector<PagePiece>& changes) {
  for (const PagePiece& change : changes) {
    if (change.content == Content::Page) {
      const auto [found, fresh] =
          page_index_.try_emplace(change.page, static_cast<uint32_t>(page_index_.size()));
      if (fresh) new_pages_.push_back(change.bytes);
      pieces_.push_back(found->second);
    } else if (change.content == Content::Piece) {
      const auto* from = reinterpret_cast<const uint8_t*>(change.bytes.data());
      pieces_.push_back(static_cast<uint32_t>(fb::Piece::Inline));
      bytes_.insert(bytes_.end(), from, from + change.bytes.size());
    } else {
      pieces_.push_back(static_cast<uint32_t>(fb::Piece::NotRecorded));
    }
  }
}

void ChunkEncoder::add_storage(const TraceData& data, const Event& event, size_t number) {
  const StorageRow& row = data.storages[event.detail];
  const StorageRecord& s = row.record;
  add_pieces(data.bytes.changes(data.slots[number - 1], number, Cause::Birth, 0, row.known));
  storages_.emplace_back(s.nbytes, row.known, text_of(s.allocator), static_cast<uint8_t>(s.device.type),
                         s.device.index, s.resizable, s.initialised, s.partial);
}

void ChunkEncoder::add_tensor(const TraceData& data, const TensorRow& row) {
  dims_.insert(dims_.end(), row.dims, row.dims + 2 * size_t{row.rank});
  const uint64_t first_version = row.counter == kNone ? 0 : data.objects[row.counter].number;
  tensors_.emplace_back(row.key_set, row.storage_offset, first_version, row.storage, row.counter, row.rank,
                        static_cast<int8_t>(row.dtype), static_cast<uint8_t>(row.device.type),
                        row.device.index, static_cast<uint8_t>(row.layout), row.requires_grad);
}

void ChunkEncoder::add_view(const TraceData& data, const ViewRecord& view) {
  const uint32_t op = text_of(view.op), call = text_of(view.call), why = text_of(view.why);
  views_.emplace_back(data.slot(view.source), op, call, why, view.copied);
}

void ChunkEncoder::add_write(const TraceData& data, const Event& event, size_t number) {
  const WriteRow& row = data.writes[event.detail];
  const WriteRecord& w = row.record;
  uint32_t seen = 0;
  for (; seen_done_ < data.seen.size() && data.seen[seen_done_].write == event.detail; ++seen_done_, ++seen) {
    const SeenRun& run = data.seen[seen_done_];
    seen_.emplace_back(run.begin, run.end);
    add_pieces(data.bytes.changes(data.slots[number - 1], number - 1, Cause::Seen, run.begin, run.end));
  }
  if (row.with_bytes)
    add_pieces(data.bytes.changes(data.slots[number - 1], number, Cause::Write, w.begin, w.end));
  writes_.emplace_back(w.begin, w.end, w.version_before, w.version_after, data.slot(w.tensor), seen,
                       row.with_bytes);
}

flatbuffers::DetachedBuffer ChunkEncoder::finish() {
  flatbuffers::FlatBufferBuilder out;
  const auto events = out.CreateVectorOfStructs(events_);
  const auto objects = out.CreateVector(objects_);
  const auto text_sizes = out.CreateVector(text_sizes_);
  const auto text = out.CreateVector(chars_);
  const auto sources = out.CreateVectorOfStructs(sources_);
  const auto calls = out.CreateVectorOfStructs(calls_);
  const auto storages = out.CreateVectorOfStructs(storages_);
  const auto tensors = out.CreateVectorOfStructs(tensors_);
  const auto dims = out.CreateVector(dims_);
  const auto views = out.CreateVectorOfStructs(views_);
  const auto writes = out.CreateVectorOfStructs(writes_);
  const auto seen = out.CreateVectorOfStructs(seen_);
  const auto pieces = out.CreateVector(pieces_);
  const auto bytes = out.CreateVector(bytes_);
  out.Finish(fb::CreateChunk(out, first_, events, objects, text_sizes, text, sources, calls, storages,
                             tensors, dims, views, writes, seen, pieces, bytes));
  clear();
  return out.Release();
}

void ChunkEncoder::clear() {
  first_ += events_.size();
  events_.clear();
  objects_.clear();
  text_sizes_.clear();
  chars_.clear();
  sources_.clear();
  calls_.clear();
  storages_.clear();
  tensors_.clear();
  dims_.clear();
  views_.clear();
  writes_.clear();
  seen_.clear();
  pieces_.clear();
  bytes_.clear();
  new_pages_.clear();
}

}  // namespace cutaway::trace
