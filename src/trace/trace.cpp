#include "trace/trace.h"

#include "core/error.h"
#include "trace/replay.h"
#include "trace/trace_data.h"

namespace cutaway::trace {
namespace {

const std::string kNoText;

}  // namespace

Trace::Trace() : data_(std::make_shared<TraceData>()) { data_->keyframes.emplace_back(); }
Trace::~Trace() = default;

size_t Trace::size() const { return data_->events.size(); }

const Event& Trace::event(size_t number) const {
  CUTAWAY_CHECK_INDEX(1 <= number && number <= size(), "there is no event ", number, "; the trace has ",
                      size());
  return data_->events[number - 1];
}

std::span<const OpSpan> Trace::spans() const { return data_->spans; }

const SourceText& Trace::source_line(TableIndex source) const {
  static const SourceText kNowhere{kNoText, 0, kNoText};
  return source == kNone ? kNowhere : data_->sources[source];
}

const std::string& Trace::text(TableIndex detail) const {
  return detail == kNone ? kNoText : data_->texts[detail];
}

const WriteRecord& Trace::write(TableIndex detail) const {
  static const WriteRecord kNothing;
  return detail == kNone ? kNothing : data_->writes[detail].record;
}

const StorageRecord& Trace::storage_record(TableIndex detail) const { return data_->storages[detail].record; }
const ViewRecord& Trace::view_record(TableIndex detail) const { return data_->views[detail]; }

World Trace::world_at(size_t t) const {
  Replay replay(*this);
  replay.seek(t);
  return replay.world();
}

void Trace::bytes_at(size_t t, ObjectId storage, uint64_t begin, std::span<std::byte> out,
                     std::span<ByteState> known) const {
  CUTAWAY_INTERNAL_ASSERT(out.size() == known.size(), "bytes_at: one state for each byte");
  data_->bytes.read(data_->bytes.storage_of(storage), t, begin, out, known);
}

size_t Trace::last_write_to(size_t t, ObjectId storage, uint64_t begin, uint64_t end) const {
  return data_->bytes.last_write(data_->bytes.storage_of(storage), t, begin, end);
}

std::vector<size_t> Trace::events_touching(ObjectId object) const {
  const Slot slot = data_->slot(object);
  return slot == kNone ? std::vector<size_t>() : data_->touching.of(*data_, slot);
}

std::span<const size_t> Trace::marks() const { return data_->marks; }
uint64_t Trace::bytes_kept() const { return data_->bytes.bytes_kept(); }
std::span<const std::string> Trace::notes() const { return data_->notes; }

}  // namespace cutaway::trace
