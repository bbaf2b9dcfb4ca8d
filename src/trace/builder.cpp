#include "trace/builder.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "core/geometry/bounds.h"
#include "trace/trace_data.h"

namespace cutaway::trace {

// The columns after the last event.
struct BuilderNow {
  Columns columns;
};

namespace {

constexpr auto kStorage = static_cast<uint8_t>(ObjectKind::Storage);
constexpr auto kTensor = static_cast<uint8_t>(ObjectKind::Tensor);
constexpr auto kCounter = static_cast<uint8_t>(ObjectKind::Counter);
constexpr size_t kMostDims = 64;
constexpr uint64_t kMostBytes = 1ull << 60;

template <class Row>
TableIndex push(std::vector<Row>& table, Row row) {
  CUTAWAY_CHECK_VALUE(table.size() < kNone, "trace: a table is full");
  table.push_back(std::move(row));
  return static_cast<TableIndex>(table.size() - 1);
}

StorageRecord record_of(const StorageFacts& f) {
  CUTAWAY_CHECK_VALUE(f.nbytes <= kMostBytes, "trace: storage #", f.storage, " claims ", f.nbytes, " bytes");
  return {f.nbytes, f.device, std::string(f.allocator), f.resizable, f.initialised};
}

}  // namespace

TraceBuilder::TraceBuilder() : trace_(std::make_shared<Trace>()), now_(std::make_unique<BuilderNow>()) {}
TraceBuilder::~TraceBuilder() = default;

TraceData& TraceBuilder::data() { return *trace_->data_; }

uint32_t TraceBuilder::slot_for(ObjectId id, uint8_t kind) {
  TraceData& d = data();
  CUTAWAY_CHECK_VALUE(id != 0, "trace: an object without an id");
  const auto [found, fresh] = d.slot_of.try_emplace(id, static_cast<uint32_t>(d.id_of.size()));
  if (fresh) {
    d.id_of.push_back(id);
    d.kind_of.push_back(static_cast<ObjectKind>(kind));
    d.touching.emplace_back();
    now_->columns.edit(found->second);
  }
  CUTAWAY_CHECK_VALUE(d.kind_of[found->second] == static_cast<ObjectKind>(kind), "trace: object #", id,
                      " is of another kind than before");
  return found->second;
}

uint32_t TraceBuilder::known(ObjectId id, uint8_t kind, const char* what) const {
  const TraceData& d = *trace_->data_;
  const uint32_t slot = d.slot(id);
  CUTAWAY_CHECK_VALUE(slot != kNone && d.kind_of[slot] == static_cast<ObjectKind>(kind), "trace: an event names ", what,
                      " #", id, ", which was never made");
  return slot;
}

void TraceBuilder::touch(ObjectId id, size_t number) {
  const uint32_t slot = id ? data().slot(id) : kNone;
  if (slot == kNone) return;
  auto& numbers = data().touching[slot];
  if (numbers.empty() || numbers.back() != number) numbers.push_back(static_cast<uint32_t>(number));
}

Event& TraceBuilder::append(EventKind kind, ObjectId object, TableIndex detail, int64_t old_value, int64_t new_value) {
  TraceData& d = data();
  CUTAWAY_CHECK_VALUE(d.events.size() < UINT32_MAX - 1, "trace: too many events");
  Event event;
  event.kind = kind;
  event.thread = thread_;
  event.source = source_;
  event.detail = detail;
  event.object = object;
  event.old_value = old_value;
  event.new_value = new_value;
  if (open_spans_.size() <= thread_) open_spans_.resize(thread_ + 1);
  if (!open_spans_[thread_].empty()) event.span = open_spans_[thread_].back();
  const size_t number = d.events.size() + 1;
  const uint32_t slot = object ? d.slot(object) : kNone;
  d.before.push_back(slot == kNone ? Slot{} : now_->columns.at(slot));
  d.events.push_back(event);
  apply(d, now_->columns, event, number);
  touch(object, number);
  if (number % kKeyframeEvents == 0) d.keyframes.push_back(now_->columns);
  return d.events.back();
}

TableIndex TraceBuilder::add_text(std::string_view text) { return push(data().texts, std::string(text)); }

bool TraceBuilder::knows(ObjectId id) const { return trace_->data_->slot(id) != kNone; }

TableIndex TraceBuilder::source_index(std::string_view file, int line, std::string_view text) {
  const std::string key = std::string(file) + ':' + std::to_string(line) + ':' + std::string(text);
  const auto [found, fresh] = source_index_.try_emplace(key, static_cast<TableIndex>(data().sources.size()));
  if (fresh) push(data().sources, SourceText{std::string(file), line, std::string(text)});
  return found->second;
}

void TraceBuilder::storage_allocated(const StorageFacts& facts, std::span<const std::byte> contents) {
  CUTAWAY_CHECK_VALUE(data().slot(facts.storage) == kNone, "trace: storage #", facts.storage, " is allocated twice");
  CUTAWAY_CHECK_VALUE(contents.size() <= facts.nbytes, "trace: more bytes than storage #", facts.storage, " has");
  const TableIndex record = push(data().storages, record_of(facts));
  slot_for(facts.storage, kStorage);
  append(EventKind::StorageAllocated, facts.storage, record, 0, static_cast<int64_t>(facts.nbytes));
  const ByteState rest = facts.initialised ? ByteState::NotRecorded : ByteState::Uninitialised;
  if (facts.initialised && facts.allocator == "file") return;  // its provider answers
  data().bytes.add(facts.storage, trace_->size(), 0, contents.size(), contents, ByteState::Known,
                   ByteHistory::Cause::Birth);
  data().bytes.add(facts.storage, trace_->size(), contents.size(), facts.nbytes, {}, rest, ByteHistory::Cause::Birth);
}

void TraceBuilder::storage_freed(ObjectId storage) {
  known(storage, kStorage, "storage");
  append(EventKind::StorageFreed, storage, kNone);
}

void TraceBuilder::storage_resized(ObjectId storage, const StorageFacts& now) {
  const uint32_t slot = known(storage, kStorage, "storage");
  const uint64_t before = now_->columns.at(slot).value;
  const TableIndex record = push(data().storages, record_of(now));
  append(EventKind::StorageResized, storage, record, static_cast<int64_t>(before), static_cast<int64_t>(now.nbytes));
  if (now.nbytes > before)
    data().bytes.add(storage, trace_->size(), before, now.nbytes, {}, ByteState::Uninitialised,
                     ByteHistory::Cause::Birth);
}

void TraceBuilder::counts_changed(ObjectId object, uint32_t strong, uint32_t weak) {
  CUTAWAY_CHECK_VALUE(data().slot(object) != kNone, "trace: counts of object #", object, ", which was never made");
  append(EventKind::CountsChanged, object, kNone, 0,
         static_cast<int64_t>(static_cast<uint64_t>(strong) << 32 | weak));
}

TableIndex TraceBuilder::add_snapshot(const TensorFacts& f) {
  CUTAWAY_CHECK_VALUE(f.sizes.size() == f.strides.size() && f.sizes.size() <= kMostDims, "trace: tensor #", f.tensor,
                      " has ", f.sizes.size(), " sizes and ", f.strides.size(), " strides");
  for (int64_t size : f.sizes) CUTAWAY_CHECK_VALUE(size >= 0, "trace: tensor #", f.tensor, " has a negative size");
  for (int64_t stride : f.strides)
    CUTAWAY_CHECK_VALUE(stride >= 0, "trace: tensor #", f.tensor, " has a negative stride");
  CUTAWAY_CHECK_VALUE(f.storage_offset >= 0, "trace: tensor #", f.tensor, " has a negative offset");
  if (f.storage) {
    const uint32_t slot = known(f.storage, kStorage, "storage");
    const uint64_t needed = required_nbytes(f.sizes, f.strides, f.storage_offset, element_size(f.dtype));
    CUTAWAY_CHECK_VALUE(needed <= now_->columns.at(slot).value, "trace: tensor #", f.tensor, " reaches byte ", needed,
                        " of storage #", f.storage, ", which has ", now_->columns.at(slot).value);
  }
  return push(data().snapshots,
              TensorSnapshot{f.storage, f.version_counter, f.sizes.vec(), f.strides.vec(), f.storage_offset, f.dtype,
                             f.device, f.layout, f.key_set, f.requires_grad});
}

// A counter has no birth of its own: the first tensor that carries it brings its value.
void TraceBuilder::ensure_counter(const TensorFacts& facts) {
  if (!facts.version_counter || data().slot(facts.version_counter) != kNone) return;
  slot_for(facts.version_counter, kCounter);
  append(EventKind::VersionChanged, facts.version_counter, kNone, 0, static_cast<int64_t>(facts.version));
}

void TraceBuilder::tensor_made(const TensorFacts& facts) {
  CUTAWAY_CHECK_VALUE(data().slot(facts.tensor) == kNone, "trace: tensor #", facts.tensor, " is made twice");
  const TableIndex snapshot = add_snapshot(facts);
  if (facts.version_counter && facts.version != 0) ensure_counter(facts);
  if (facts.version_counter) slot_for(facts.version_counter, kCounter);
  slot_for(facts.tensor, kTensor);
  append(EventKind::TensorMade, facts.tensor, snapshot);
  touch(facts.storage, trace_->size());
}

void TraceBuilder::tensor_changed(const TensorFacts& facts) {
  const uint32_t slot = known(facts.tensor, kTensor, "tensor");
  const TableIndex before = now_->columns.at(slot).detail;
  append(EventKind::TensorChanged, facts.tensor, add_snapshot(facts), before);
}

void TraceBuilder::tensor_released(ObjectId tensor) {
  known(tensor, kTensor, "tensor");
  append(EventKind::TensorReleased, tensor, kNone);
}

void TraceBuilder::tensor_named(ObjectId tensor, std::string_view name) {
  known(tensor, kTensor, "tensor");
  append(EventKind::TensorNamed, tensor, add_text(name));
}

void TraceBuilder::view_made(const ViewFacts& f) {
  known(f.result, kTensor, "tensor");
  const uint32_t source = known(f.source, kTensor, "tensor");
  ViewRecord view{f.result, f.source, 0, std::string(f.op), std::string(f.call), f.copied, std::string(f.why)};
  if (!f.copied) {
    const TableIndex above = now_->columns.at(source).view;
    const ObjectId root = above == kNone ? 0 : data().views[above].root;
    view.root = root ? root : f.source;
  }
  append(EventKind::ViewMade, f.result, push(data().views, std::move(view)));
  touch(f.source, trace_->size());
}

void TraceBuilder::written(const WriteFacts& f, uint64_t version_before, std::span<const std::byte> bytes) {
  const uint32_t slot = known(f.storage, kStorage, "storage");
  CUTAWAY_CHECK_VALUE(f.begin <= f.end && f.end <= now_->columns.at(slot).value, "trace: a write to bytes ", f.begin,
                      " to ", f.end, " of storage #", f.storage, ", which has ", now_->columns.at(slot).value);
  CUTAWAY_CHECK_VALUE(bytes.empty() || bytes.size() == f.end - f.begin, "trace: a write of ", f.end - f.begin,
                      " bytes carries ", bytes.size());
  const ByteState state = bytes.empty() ? ByteState::NotRecorded : ByteState::Known;
  const bool kept = data().bytes.add(f.storage, trace_->size() + 1, f.begin, f.end, bytes, state,
                                     ByteHistory::Cause::Write);
  const TableIndex record = push(data().writes, WriteRecord{f.storage, f.tensor, f.begin, f.end, version_before,
                                                            f.version, kept && !bytes.empty()});
  append(EventKind::Write, f.storage, record, static_cast<int64_t>(version_before), static_cast<int64_t>(f.version));
  touch(f.tensor, trace_->size());
}

void TraceBuilder::version_changed(ObjectId counter, uint64_t old_version, uint64_t new_version) {
  slot_for(counter, kCounter);
  append(EventKind::VersionChanged, counter, kNone, static_cast<int64_t>(old_version),
         static_cast<int64_t>(new_version));
}

void TraceBuilder::op_begin(std::string_view op, std::string_view call) {
  if (open_spans_.size() <= thread_) open_spans_.resize(thread_ + 1);
  auto& open = open_spans_[thread_];
  OpSpan span;
  span.op = op;
  span.call = call.empty() ? op : call;
  span.first = trace_->size() + 1;
  span.parent = open.empty() ? kNone : open.back();
  span.depth = static_cast<int>(open.size());
  span.source = source_;
  CUTAWAY_CHECK_VALUE(open.size() < 10000, "trace: operators nested more than 10,000 deep");
  open.push_back(push(data().spans, std::move(span)));
  append(EventKind::OpBegin, 0, open.back());
}

void TraceBuilder::op_end() {
  if (open_spans_.size() <= thread_) open_spans_.resize(thread_ + 1);
  auto& open = open_spans_[thread_];
  CUTAWAY_CHECK_VALUE(!open.empty(), "trace: an operator ends that never began");
  append(EventKind::OpEnd, 0, open.back());
  data().spans[open.back()].last = trace_->size();
  open.pop_back();
}

void TraceBuilder::error(std::string_view kind, std::string_view message) {
  append(EventKind::Error, 0, add_text(std::string(kind) + ": " + std::string(message)));
}

void TraceBuilder::mark(std::string_view text) {
  append(EventKind::Mark, 0, add_text(text));
  data().marks.push_back(trace_->size());
}

void TraceBuilder::set_provider(ObjectId storage, ByteProvider provider) {
  data().bytes.set_provider(storage, std::move(provider));
}

void TraceBuilder::set_byte_cap(uint64_t bytes) { data().bytes.set_cap(bytes); }

}  // namespace cutaway::trace
