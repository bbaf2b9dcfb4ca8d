#include "inspector/model/document.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

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

std::shared_ptr<Document> Document::open_trace(const std::string& path, bool partial) {
  auto document = std::make_shared<Document>();
  trace::LoadedTrace loaded = trace::read_trace(path, {partial});
  document->builder_ = loaded.builder;
  document->trace_ = loaded.trace;
  document->problems_ = std::move(loaded.problems);
  document->paths_ = {path};
  for (size_t number = 1; number <= loaded.trace->size(); ++number)
    document->last_id_ = std::max(document->last_id_, loaded.trace->event(number).object);
  document->find_failures();
  return document;
}

std::shared_ptr<Document> Document::open_files(const std::vector<std::string>& paths) {
  auto document = empty();
  for (const std::string& path : paths) document->add_file(path);
  return document;
}

void Document::add_file(const std::string& path) {
  const std::shared_ptr<const io::TensorFile> file = io::open_tensor_file(path);
  paths_.push_back(path);
  files_.push_back(file);
  for (const std::string& note : file->notes()) problems_.push_back(note);
  for (size_t index = 0; index < file->entries().size(); ++index) add_entry(file, index);
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
  const char* order = entry.byte_order == io::ByteOrder::Big ? "big" : entry.byte_order == io::ByteOrder::Little ? "little" : "-";
  origins_[tensor.tensor] = {file->path(),     io::format_name(file->format()), entry.dtype_text, order,
                             entry.file_begin, entry.file_end,                  entry.compressed};
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

std::vector<std::string> Document::names() const {
  const trace::World world = trace_->world_at(trace_->size());
  std::vector<std::string> names;
  for (ObjectId id : world.tensors()) {
    const TensorState tensor = *world.tensor(id);
    if (tensor.name.empty() || tensor.root != 0) continue;  // a view's name is an expression already
    names.push_back(tensor.name);
  }
  for (ObjectId id : world.tensors()) {
    const TensorState tensor = *world.tensor(id);
    if (!tensor.name.empty() && tensor.root != 0) names.push_back(tensor.name);
  }
  return names;
}

ObjectId Document::tensor_named(const std::string& name) const {
  const trace::World world = trace_->world_at(trace_->size());
  ObjectId found = 0;
  bool found_alive = false;
  for (ObjectId id : world.tensors()) {
    const TensorState tensor = *world.tensor(id);
    if (tensor.name != name || (found_alive && !tensor.alive)) continue;
    found = id;
    found_alive = tensor.alive;
  }
  return found;
}

namespace {

// Bytes of a row-major copy of `source`, element by element from where they lie.
trace::ByteProvider gathered(std::shared_ptr<const trace::Trace> trace, const TensorState& source) {
  return [trace = std::weak_ptr(trace), source](ObjectId, uint64_t begin, std::span<std::byte> out) {
    const auto alive = trace.lock();
    if (!alive) return;
    const Geometry g = geometry_of(source);
    const size_t itemsize = element_size(source.dtype);
    std::vector<int64_t> index(g.sizes.size());
    std::vector<std::byte> element(itemsize);
    std::vector<trace::ByteState> known(itemsize);
    for (uint64_t at = begin; at < begin + out.size();) {
      auto linear = static_cast<int64_t>(at / itemsize);
      for (size_t i = g.sizes.size(); i-- > 0; linear /= g.sizes[i]) index[i] = linear % g.sizes[i];
      alive->bytes_at(alive->size(), source.storage, g.element(index) * itemsize, element, known);
      const size_t skip = at % itemsize, n = std::min<size_t>(itemsize - skip, begin + out.size() - at);
      std::memcpy(out.data() + (at - begin), element.data() + skip, n);
      at += n;
    }
  };
}

std::string cure_of(const FailedView& failure, const Geometry& g, size_t itemsize) {
  if (!failure.verdict || failure.verdict->possible) return "";
  return failure.verdict->why() + " reshape" + failure.call.substr(std::min(failure.call.find('('), failure.call.size())) +
         " would copy " + bytes_text(static_cast<uint64_t>(g.numel()) * itemsize) + " to a new storage.";
}

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
    builder_->set_provider(storage.storage, gathered(trace_, from));
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

ObjectId Document::add_view(const std::string& text) {
  const ViewExpression expression = parse_view_expression(text, names());
  ObjectId current = tensor_named(expression.name);
  const trace::World world = trace_->world_at(trace_->size());
  TensorState from = *world.tensor(current);
  const auto storage = world.storage(from.storage);
  CUTAWAY_CHECK_VALUE(storage.has_value(), "'", expression.name, "' has no storage to look at");
  const Evaluation evaluation = evaluate(expression, geometry_of(from), {from.dtype, storage->nbytes});
  for (const StepResult& step : evaluation.steps) {
    current = append_step(current, step, from);
    from = *trace_->world_at(trace_->size()).tensor(current);
  }
  if (evaluation.error_kind.empty()) return current;
  builder_->error(evaluation.error_kind, evaluation.error);
  FailedView failure{trace_->size(),        current,          evaluation.failed_text, evaluation.failed_call,
                     evaluation.error_kind, evaluation.error, evaluation.verdict,     ""};
  failure.why = cure_of(failure, geometry_of(from), element_size(from.dtype));
  failed_.push_back(std::move(failure));
  return current;
}

// In a recorded trace a refused view leaves an operator span with an Error event in it, and no result. The span's call
// and the tensor it was called on, the last one named or viewed in the source text, are enough to work it out again.
void Document::find_failures() {
  for (size_t number = 1; number <= trace_->size(); ++number) {
    const trace::Event& event = trace_->event(number);
    if (event.kind != trace::EventKind::Error || event.span == trace::kNone) continue;
    const std::string message(trace_->text(event.detail));
    const trace::OpSpan& span = trace_->spans()[event.span];
    const std::string statement = trace_->source_line(event.source).text;
    const size_t open = statement.find(span.op + "(");
    if (open == std::string::npos) continue;
    const size_t from = open + span.op.size() + 1;
    const std::string receiver = statement.substr(from, statement.find_first_of(",)", from) - from);
    const trace::World world = trace_->world_at(number);
    for (ObjectId id : world.tensors()) {
      const TensorState tensor = *world.tensor(id);
      if (tensor.name != receiver || !tensor.alive) continue;
      FailedView failure{number, id, receiver + "." + span.call, span.call, message.substr(0, message.find(':')),
                         message.substr(std::min(message.find(": ") + 2, message.size())), {}, ""};
      if (span.op == "view") {
        const auto expression = parse_view_expression(receiver + "." + span.call, {receiver});
        failure.verdict = evaluate(expression, geometry_of(tensor), {tensor.dtype, {}}).verdict;
      }
      failure.why = cure_of(failure, geometry_of(tensor), element_size(tensor.dtype));
      failed_.push_back(std::move(failure));
    }
  }
}

const FailedView* Document::failure_at(size_t number) const {
  for (const FailedView& failure : failed_)
    if (failure.number == number) return &failure;
  return nullptr;
}

}  // namespace cutaway::inspector
