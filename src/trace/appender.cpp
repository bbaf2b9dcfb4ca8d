#include "trace/appender.h"

#include <algorithm>

#include "core/error.h"

namespace cutaway::trace {
namespace {

template <class Row>
TableIndex push(Table<Row>& table, Row row) {
  CUTAWAY_CHECK_VALUE(table.size() < kNone - 1, "trace: a table is full");
  return static_cast<TableIndex>(table.push_back(std::move(row)));
}

// Returns: bytes that a storage must have for this geometry. Throws: ValueError when it is none, or too
// large.
uint64_t check_geometry(const NewTensor& t) {
  CUTAWAY_CHECK_VALUE(t.sizes.size() == t.strides.size() && t.sizes.size() <= kMostDims,
                      "trace: a tensor has ", t.sizes.size(), " sizes and ", t.strides.size(), " strides");
  CUTAWAY_CHECK_VALUE(t.storage_offset >= 0 && t.storage_offset <= kMostElements,
                      "trace: a tensor has the offset ", t.storage_offset);
  bool empty = false, too_large = false;
  int64_t numel = 1, last = t.storage_offset;
  for (size_t i = 0; i < t.sizes.size(); ++i) {
    CUTAWAY_CHECK_VALUE(t.sizes[i] >= 0 && t.strides[i] >= 0, "trace: a tensor has size ", t.sizes[i],
                        " and stride ", t.strides[i], " in dimension ", i);
    empty |= t.sizes[i] == 0;
    int64_t reach = 0;
    too_large |=
        __builtin_mul_overflow(numel, std::max<int64_t>(t.sizes[i], 1), &numel) || numel > kMostElements;
    too_large |= __builtin_mul_overflow(std::max<int64_t>(t.sizes[i], 1) - 1, t.strides[i], &reach);
    too_large |= __builtin_add_overflow(last, reach, &last) || last > kMostElements;
  }
  if (empty) return 0;
  uint64_t bytes = 0;
  too_large |= __builtin_mul_overflow(static_cast<uint64_t>(last) + 1, element_size(t.dtype), &bytes);
  CUTAWAY_CHECK_VALUE(!too_large, "trace: a tensor of sizes ", t.sizes, " and strides ", t.strides,
                      " is larger than any memory");
  return bytes;
}

}  // namespace

void Appender::require(Slot slot, ObjectKind kind, const char* what) const {
  CUTAWAY_CHECK_VALUE(slot < data_.objects.size() && data_.objects[slot].kind == kind,
                      "trace: an event names a ", what, " that was never made");
}

void Appender::require_living(Slot slot, ObjectKind kind, const char* what) const {
  require(slot, kind, what);
  CUTAWAY_CHECK_VALUE(data_.objects[slot].died == 0, "trace: an event changes ", what, " #",
                      data_.objects[slot].id, ", which ended at event ", data_.objects[slot].died);
}

void Appender::require_text(TableIndex text) const {
  CUTAWAY_CHECK_VALUE(text < data_.texts.size(), "trace: an event refers to text ", text,
                      ", which is not there");
}

void Appender::require_room() const {
  CUTAWAY_CHECK_VALUE(data_.events.size() < kMostEvents, "trace: it has ", data_.events.size(),
                      " events, more cannot be numbered");
}

void Appender::require_fresh(ObjectId id) const {
  CUTAWAY_CHECK_VALUE(id != 0, "trace: an object without an id");
  CUTAWAY_CHECK_VALUE(data_.slot(id) == kNone, "trace: object #", id, " is made twice");
}

// Makes the slot of an object that the next event brings. Requires: require_fresh and require_room hold.
Slot Appender::birth(ObjectId id, ObjectKind kind) {
  const Slot slot = push(data_.objects, ObjectRow{id, 0, next_number(), 0, kind});
  data_.slot_of.add(id, slot);
  return slot;
}

void Appender::append(EventKind kind, Slot slot, TableIndex detail, int64_t old_value, int64_t new_value) {
  require_room();
  Event event;
  event.kind = kind;
  event.thread = thread_;
  event.source = source_;
  event.detail = detail;
  if (slot != kNone) event.object = data_.objects[slot].id;
  event.old_value = old_value;
  event.new_value = new_value;
  if (inside_operator()) event.span = open_spans_[thread_].back();
  data_.events.push_back(event);
  data_.slots.push_back(slot);
  const size_t number = data_.events.size();
  apply(data_, now_, number);
  if (number % kKeyframeEvents == 0) data_.keyframes.push_back(now_);
}

TableIndex Appender::add_source(TableIndex file, int line, TableIndex text) {
  require_text(file);
  require_text(text);
  return push(data_.sources, SourceText{data_.texts[file], line, data_.texts[text]});
}

uint64_t Appender::version_of(Slot counter) const {
  return std::max(data_.objects[counter].number, now_.number.at(counter));
}

TableIndex Appender::add_storage(const NewStorage& s, TableIndex before) {
  CUTAWAY_CHECK_VALUE(s.nbytes <= kMostStorageBytes, "trace: a storage claims ", s.nbytes, " bytes");
  require_text(s.allocator);
  const StorageRecord record{s.nbytes,    s.device,      data_.texts[s.allocator],
                             s.resizable, s.initialised, s.partial};
  return push(data_.storages, StorageRow{record, before});
}

void Appender::storage_allocated(ObjectId id, const NewStorage& storage, uint64_t known,
                                 const Contents& contents) {
  CUTAWAY_CHECK_VALUE(known <= storage.nbytes, "trace: a storage of ", storage.nbytes, " bytes begins with ",
                      known);
  require_room();
  require_fresh(id);
  const TableIndex row = add_storage(storage, kNone);
  const Slot slot = birth(id, ObjectKind::Storage);
  append(EventKind::StorageAllocated, slot, row, 0, static_cast<int64_t>(storage.nbytes));
  data_.storages[row].known = known;
  data_.objects[slot].number = storage.nbytes;
  data_.bytes.allocate(slot, id, data_.events.size(), storage.nbytes, known, contents, storage.initialised);
}

void Appender::end(EventKind kind, Slot slot, int64_t old_value) {
  append(kind, slot, kNone, old_value);
  data_.objects[slot].died = static_cast<uint32_t>(data_.events.size());
}

void Appender::storage_freed(Slot storage) {
  require_living(storage, ObjectKind::Storage, "storage");
  end(EventKind::StorageFreed, storage, static_cast<int64_t>(nbytes_of(storage)));
}

void Appender::storage_resized(Slot storage, const NewStorage& now) {
  require_living(storage, ObjectKind::Storage, "storage");
  const auto before = static_cast<int64_t>(nbytes_of(storage));
  const TableIndex row = add_storage(now, now_.facts.at(storage));
  append(EventKind::StorageResized, storage, row, before, static_cast<int64_t>(now.nbytes));
  data_.objects[storage].number = now.nbytes;
  data_.bytes.resize(storage, data_.events.size(), now.nbytes, !now.partial);
}

void Appender::counts_changed(Slot object, uint32_t strong, uint32_t weak) {
  CUTAWAY_CHECK_VALUE(object < data_.objects.size() && data_.objects[object].kind != ObjectKind::Counter,
                      "trace: counts of an object that was never made");
  append(EventKind::CountsChanged, object, kNone, static_cast<int64_t>(now_.number.at(object)),
         static_cast<int64_t>(uint64_t{strong} << 32 | weak));
}

const int64_t* Appender::keep_dims(IntArrayRef sizes, IntArrayRef strides) {
  constexpr size_t kBlock = 1024;
  if (data_.dims.empty() || data_.dims.back().size() + 2 * sizes.size() > kBlock) {
    data_.dims.emplace_back();
    data_.dims.back().reserve(kBlock);
  }
  auto& block = data_.dims.back();
  const size_t at = block.size();
  block.insert(block.end(), sizes.begin(), sizes.end());
  block.insert(block.end(), strides.begin(), strides.end());
  return block.data() + at;
}

TableIndex Appender::add_tensor(const NewTensor& t, uint32_t changed) {
  TensorRow row;
  row.needs = check_geometry(t);
  if (t.storage != kNone) require(t.storage, ObjectKind::Storage, "storage");
  if (t.counter != kNone) require(t.counter, ObjectKind::Counter, "version counter");
  require_room();
  row.counter = t.counter;
  if (t.new_counter) {
    require_fresh(t.new_counter);
    CUTAWAY_CHECK_VALUE(t.first_version <= INT64_MAX, "trace: version ", t.first_version);
    row.counter = birth(t.new_counter, ObjectKind::Counter);
    data_.objects[row.counter].number = t.first_version;
  }
  row.dims = keep_dims(t.sizes, t.strides);
  row.rank = static_cast<uint8_t>(t.sizes.size());
  row.storage = t.storage;
  row.storage_offset = t.storage_offset;
  row.dtype = t.dtype;
  row.device = t.device;
  row.layout = t.layout;
  row.key_set = t.key_set;
  row.requires_grad = t.requires_grad;
  row.changed = changed;
  return push(data_.tensors, row);
}

void Appender::look_over(Slot storage, Slot tensor) {
  data_.objects[tensor].number = storage;
  if (storage == kNone) return;
  if (storage >= data_.tensors_over.size()) data_.tensors_over.resize(storage + 1);
  auto& over = data_.tensors_over[storage];
  if (over.empty() || over.back() < tensor)
    over.push_back(tensor);
  else if (const auto at = std::lower_bound(over.begin(), over.end(), tensor); *at != tensor)
    over.insert(at, tensor);
}

void Appender::tensor_made(ObjectId id, const NewTensor& tensor) {
  require_fresh(id);
  CUTAWAY_CHECK_VALUE(id != tensor.new_counter, "trace: tensor #", id, " is its own version counter");
  const TableIndex row = add_tensor(tensor, 0);
  const Slot slot = birth(id, ObjectKind::Tensor);
  append(EventKind::TensorMade, slot, row);
  look_over(tensor.storage, slot);
}

void Appender::tensor_changed(Slot tensor, const NewTensor& now) {
  require_living(tensor, ObjectKind::Tensor, "tensor");
  const TableIndex row = add_tensor(now, next_number());
  append(EventKind::TensorChanged, tensor, row, now_.facts.at(tensor), row);
  if (now.storage != data_.objects[tensor].number) look_over(now.storage, tensor);
}

void Appender::tensor_released(Slot tensor) {
  require_living(tensor, ObjectKind::Tensor, "tensor");
  end(EventKind::TensorReleased, tensor, 0);
}

void Appender::tensor_named(Slot tensor, TableIndex name) {
  require(tensor, ObjectKind::Tensor, "tensor");
  require_text(name);
  append(EventKind::TensorNamed, tensor, name, now_.last.at(tensor), int64_t{name} + 1);
}

void Appender::view_made(Slot result, const NewView& v) {
  require(result, ObjectKind::Tensor, "tensor");
  if (v.source != kNone) require(v.source, ObjectKind::Tensor, "tensor");
  for (const TableIndex text : {v.op, v.call, v.why}) require_text(text);
  const ObjectId source = v.source == kNone ? 0 : data_.objects[v.source].id;
  ObjectId root = 0;
  if (!v.copied && source) {
    const uint32_t above = now_.view.at(v.source);
    root = above && data_.views[above - 1].root ? data_.views[above - 1].root : source;
  }
  const TableIndex row =
      push(data_.views, ViewRecord{data_.objects[result].id, source, root, data_.texts[v.op],
                                   data_.texts[v.call], v.copied, data_.texts[v.why]});
  append(EventKind::ViewMade, result, row, now_.view.at(result), int64_t{row} + 1);
}

void Appender::written(Slot storage, const NewWrite& w, const Contents& contents,
                       std::span<const OldBytes> old) {
  require_living(storage, ObjectKind::Storage, "storage");
  if (w.tensor != kNone) require(w.tensor, ObjectKind::Tensor, "tensor");
  require_room();
  CUTAWAY_CHECK_VALUE(w.begin <= w.end && w.end <= nbytes_of(storage), "trace: a write to bytes ", w.begin,
                      " to ", w.end, " of a storage that has ", nbytes_of(storage));
  const ObjectId id = data_.objects[storage].id;
  const ObjectId tensor = w.tensor == kNone ? 0 : data_.objects[w.tensor].id;
  for (const OldBytes& seen : old)
    CUTAWAY_CHECK_VALUE(w.begin <= seen.begin && seen.begin < seen.end && seen.end <= w.end,
                        "trace: a write carries old bytes that it did not touch");
  const WriteRecord record{id, tensor, w.begin, w.end, w.version_before, w.version_after};
  const TableIndex row = push(data_.writes, WriteRow{record, !contents.empty()});
  for (const OldBytes& seen : old) {
    push(data_.seen, SeenRun{row, seen.begin, seen.end});
    data_.bytes.see(storage, data_.events.size(), seen.begin, seen.end, seen.contents);
  }
  const uint32_t number = next_number();
  data_.writes[row].record.bytes_recorded = data_.bytes.write(storage, number, w.begin, w.end, contents);
  append(EventKind::Write, storage, row, now_.last.at(storage), number);
}

void Appender::version_changed(Slot counter, uint64_t version) {
  require(counter, ObjectKind::Counter, "version counter");
  CUTAWAY_CHECK_VALUE(version <= INT64_MAX, "trace: version ", version);
  const uint64_t before = version_of(counter);
  append(EventKind::VersionChanged, counter, kNone, static_cast<int64_t>(before),
         static_cast<int64_t>(std::max(before, version)));
}

void Appender::op_begin(TableIndex op, TableIndex call) {
  require_text(op);
  require_text(call);
  require_room();
  if (open_spans_.size() <= thread_) open_spans_.resize(size_t{thread_} + 1);
  auto& open = open_spans_[thread_];
  CUTAWAY_CHECK_VALUE(open.size() < kMostNesting, "trace: operators nested more than ", kMostNesting,
                      " deep");
  CUTAWAY_CHECK_VALUE(data_.spans.size() < kNone, "trace: too many operators");
  OpSpan span{data_.texts[op], data_.texts[call]};
  span.first = next_number();
  span.parent = open.empty() ? kNone : open.back();
  span.depth = static_cast<int>(open.size());
  span.source = source_;
  span.thread = thread_;
  data_.spans.push_back(span);
  open.push_back(static_cast<TableIndex>(data_.spans.size() - 1));
  append(EventKind::OpBegin, kNone, open.back());
}

void Appender::op_end() {
  CUTAWAY_CHECK_VALUE(inside_operator(), "trace: an operator ends that never began");
  auto& open = open_spans_[thread_];
  append(EventKind::OpEnd, kNone, open.back());
  data_.spans[open.back()].last = data_.events.size();
  open.pop_back();
}

void Appender::close_operators() {
  for (auto& open : open_spans_) {
    for (const TableIndex span : open) data_.spans[span].last = data_.events.size();
    open.clear();
  }
}

void Appender::error(TableIndex text) {
  require_text(text);
  append(EventKind::Error, kNone, text);
}

void Appender::mark(TableIndex text) {
  require_text(text);
  append(EventKind::Mark, kNone, text);
  data_.marks.push_back(data_.events.size());
}

}  // namespace cutaway::trace
