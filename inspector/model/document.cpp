#include "inspector/model/document.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/dispatch_key_set.h"
#include "core/error.h"
#include "inspector/model/value_text.h"
#include "trace/trace_file.h"

namespace cutaway::inspector {

using trace::TensorState;

Geometry geometry_of(const TensorState& tensor) {
  return {DimVector(tensor.sizes), DimVector(tensor.strides), tensor.storage_offset};
}

std::string name_of(const TensorState& tensor) {
  return tensor.name.empty() ? "tensor #" + std::to_string(tensor.id) : tensor.name;
}

std::shared_ptr<Document> Document::empty() {
  auto document = std::make_shared<Document>();
  document->builder_ = std::make_shared<trace::TraceBuilder>();
  document->trace_ = document->builder_->trace();
  return document;
}

std::shared_ptr<Document> Document::of(std::shared_ptr<trace::TraceBuilder> builder,
                                       const std::string& title) {
  auto document = std::make_shared<Document>();
  document->builder_ = std::move(builder);
  document->trace_ = document->builder_->trace();
  document->paths_ = {title};
  for (size_t number = 1; number <= document->trace_->size(); ++number)
    document->last_id_ = std::max(document->last_id_, document->trace_->event(number).object);
  document->open_.push_back(
      {title, "trace", 0, document->trace_->world_at(document->trace_->size()).tensors().size(), 0, {}});
  return document;
}

std::shared_ptr<Document> Document::open_trace(const std::string& path, bool partial, size_t until) {
  trace::ReadOptions options;
  options.partial = partial;
  options.until = until;
  trace::LoadedTrace loaded = trace::read_trace(path, options);
  auto document = of(loaded.builder, path);
  document->problems_ = std::move(loaded.problems);
  std::error_code failed;
  const auto nbytes = std::filesystem::file_size(path, failed);
  document->open_.front().nbytes = failed ? 0 : nbytes;
  return document;
}

std::shared_ptr<Document> Document::open_files(const std::vector<std::string>& paths) {
  auto document = empty();
  for (const std::string& path : paths) document->add_file(path);
  return document;
}

std::shared_ptr<Document> Document::open(const std::vector<std::string>& paths) {
  char head[7] = {};
  if (paths.size() == 1) std::ifstream(paths.front(), std::ios::binary).read(head, sizeof(head));
  const bool is_trace = std::string_view(head, sizeof(head)) == "CUTAWAY";
  return is_trace ? open_trace(paths.front(), false) : open_files(paths);
}

void Document::add_file(const std::string& path) {
  const std::shared_ptr<const io::TensorFile> file = io::open_tensor_file(path);
  paths_.push_back(path);
  files_.push_back(file);
  for (const std::string& note : file->notes()) problems_.push_back(note);
  const size_t unreadable = unreadable_.size();
  for (size_t index = 0; index < file->entries().size(); ++index) add_entry(file, index);
  const size_t refused = unreadable_.size() - unreadable;
  open_.push_back({path, io::format_name(file->format()), file->file_size(), file->entries().size() - refused,
                   refused, file->metadata()});
}

void Document::add_entry(const std::shared_ptr<const io::TensorFile>& file, size_t index) {
  const io::TensorEntry& entry = file->entries()[index];
  if (!entry.reason.empty()) {
    unreadable_.push_back({entry.name, entry.dtype_text, entry.sizes, entry.reason});
    return;
  }
  StorageFacts storage;
  storage.storage = fresh_id();
  storage.nbytes = entry.storage_nbytes;
  storage.allocator = "file";
  storage.initialised = true;
  builder_->storage_allocated(storage);
  builder_->set_provider(storage.storage, [file, index](ObjectId, uint64_t begin, std::span<std::byte> out) {
    file->read_bytes(index, begin, out.size(), out.data());
  });
  TensorFacts tensor;
  tensor.tensor = fresh_id();
  tensor.storage = storage.storage;
  tensor.version_counter = fresh_id();
  tensor.sizes = entry.sizes;
  tensor.strides = entry.strides;
  tensor.storage_offset = entry.storage_offset;
  tensor.dtype = *entry.dtype;
  tensor.key_set = key_set_of_tensor(Device(), false).raw();
  builder_->tensor_made(tensor);
  builder_->tensor_named(tensor.tensor, entry.name);
  const char* order = entry.byte_order == io::ByteOrder::Big      ? "big"
                      : entry.byte_order == io::ByteOrder::Little ? "little"
                                                                  : "-";
  origins_[tensor.tensor] = {file->path(),     io::format_name(file->format()),
                             entry.dtype_text, order,
                             entry.file_begin, entry.file_end,
                             entry.compressed};
}

std::string Document::title() const {
  if (paths_.empty()) return "nothing open";
  std::string title = std::filesystem::path(paths_.front()).filename().string();
  if (paths_.size() > 1) title += " and " + std::to_string(paths_.size() - 1) + " more";
  return title;
}

std::optional<FileOrigin> Document::origin(ObjectId tensor) const {
  const auto found = origins_.find(tensor);
  return found == origins_.end() ? std::nullopt : std::optional(found->second);
}

// Version counters have ids too, and no event of their own.
ObjectId Document::fresh_id() {
  do {
    ++last_id_;
  } while (builder_->knows(last_id_));
  return last_id_;
}

const Document::NameIndex& Document::name_index() const {
  if (names_.of_size == trace_->size()) return names_;
  names_ = {trace_->size(), {}, {}};
  const trace::World world = trace_->world_at(trace_->size());
  for (ObjectId id : world.tensors()) {
    const std::string& name = world.name(id);
    if (name.empty()) continue;
    const auto [place, fresh] = names_.tensors.try_emplace(name, id);
    if (fresh) names_.names.push_back(name);
    if (!fresh && (world.alive(id) || !world.alive(place->second))) place->second = id;
  }
  return names_;
}

ObjectId Document::tensor_named(const std::string& name) const {
  const auto found = name_index().tensors.find(name);
  return found == name_index().tensors.end() ? 0 : found->second;
}

namespace {

// The bytes of a copy, from where the plan says they lie in the source's storage at time t.
class PlannedBytes {
 public:
  PlannedBytes(std::shared_ptr<const trace::Trace> trace, const TensorState& source, CopyPlan plan)
      : trace_(trace),
        time_(trace->size()),
        storage_(source.storage),
        itemsize_(element_size(source.dtype)),
        plan_(std::move(plan)) {}

  void operator()(ObjectId, uint64_t begin, std::span<std::byte> out) const {
    const auto alive = trace_.lock();
    CUTAWAY_CHECK(alive, "the trace that this copy was made from is closed");
    const auto first = static_cast<int64_t>(begin / itemsize_);
    const auto last = static_cast<int64_t>((begin + out.size() + itemsize_ - 1) / itemsize_);
    std::vector<int64_t> elements;
    for (int64_t place = first; place < last; ++place) elements.push_back(plan_.source_element(place));
    const auto [low, high] = std::minmax_element(elements.begin(), elements.end());
    if (low == elements.end()) return;
    // One read when the elements lie near each other, else one for each.
    const bool together = *high - *low < kMostTogether;
    std::vector<std::byte> bytes((together ? *high - *low + 1 : 1) * itemsize_);
    std::vector<trace::ByteState> known(bytes.size());
    if (together) read(*alive, *low, bytes, known);
    for (int64_t place = first; place < last; ++place) {
      const int64_t element = elements[place - first];
      if (!together) read(*alive, element, bytes, known);
      const std::byte* from = bytes.data() + (together ? (element - *low) * itemsize_ : 0);
      const uint64_t at = static_cast<uint64_t>(place) * itemsize_, from_byte = std::max(at, begin);
      const uint64_t to_byte = std::min<uint64_t>(at + itemsize_, begin + out.size());
      std::memcpy(out.data() + (from_byte - begin), from + (from_byte - at), to_byte - from_byte);
    }
  }

 private:
  static constexpr int64_t kMostTogether = 1 << 22;

  void read(const trace::Trace& trace, int64_t element, std::vector<std::byte>& bytes,
            std::vector<trace::ByteState>& known) const {
    trace.bytes_at(time_, storage_, static_cast<uint64_t>(element) * itemsize_, bytes, known);
    const bool all = std::all_of(known.begin(), known.end(),
                                 [](trace::ByteState s) { return s == trace::ByteState::Known; });
    CUTAWAY_CHECK(all, "the source of this copy was not recorded");
  }

  std::weak_ptr<const trace::Trace> trace_;  // the trace itself holds this
  size_t time_;
  ObjectId storage_;
  size_t itemsize_;
  CopyPlan plan_;
};

}  // namespace

ObjectId Document::append_step(ObjectId source, const StepResult& step, const TensorState& from) {
  const size_t itemsize = element_size(from.dtype);
  const std::string op = step.call.substr(0, step.call.find_first_of("(["));
  builder_->op_begin(op.empty() ? "index" : op, step.call);
  TensorFacts facts;
  facts.storage = from.storage;
  facts.version_counter = step.copies ? fresh_id() : from.version_counter;
  if (step.copies) {
    StorageFacts storage;
    storage.storage = facts.storage = fresh_id();
    storage.nbytes = static_cast<uint64_t>(step.geometry.numel()) * itemsize;
    storage.allocator = "file";
    storage.initialised = true;
    builder_->storage_allocated(storage);
    builder_->set_provider(storage.storage, PlannedBytes(trace_, from, step.plan));
  }
  facts.tensor = fresh_id();
  facts.sizes = step.geometry.sizes;
  facts.strides = step.geometry.strides;
  facts.storage_offset = step.geometry.offset;
  facts.dtype = from.dtype;
  facts.device = from.device;
  facts.key_set = from.key_set;
  builder_->tensor_made(facts);
  ViewFacts view;
  view.result = facts.tensor;
  view.source = source;
  view.op = op;
  view.call = step.call;
  view.copied = step.copies;
  view.why = step.why;
  builder_->view_made(view);
  builder_->tensor_named(facts.tensor, step.text);
  builder_->op_end();
  return facts.tensor;
}

void Document::append_failure(ObjectId source, const Evaluation& evaluation) {
  builder_->error(evaluation.error_kind, evaluation.error);
  FailedView failure;
  failure.number = trace_->size();
  failure.source = source;
  failure.expression = evaluation.failed_text;
  failure.call = evaluation.failed_call;
  failure.kind = evaluation.error_kind;
  failure.message = evaluation.error;
  failure.verdict = evaluation.verdict;
  explain(failure, *trace_->world_at(trace_->size()).tensor(source));
  failures_[failure.number] = std::move(failure);
}

ObjectId Document::add_view(const std::string& text) {
  const ViewExpression expression = parse_view_expression(text, names());
  ObjectId current = tensor_named(expression.name);
  const trace::World world = trace_->world_at(trace_->size());
  TensorState from = *world.tensor(current);
  CUTAWAY_CHECK_VALUE(from.alive, "'", expression.name, "' was released at event ", from.died,
                      ", so at the end, event ", trace_->size(), ", there is nothing to view");
  const auto storage = world.storage(from.storage);
  CUTAWAY_CHECK_VALUE(storage.has_value(), "'", expression.name, "' has no storage to look at");
  const Evaluation evaluation = evaluate(expression, geometry_of(from), {from.dtype, storage->nbytes});
  for (const StepResult& step : evaluation.steps) {
    current = append_step(current, step, from);
    from = *trace_->world_at(trace_->size()).tensor(current);
  }
  if (!evaluation.error_kind.empty()) append_failure(current, evaluation);
  return current;
}

const FailedView* Document::failure_at(size_t number) const {
  if (number == 0 || number > trace_->size() || trace_->event(number).kind != trace::EventKind::Error)
    return nullptr;
  const auto [place, fresh] = failures_.try_emplace(number);
  if (fresh) place->second = recorded_failure(*trace_, number);
  return place->second ? &*place->second : nullptr;
}

std::vector<FailedView> Document::failed_views() const {
  constexpr size_t kMost = 1000;
  std::vector<FailedView> all;
  for (size_t number = 1; number <= trace_->size() && all.size() < kMost; ++number)
    if (const FailedView* failure = failure_at(number)) all.push_back(*failure);
  return all;
}

}  // namespace cutaway::inspector
