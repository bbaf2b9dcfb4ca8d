#include "inspector/model/storage_model.h"

#include <algorithm>

#include "core/geometry/bounds.h"
#include "core/geometry/lit_runs.h"
#include "core/geometry/overlap.h"

namespace cutaway::inspector {

using trace::ByteState;
using trace::TensorState;

namespace {

std::string geometry_line(const TensorState& tensor) {
  return shape_text(tensor.sizes) + "   strides " + (tensor.strides.empty() ? "none" : shape_text(tensor.strides)) +
         "   offset " + std::to_string(tensor.storage_offset);
}

// The elements that lie next to each other along one dimension.
int64_t run_of(const std::optional<TensorState>& tensor) {
  int64_t run = 1;
  for (size_t i = 0; tensor && i < tensor->sizes.size(); ++i)
    if (tensor->strides[i] == 1) run = std::max(run, tensor->sizes[i]);
  return run;
}

// A row holds whole runs where that gives between 8 and 32 columns.
int64_t columns_for(int64_t run, size_t itemsize) {
  const int64_t usual = itemsize == 1 ? 32 : 16;
  if (run > 8 && run <= 32) return run;
  if (run > 1 && run <= 8) return usual / run * run;
  return usual;
}

// The base of a chain of views decides how rows are cut, so that the grid stays still while views come and go.
std::optional<TensorState> base_of(const trace::World& world, ObjectId storage) {
  for (ObjectId id : world.tensors()) {
    auto tensor = world.tensor(id);
    if (tensor->storage == storage) return tensor;
  }
  return std::nullopt;
}

void tell_holders(const Session& session, StorageModel& model) {
  std::vector<std::string> names;
  size_t nameless = 0;
  for (ObjectId id : session.world().tensors_on(model.storage)) {
    const TensorState tensor = *session.world().tensor(id);
    if (tensor.name.empty())
      ++nameless;
    else
      names.push_back(tensor.name);
  }
  const size_t count = names.size() + nameless;
  if (!model.alive) {
    model.held_by = "nobody: it was freed";
    return;
  }
  model.held_by = std::to_string(count) + (count == 1 ? " tensor" : " tensors");
  for (size_t i = 0; i < std::min<size_t>(names.size(), 4); ++i) model.held_by += (i ? ", " : ": ") + names[i];
  if (names.size() > 4) model.held_by += ", ...";
  model.freed_when = count == 0   ? "nobody of this trace holds it"
                     : count == 1 ? "freed when it is gone"
                                  : "freed when all " + std::to_string(count) + " are gone";
}

void tell_reach(const Session& session, StorageModel& model) {
  const auto tensor = session.world().tensor(session.selection().tensor);
  if (!tensor || tensor->storage != model.storage) return;
  const Geometry g = geometry_of(*tensor);
  int64_t distinct = 1;
  for (size_t i = 0; i < g.sizes.size(); ++i) distinct *= g.strides[i] == 0 && g.sizes[i] > 0 ? 1 : g.sizes[i];
  const Run run = extent(g);
  distinct = std::min(distinct, run.end - run.begin);
  model.reachable_bytes = static_cast<uint64_t>(distinct) * model.itemsize;
  model.reach_begin = static_cast<uint64_t>(run.begin) * model.itemsize;
  model.reach_end = static_cast<uint64_t>(run.end) * model.itemsize;
  if (model.nbytes >= 1024 && model.reachable_bytes * 8 <= model.nbytes)
    model.reach_warning = name_of(*tensor) + " reads " + bytes_text(model.reachable_bytes) + " and keeps " +
                          bytes_text(model.nbytes) + " alive. clone() would let the rest go.";
}

std::string count_text(int64_t n, const char* one, const char* many) {
  return grouped(static_cast<uint64_t>(n)) + " " + (n == 1 ? one : many);
}

void tell_callout(const Session& session, StorageModel& model) {
  if (const FailedView* failure = session.failure()) {
    const auto source = session.world().tensor(failure->source);
    if (!source || source->storage != model.storage) return;
    const bool impossible = failure->verdict && !failure->verdict->possible;
    model.callout = Callout{failure->expression + (impossible ? " is impossible without a copy" : " is refused"),
                            failure->kind + ": " + failure->message, failure->why, failure->verdict,
                            geometry_of(*source)};
    return;
  }
  const auto tensor = session.world().tensor(session.selection().tensor);
  if (tensor && tensor->copied)
    model.callout = Callout{name_of(*tensor) + " is a copy", "made by " + tensor->made_by, tensor->why, {}, {}};
}

// Every element becomes a row of bytes: one more dimension, of stride 1.
Geometry as_bytes(const Geometry& g, size_t itemsize) {
  const auto size = static_cast<int64_t>(itemsize);
  Geometry bytes = g;
  for (int64_t& stride : bytes.strides) stride *= size;
  bytes.offset *= size;
  bytes.sizes.push_back(size);
  bytes.strides.push_back(1);
  return bytes;
}

void cut_into_cells(bool bytes, int64_t run, StorageModel& model) {
  model.bytes = bytes;
  model.cell_bytes = bytes ? 1 : model.itemsize;
  model.cells = bytes ? static_cast<int64_t>(model.nbytes) : model.elements;
  model.span = bytes ? static_cast<int64_t>(model.itemsize) : 1;
  model.columns = bytes ? 16 : columns_for(run, model.itemsize);
  model.run = run * model.span;
}

}  // namespace

StorageModel make_storage_model(const Session& session) {
  StorageModel model;
  const auto storage = session.world().storage(session.selection().storage);
  if (!storage) return model;
  model.storage = storage->id;
  model.title = "Storage #" + std::to_string(storage->id);
  model.nbytes = storage->nbytes;
  model.alive = storage->alive;
  auto reader = session.world().tensor(session.selection().tensor);
  const auto base = base_of(session.world(), storage->id);
  if (!reader || reader->storage != storage->id) reader = base;
  model.dtype = reader ? reader->dtype : ScalarType::Byte;
  model.itemsize = std::max<size_t>(element_size(model.dtype), 1);
  model.elements = static_cast<int64_t>(model.nbytes / model.itemsize);
  cut_into_cells(session.shows_bytes(), run_of(base), model);
  model.subtitle = count_text(model.elements, "element", "elements") + ", " + bytes_text(model.nbytes) + ", read as " +
                   dtype_name(model.dtype);
  if (!model.alive) model.subtitle += ", freed at event " + std::to_string(storage->died);
  for (const TensorState& tensor : session.overlays()) {
    const Geometry g = geometry_of(tensor);
    model.overlays.push_back({tensor.id, name_of(tensor), geometry_line(tensor), session.color_of(tensor.id),
                              tensor.id == session.selection().tensor, g,
                              model.bytes ? as_bytes(g, std::max<size_t>(element_size(tensor.dtype), 1)) : g});
  }
  tell_holders(session, model);
  tell_reach(session, model);
  tell_callout(session, model);
  return model;
}

namespace {

struct Bytes {
  std::vector<std::byte> value;
  std::vector<ByteState> known;
};

// Of `count` units of `size` bytes: elements, or cells.
Bytes bytes_at(const Session& session, size_t t, const StorageModel& model, int64_t first, int64_t count, size_t size) {
  Bytes bytes{std::vector<std::byte>(count * size), std::vector<ByteState>(count * size)};
  session.trace().bytes_at(t, model.storage, first * size, bytes.value, bytes.known);
  return bytes;
}

ByteState state_of(const Bytes& bytes, size_t element, size_t itemsize) {
  ByteState state = ByteState::Known;
  for (size_t i = 0; i < itemsize; ++i)
    if (bytes.known[element * itemsize + i] != ByteState::Known) state = bytes.known[element * itemsize + i];
  return state;
}

// Bytes of the storage that the current event wrote, as cells [begin, end); empty when it wrote none.
Run written_now(const Session& session, const StorageModel& model) {
  if (session.time() == 0) return {};
  const auto& event = session.trace().event(session.time());
  if (event.kind != trace::EventKind::Write || event.object != model.storage) return {};
  const auto write = session.trace().write(event.detail);
  return {static_cast<int64_t>(write.begin / model.cell_bytes),
          static_cast<int64_t>((write.end + model.cell_bytes - 1) / model.cell_bytes)};
}

void light(const StorageModel& model, int64_t first, std::vector<Cell>& cells) {
  const auto end = first + static_cast<int64_t>(cells.size());
  for (size_t i = 0; i < model.overlays.size() && i < 32; ++i) {
    const Geometry& g = model.overlays[i].cells;
    for (const Run& run : lit_runs(g, first, end))
      for (int64_t at = run.begin; at < run.end; ++at) cells[at - first].lit |= 1u << i;
    if (internal_overlap(g.sizes, g.strides) == InternalOverlap::No) continue;
    const std::vector<uint32_t> counts = read_counts(g, first, end);
    for (size_t at = 0; at < counts.size(); ++at) cells[at].overlap |= counts[at] > 1;
  }
}

std::string cell_text(const StorageModel& model, const std::byte* cell, const ValueFormat& format) {
  if (!model.bytes) return value_text(model.dtype, cell, format);
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned>(*cell);
  return {kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

std::vector<Cell> storage_cells(const Session& session, const StorageModel& model, int64_t first, int64_t count) {
  first = std::clamp<int64_t>(first, 0, model.cells);
  count = std::clamp<int64_t>(count, 0, model.cells - first);
  std::vector<Cell> cells(count);
  if (count == 0) return cells;
  const size_t size = model.cell_bytes;
  const Bytes now = bytes_at(session, session.time(), model, first, count, size);
  const ValueFormat format = model.bytes ? ValueFormat{} : choose_format(model.dtype, now.value);
  const Run written = written_now(session, model);
  const bool any_written = written.begin < first + count && first < written.end;
  const Bytes before = any_written ? bytes_at(session, session.time() - 1, model, first, count, size) : Bytes{};
  for (int64_t i = 0; i < count; ++i) {
    Cell& cell = cells[i];
    const std::byte* element = now.value.data() + i * size;
    cell.state = state_of(now, i, size);
    if (cell.state == ByteState::Known) {
      cell.text = cell_text(model, element, format);
      cell.special = !model.bytes && is_special(model.dtype, element);
    }
    if (!any_written || first + i < written.begin || first + i >= written.end) continue;
    const std::byte* old = before.value.data() + i * size;
    const ByteState old_state = state_of(before, i, size);
    cell.changed = old_state != cell.state || !std::equal(old, old + size, element);
    if (cell.changed && old_state == ByteState::Known) cell.old_text = cell_text(model, old, format);
  }
  light(model, first, cells);
  return cells;
}

ElementFacts element_facts(const Session& session, const StorageModel& model, int64_t element) {
  ElementFacts facts;
  if (element < 0 || element >= model.elements) return facts;
  std::string same, sum;
  // The selected tensor's index comes first.
  std::vector<const Overlay*> order;
  for (const Overlay& overlay : model.overlays)
    order.insert(overlay.selected ? order.begin() : order.end(), &overlay);
  for (const Overlay* overlay : order) {
    const auto indices = indices_reading(overlay->geometry, element, 3);
    for (size_t i = 0; i < std::min<size_t>(indices.size(), 2); ++i)
      same += (same.empty() ? "" : " = ") + overlay->name + index_text(indices[i]);
    if (indices.size() > 2) same += " = ...";
    if (!sum.empty() || indices.empty()) continue;
    sum = std::to_string(overlay->geometry.offset);
    for (size_t i = 0; i < indices[0].size(); ++i)
      sum += " + " + std::to_string(indices[0][i]) + "·" + std::to_string(overlay->geometry.strides[i]);
    sum += " = element " + std::to_string(element);
  }
  facts.lines.push_back(same.empty() ? "element " + std::to_string(element) + ": no tensor shown here reads it" : same);
  if (!sum.empty()) facts.lines.push_back(sum);
  const uint64_t begin = element * model.itemsize;
  facts.lines.push_back("bytes " + std::to_string(begin) + " to " + std::to_string(begin + model.itemsize - 1));
  const Bytes bytes = bytes_at(session, session.time(), model, element, 1, model.itemsize);
  const ByteState state = state_of(bytes, 0, model.itemsize);
  facts.value = state == ByteState::Known           ? full_value_text(model.dtype, bytes.value.data())
                : state == ByteState::Uninitialised ? "not initialised yet"
                                                    : "not recorded";
  facts.lines.push_back("value " + facts.value);
  const size_t write = session.trace().last_write_to(session.time(), model.storage, begin, begin + model.itemsize);
  if (write) {
    const auto& event = session.trace().event(write);
    const std::string op = event.span == trace::kNone ? "" : session.trace().spans()[event.span].op + " ";
    facts.lines.push_back("last written by " + op + "(event " + std::to_string(write) + ", version " +
                          std::to_string(session.trace().write(event.detail).version_after) + ")");
  }
  return facts;
}

}  // namespace cutaway::inspector
