#include "trace/builder.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "trace/appender.h"
#include "trace/trace_data.h"

namespace cutaway::trace {

// Source lines by file, line and text.
struct TraceBuilder::SourceIndex {
  std::map<std::tuple<TableIndex, int, TableIndex>, TableIndex> rows;
};

namespace {

// Returns: the slot of an object that an event names. Throws: ValueError when no event made it.
Slot known(const TraceData& data, ObjectId id, const char* what) {
  const Slot slot = data.slot(id);
  CUTAWAY_CHECK_VALUE(slot != kNone, "trace: an event names ", what, " #", id, ", which was never made");
  return slot;
}

// The same; kNone for 0.
Slot known_or_none(const TraceData& data, ObjectId id, const char* what) {
  return id ? known(data, id, what) : kNone;
}

NewStorage new_storage(TraceData& data, const StorageFacts& f) {
  return {f.nbytes, f.device, data.texts.add(f.allocator), f.resizable, f.initialised};
}

NewTensor new_tensor(const TraceData& data, const TensorFacts& f) {
  NewTensor t;
  t.storage = known_or_none(data, f.storage, "storage");
  t.counter = f.version_counter ? data.slot(f.version_counter) : kNone;
  if (t.counter == kNone) t.new_counter = f.version_counter;
  t.first_version = f.version;
  t.sizes = f.sizes;
  t.strides = f.strides;
  t.storage_offset = f.storage_offset;
  t.dtype = f.dtype;
  t.device = f.device;
  t.layout = f.layout;
  t.key_set = f.key_set;
  t.requires_grad = f.requires_grad;
  return t;
}

// The runs of `seen`, the bytes at `begin`, of which the history knows nothing or something else. Memory that
// counts as uninitialised stays so, whatever lies in it.
std::vector<OldBytes> surprises(const TraceData& data, Slot storage, uint64_t begin,
                                std::span<const std::byte> seen) {
  std::vector<std::byte> bytes(seen.size());
  std::vector<ByteState> known(seen.size());
  data.bytes.read(storage, data.events.size(), begin, bytes, known);
  const auto surprising = [&](size_t i) {
    return known[i] == ByteState::NotRecorded || (known[i] == ByteState::Known && bytes[i] != seen[i]);
  };
  std::vector<OldBytes> runs;
  for (size_t from = 0; from < seen.size(); ++from) {
    if (!surprising(from)) continue;
    // One run over what lies between: bytes that are known already lose nothing by being seen again.
    size_t last = from;
    for (size_t i = from; i < seen.size() && known[i] != ByteState::Uninitialised; ++i)
      if (surprising(i)) last = i;
    runs.push_back({begin + from, begin + last + 1, {seen.subspan(from, last + 1 - from), {}}});
    from = last;
  }
  return runs;
}

}  // namespace

TraceBuilder::TraceBuilder()
    : trace_(std::make_shared<Trace>()),
      appender_(std::make_unique<Appender>(data())),
      sources_(std::make_unique<SourceIndex>()) {}
TraceBuilder::~TraceBuilder() = default;

TraceData& TraceBuilder::data() const { return *trace_->data_; }
bool TraceBuilder::knows(ObjectId id) const { return data().slot(id) != kNone; }
void TraceBuilder::set_thread(uint16_t thread) { appender_->set_thread(thread); }
void TraceBuilder::set_source(TableIndex source) { appender_->set_source(source); }

TableIndex TraceBuilder::source_index(std::string_view file, int line, std::string_view text) {
  const TableIndex file_text = data().texts.add(file), line_text = data().texts.add(text);
  const auto [found, fresh] = sources_->rows.try_emplace({file_text, line, line_text}, kNone);
  if (fresh) found->second = appender_->add_source(file_text, line, line_text);
  return found->second;
}

void TraceBuilder::storage_allocated(const StorageFacts& facts, std::span<const std::byte> contents) {
  appender_->storage_allocated(facts.storage, new_storage(data(), facts), contents.size(), {contents, {}});
}

void TraceBuilder::storage_met(ObjectId storage, uint64_t nbytes, Device device) {
  const NewStorage met{nbytes, device, data().texts.add("unknown"), false, true, true};
  const Slot slot = data().slot(storage);
  if (slot == kNone)
    appender_->storage_allocated(storage, met);
  else if (appender_->nbytes_of(slot) < nbytes)
    appender_->storage_resized(slot, met);
}

void TraceBuilder::storage_freed(ObjectId storage) {
  appender_->storage_freed(known(data(), storage, "storage"));
}

void TraceBuilder::storage_resized(ObjectId storage, const StorageFacts& now) {
  appender_->storage_resized(known(data(), storage, "storage"), new_storage(data(), now));
}

void TraceBuilder::counts_changed(ObjectId object, uint32_t strong, uint32_t weak) {
  appender_->counts_changed(known(data(), object, "object"), strong, weak);
}

void TraceBuilder::tensor_made(const TensorFacts& facts) {
  appender_->tensor_made(facts.tensor, new_tensor(data(), facts));
}

void TraceBuilder::tensor_changed(const TensorFacts& facts) {
  appender_->tensor_changed(known(data(), facts.tensor, "tensor"), new_tensor(data(), facts));
}

void TraceBuilder::tensor_released(ObjectId tensor) {
  appender_->tensor_released(known(data(), tensor, "tensor"));
}

void TraceBuilder::tensor_named(ObjectId tensor, std::string_view name) {
  appender_->tensor_named(known(data(), tensor, "tensor"), data().texts.add(name));
}

void TraceBuilder::view_made(const ViewFacts& f) {
  NewView view;
  view.source = known_or_none(data(), f.source, "tensor");
  view.op = data().texts.add(f.op);
  view.call = data().texts.add(f.call.empty() ? f.op : f.call);
  view.why = data().texts.add(f.why);
  view.copied = f.copied;
  appender_->view_made(known(data(), f.result, "tensor"), view);
}

void TraceBuilder::written(const WriteFacts& f, uint64_t version_before, std::span<const std::byte> bytes,
                           std::span<const std::byte> old_bytes) {
  const Slot storage = known(data(), f.storage, "storage");
  for (const size_t size : {bytes.size(), old_bytes.size()})
    CUTAWAY_CHECK_VALUE(size == 0 || size == f.end - f.begin, "trace: a write of ", f.end - f.begin,
                        " bytes carries ", size);
  const NewWrite write{known_or_none(data(), f.tensor, "tensor"), f.begin, f.end, version_before, f.version};
  const auto old =
      old_bytes.empty() ? std::vector<OldBytes>() : surprises(data(), storage, f.begin, old_bytes);
  appender_->written(storage, write, {bytes, {}}, old);
}

void TraceBuilder::version_changed(ObjectId counter, uint64_t new_version) {
  appender_->version_changed(known(data(), counter, "version counter"), new_version);
}

void TraceBuilder::op_begin(std::string_view op, std::string_view call) {
  appender_->op_begin(data().texts.add(op), data().texts.add(call.empty() ? op : call));
}

void TraceBuilder::op_end() { appender_->op_end(); }
bool TraceBuilder::inside_operator() const { return appender_->inside_operator(); }

void TraceBuilder::error(std::string_view kind, std::string_view message) {
  appender_->error(data().texts.add(std::string(kind).append(": ").append(message)));
}

void TraceBuilder::mark(std::string_view text) { appender_->mark(data().texts.add(text)); }
void TraceBuilder::finish() { appender_->close_operators(); }
void TraceBuilder::add_note(std::string_view sentence) { data().notes.push_back(clean_text(sentence)); }

void TraceBuilder::set_provider(ObjectId storage, ByteProvider provider) {
  data().bytes.set_provider(known(data(), storage, "storage"), std::move(provider));
}

void TraceBuilder::set_provider(ByteProvider provider) { data().bytes.set_provider(std::move(provider)); }
void TraceBuilder::set_byte_cap(uint64_t bytes) { data().bytes.set_cap(bytes); }

}  // namespace cutaway::trace
