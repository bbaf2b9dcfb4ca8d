#include "trace/chunk_decoder.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>

#include "core/error.h"

namespace cutaway::trace {
namespace {

// Returns: where the rows of a vector begin, null when there are none. FlatBuffers' verifier sees to it that
// they lie inside the chunk, but a vector of structs may begin where such a struct must not.
template <class Row, class Vector>
const Row* rows_of(const Vector* rows, const char* what) {
  if (!rows || rows->size() == 0) return nullptr;
  CUTAWAY_CHECK_VALUE(reinterpret_cast<uintptr_t>(rows->Data()) % alignof(Row) == 0, "its ", what,
                      " are not aligned");
  return reinterpret_cast<const Row*>(rows->Data());
}

// The rows of one vector of a chunk, taken one after the other.
template <class Row>
class Taken {
 public:
  template <class Vector>
  Taken(const Vector* rows, const char* what)
      : rows_(rows_of<Row>(rows, what)), size_(rows ? rows->size() : 0), what_(what) {}

  // Returns: the next `n` rows. Throws: ValueError when there are fewer.
  const Row* take(uint64_t n) {
    CUTAWAY_CHECK_VALUE(n <= size_ - at_, "the chunk has ", size_, " ", what_, ", its events need more");
    const Row* first = rows_ + at_;
    at_ += n;
    return first;
  }
  const Row& next() { return *take(1); }

  void check_empty() const {
    CUTAWAY_CHECK_VALUE(at_ == size_, "the chunk has ", size_, " ", what_, ", its events need only ", at_);
  }

 private:
  const Row* rows_;
  uint64_t size_;
  uint64_t at_ = 0;
  const char* what_;
};

Device device_of(uint8_t type, int8_t index) {
  CUTAWAY_CHECK_VALUE(type < kDeviceTypes, "unknown device ", int{type});
  return Device(static_cast<DeviceType>(type), index);
}

ScalarType dtype_of(int8_t number) {
  const auto dtype = static_cast<ScalarType>(number);
  CUTAWAY_CHECK_VALUE(dtype == ScalarType::Undefined || element_size(dtype) != 0, "unknown dtype ",
                      int{number});
  return dtype;
}

}  // namespace

class ChunkDecoder::Rows {
 public:
  explicit Rows(const fb::Chunk& c)
      : calls(c.calls(), "calls"),
        storages(c.storages(), "storages"),
        tensors(c.tensors(), "tensors"),
        views(c.views(), "views"),
        writes(c.writes(), "writes"),
        seen(c.seen(), "runs of old bytes"),
        dims(c.dims(), "sizes and strides"),
        pieces(c.pieces(), "pieces"),
        bytes(c.bytes(), "bytes") {}

  void check_empty() const {
    calls.check_empty();
    storages.check_empty();
    tensors.check_empty();
    views.check_empty();
    writes.check_empty();
    seen.check_empty();
    dims.check_empty();
    pieces.check_empty();
    bytes.check_empty();
  }

  Taken<fb::Call> calls;
  Taken<fb::Storage> storages;
  Taken<fb::Tensor> tensors;
  Taken<fb::View> views;
  Taken<fb::Write> writes;
  Taken<fb::Seen> seen;
  Taken<int64_t> dims;
  Taken<uint32_t> pieces;
  Taken<uint8_t> bytes;
};

void ChunkDecoder::add_page(std::span<const std::byte> bytes) {
  const auto page = data_.bytes.add_page(bytes);
  CUTAWAY_INTERNAL_ASSERT(page.has_value(), "a reader keeps all pages");
  pages_.push_back(*page);
}

TableIndex ChunkDecoder::text(uint64_t number) const {
  CUTAWAY_CHECK_VALUE(number < texts_.size(), "it refers to text ", number, ", which is not there");
  return texts_[number];
}

// Takes over what the chunk adds to the numbered things of the file.
void ChunkDecoder::bring(const fb::Chunk& chunk) {
  if (const uint64_t* ids = rows_of<uint64_t>(chunk.objects(), "objects"))
    ids_.insert(ids_.end(), ids, ids + chunk.objects()->size());
  Taken<char> chars(chunk.text(), "characters");
  const auto* sizes = chunk.text_sizes();
  if (rows_of<uint32_t>(sizes, "sizes of texts"))
    for (const uint32_t size : *sizes) texts_.push_back(data_.texts.add({chars.take(size), size}));
  chars.check_empty();
  if (const auto* sources = chunk.sources(); rows_of<fb::Source>(sources, "source lines"))
    for (const auto* s : *sources)
      sources_.push_back(appender_.add_source(text(s->file()), s->line(), text(s->text())));
}

void ChunkDecoder::add_chunk(const fb::Chunk& chunk, size_t until) {
  events_done_ = 0;
  bring(chunk);
  Rows rows(chunk);
  rows_of<fb::Event>(chunk.events(), "events");
  for (const auto* event : *chunk.events()) {
    if (data_.events.size() == until) return;
    CUTAWAY_CHECK_VALUE(event->source() == kNone || event->source() < sources_.size(),
                        "it refers to source line ", event->source(), ", which is not there");
    appender_.set_source(event->source() == kNone ? kNone : sources_[event->source()]);
    appender_.set_thread(event->thread());
    add(*event, rows);
    ++events_done_;
  }
  rows.check_empty();
  CUTAWAY_CHECK_VALUE(ids_.size() == data_.objects.size(), "the chunk names ", ids_.size(),
                      " objects, its events make ", data_.objects.size());
}

void ChunkDecoder::add(const fb::Event& e, Rows& rows) {
  CUTAWAY_CHECK_VALUE(e.kind() < kEventKinds, "it is of the unknown kind ", int{e.kind()});
  switch (static_cast<EventKind>(e.kind())) {
    case EventKind::StorageAllocated:
    case EventKind::StorageResized: return add_storage(e, rows);
    case EventKind::TensorMade:
    case EventKind::TensorChanged: return add_tensor(e, rows);
    case EventKind::ViewMade: return add_view(e, rows);
    case EventKind::Write: return add_write(e, rows);
    case EventKind::OpBegin: {
      const fb::Call& call = rows.calls.next();
      return appender_.op_begin(text(call.op()), text(call.call()));
    }
    default: return add_other(e);
  }
}

// The kinds that need no rows.
void ChunkDecoder::add_other(const fb::Event& e) {
  switch (static_cast<EventKind>(e.kind())) {
    case EventKind::StorageFreed: return appender_.storage_freed(e.object());
    case EventKind::CountsChanged:
      return appender_.counts_changed(e.object(), count_strong(static_cast<int64_t>(e.value())),
                                      count_weak(static_cast<int64_t>(e.value())));
    case EventKind::TensorReleased: return appender_.tensor_released(e.object());
    case EventKind::TensorNamed: return appender_.tensor_named(e.object(), text(e.value()));
    case EventKind::VersionChanged: return appender_.version_changed(e.object(), e.value());
    case EventKind::OpEnd: return appender_.op_end();
    case EventKind::Error: return appender_.error(text(e.value()));
    case EventKind::Mark: return appender_.mark(text(e.value()));
    default: CUTAWAY_INTERNAL_ASSERT(false, "a kind with rows");
  }
}

ObjectId ChunkDecoder::id_of_new(Slot slot, size_t ahead) const {
  CUTAWAY_CHECK_VALUE(slot == data_.objects.size() + ahead && slot < ids_.size(), "it makes object number ",
                      slot, " where number ", data_.objects.size() + ahead, " is next");
  return ids_[slot];
}

Contents ChunkDecoder::take_pieces(uint64_t begin, uint64_t end, Rows& rows,
                                   std::vector<PagePiece>& into) const {
  if (begin >= end) return {};
  const uint64_t first = begin / kPageBytes, last = (end - 1) / kPageBytes;
  const uint32_t* numbers = rows.pieces.take(last - first + 1);
  into.clear();
  for (uint64_t page = first; page <= last; ++page) {
    const uint64_t size = std::min(end, (page + 1) * kPageBytes) - std::max(begin, page * kPageBytes);
    const uint32_t number = numbers[page - first];
    PagePiece piece;
    if (number == static_cast<uint32_t>(fb::Piece::Inline)) {
      piece.content = Content::Piece;
      piece.bytes = std::as_bytes(std::span(rows.bytes.take(size), size));
    } else if (number != static_cast<uint32_t>(fb::Piece::NotRecorded)) {
      CUTAWAY_CHECK_VALUE(number < pages_.size() && size == kPageBytes, "it refers to page ", number,
                          ", which is not there or does not fit");
      piece.content = Content::Page;
      piece.page = pages_[number];
    }
    into.push_back(piece);
  }
  return {{}, into};
}

NewStorage ChunkDecoder::storage_of(const fb::Storage& s) const {
  return {s.nbytes(),          device_of(s.device(), s.device_index()),
          text(s.allocator()), s.resizable(),
          s.initialised(),     s.partial()};
}

void ChunkDecoder::add_storage(const fb::Event& e, Rows& rows) {
  const fb::Storage& s = rows.storages.next();
  if (static_cast<EventKind>(e.kind()) == EventKind::StorageResized) {
    CUTAWAY_CHECK_VALUE(s.known() == 0, "a resized storage brings no bytes");
    return appender_.storage_resized(e.object(), storage_of(s));
  }
  std::vector<PagePiece> pieces;
  const Contents contents = take_pieces(0, s.known(), rows, pieces);
  appender_.storage_allocated(id_of_new(e.object(), 0), storage_of(s), s.known(), contents);
}

NewTensor ChunkDecoder::tensor_of(const fb::Tensor& row, Rows& rows) const {
  NewTensor t;
  t.storage = row.storage();
  t.counter = row.counter();
  if (t.counter != kNone && t.counter >= data_.objects.size()) {
    t.new_counter = id_of_new(t.counter, 0);
    t.first_version = row.first_version();
    t.counter = kNone;
  }
  const int64_t* dims = rows.dims.take(2 * uint64_t{row.rank()});
  t.sizes = {dims, row.rank()};
  t.strides = {dims + row.rank(), row.rank()};
  t.storage_offset = row.storage_offset();
  t.dtype = dtype_of(row.dtype());
  t.device = device_of(row.device(), row.device_index());
  CUTAWAY_CHECK_VALUE(row.layout() <= static_cast<uint8_t>(Layout::Sparse), "unknown layout ",
                      int{row.layout()});
  t.layout = static_cast<Layout>(row.layout());
  t.key_set = row.key_set();
  t.requires_grad = row.requires_grad();
  return t;
}

void ChunkDecoder::add_tensor(const fb::Event& e, Rows& rows) {
  const NewTensor tensor = tensor_of(rows.tensors.next(), rows);
  if (static_cast<EventKind>(e.kind()) == EventKind::TensorChanged)
    return appender_.tensor_changed(e.object(), tensor);
  appender_.tensor_made(id_of_new(e.object(), tensor.new_counter ? 1 : 0), tensor);
}

void ChunkDecoder::add_view(const fb::Event& e, Rows& rows) {
  const fb::View& v = rows.views.next();
  appender_.view_made(e.object(), {v.source(), text(v.op()), text(v.call()), text(v.why()), v.copied()});
}

void ChunkDecoder::add_write(const fb::Event& e, Rows& rows) {
  const fb::Write& w = rows.writes.next();
  const NewWrite write{w.tensor(), w.begin(), w.end(), w.version_before(), w.version_after()};
  std::vector<OldBytes> old;
  std::vector<std::vector<PagePiece>> old_pieces;
  for (uint32_t i = 0; i < w.seen(); ++i) {
    const fb::Seen& run = rows.seen.next();
    old_pieces.emplace_back();
    old.push_back({run.begin(), run.end(), take_pieces(run.begin(), run.end(), rows, old_pieces.back())});
  }
  std::vector<PagePiece> pieces;
  const Contents now = w.recorded() ? take_pieces(w.begin(), w.end(), rows, pieces) : Contents();
  appender_.written(e.object(), write, now, old);
}

}  // namespace cutaway::trace
