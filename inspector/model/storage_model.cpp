#include "inspector/model/storage_model.h"

#include <algorithm>

#include "core/geometry/bounds.h"
#include "core/geometry/lit_runs.h"
#include "core/geometry/overlap.h"

namespace cutaway::inspector {

using trace::ByteState;
using trace::TensorState;

namespace {

// A tensor is warned about when it reads an eighth or less of a storage that is worth a word (MEM-6).
constexpr uint64_t kSmallStorage = 256;
constexpr uint64_t kSmallPart = 8;

std::string geometry_line(const TensorState& tensor) {
  return shape_text(tensor.sizes) + "   strides " +
         (tensor.strides.empty() ? "none" : shape_text(tensor.strides)) + "   offset " +
         std::to_string(tensor.storage_offset);
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

// "x, y, z and 2 without a name"
std::string names_text(const Session& session, const std::vector<ObjectId>& tensors) {
  constexpr size_t kMost = 4;
  std::string text;
  size_t named = 0, nameless = 0;
  for (ObjectId id : tensors) {
    const std::string& name = session.world().name(id);
    if (name.empty())
      ++nameless;
    else if (++named <= kMost)
      text += (text.empty() ? "" : ", ") + name;
  }
  if (named > kMost) text += " and " + std::to_string(named - kMost) + " more";
  if (nameless && named) text += " and " + std::to_string(nameless) + " without a name";
  return text;
}

void tell_holders(const Session& session, const trace::StorageState& storage, StorageModel& model) {
  if (!model.alive) {
    model.held_by = "nobody: it was freed at event " + std::to_string(storage.died);
    return;
  }
  const std::vector<ObjectId> tensors = session.world().tensors_on(model.storage);
  const size_t count = tensors.size();
  const std::string names = names_text(session, tensors);
  model.held_by =
      std::to_string(count) + (count == 1 ? " tensor" : " tensors") + (names.empty() ? "" : ": " + names);
  if (storage.strong)
    model.held_by +=
        "; " + std::to_string(storage.strong) + " strong, " + std::to_string(storage.weak) + " weak";
  model.freed_when = count == 0   ? "nobody of this trace holds it"
                     : count == 1 ? "freed when it is gone"
                     : count == 2 ? "freed when both are gone"
                                  : "freed when all " + std::to_string(count) + " are gone";
}

// Elements that g reads, each counted once; more than it may take a while to count are estimated from above.
int64_t distinct_elements(const Geometry& g) {
  constexpr int64_t kMostCounted = 1 << 16;
  int64_t steps = 1;
  for (size_t i = 0; i < g.sizes.size(); ++i) steps *= g.strides[i] == 0 && g.sizes[i] > 0 ? 1 : g.sizes[i];
  const Run run = extent(g);
  if (steps > kMostCounted || exact_overlap(g, 0).verdict == ExactOverlap::Verdict::None)
    return std::min(steps, run.end - run.begin);
  int64_t count = 0;
  for (const Run& lit : lit_runs(g, run.begin, run.end)) count += lit.end - lit.begin;
  return count;
}

void tell_reach(const Session& session, StorageModel& model) {
  const auto tensor = session.world().tensor(session.selection().tensor);
  if (!tensor || tensor->storage != model.storage) return;
  const Geometry g = geometry_of(*tensor);
  const Run run = extent(g);
  const size_t itemsize = std::max<size_t>(element_size(tensor->dtype), 1);
  model.reachable_bytes = static_cast<uint64_t>(distinct_elements(g)) * itemsize;
  model.reach_begin = static_cast<uint64_t>(run.begin) * itemsize;
  model.reach_end = static_cast<uint64_t>(run.end) * itemsize;
  if (model.alive && model.nbytes >= kSmallStorage && model.reachable_bytes * kSmallPart <= model.nbytes)
    model.reach_warning =
        name_of(*tensor) + " reads " + bytes_text(model.reachable_bytes) + " of " + bytes_text(model.nbytes) +
        ", and keeps all of them alive: a view holds the storage. A clone() would hold only what it reads.";
}

std::string count_text(int64_t n, const char* one, const char* many) {
  return grouped(static_cast<uint64_t>(n)) + " " + (n == 1 ? one : many);
}

void tell_callout(const Session& session, StorageModel& model) {
  if (const FailedView* failure = session.failure()) {
    const auto source = session.world().tensor(failure->source);
    if (!source || source->storage != model.storage) return;
    const bool impossible = failure->verdict && !failure->verdict->possible;
    model.callout =
        Callout{true,
                failure->expression + (impossible ? " is impossible without a copy" : " is refused"),
                failure->kind + ": " + failure->message,
                failure->why,
                failure->verdict,
                failure->collision,
                geometry_of(*source)};
    return;
  }
  const auto tensor = session.world().tensor(session.selection().tensor);
  if (tensor && tensor->copied)
    model.callout = Callout{
        false, name_of(*tensor) + " is a copy", "made by " + tensor->made_by, tensor->why, {}, {}, {}};
}

// Every element becomes a row of `count` pieces: one more dimension, of stride 1.
Geometry in_pieces(Geometry g, size_t count) {
  const auto size = static_cast<int64_t>(count);
  for (int64_t& stride : g.strides) stride *= size;
  g.offset *= size;
  g.sizes.push_back(size);
  g.strides.push_back(1);
  return g;
}

// A tensor's elements as cells of the grid; nothing when its elements are smaller than a cell, so that none fits.
std::optional<Geometry> cells_of(const TensorState& tensor, const StorageModel& model) {
  const size_t itemsize = std::max<size_t>(element_size(tensor.dtype), 1);
  if (itemsize == model.cell_bytes) return geometry_of(tensor);
  if (itemsize % model.cell_bytes != 0) return std::nullopt;
  return in_pieces(geometry_of(tensor), itemsize / model.cell_bytes);
}

void add_overlays(const Session& session, StorageModel& model) {
  for (const TensorState& tensor : session.overlays()) {
    const bool selected = tensor.id == session.selection().tensor;
    const std::optional<Geometry> cells = cells_of(tensor, model);
    const bool room = model.overlays.size() < kMostOverlays;
    if (!cells || (!room && !selected)) {
      ++model.overlays_left_out;
      continue;
    }
    if (!room) {
      model.overlays.pop_back();
      ++model.overlays_left_out;
    }
    model.overlays.push_back({tensor.id, name_of(tensor), geometry_line(tensor), session.color_of(tensor.id),
                              selected, geometry_of(tensor), *cells});
  }
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
  const auto storage = session.world().storage(session.shown_storage());
  if (!storage) return model;
  model.storage = storage->id;
  model.title = "Storage #" + std::to_string(storage->id);
  model.nbytes = storage->nbytes;
  model.alive = storage->alive;
  auto reader = session.world().tensor(session.selection().tensor);
  // The first tensor decides how rows are cut, so that the grid stays still while views come and go.
  const auto base = session.world().tensor(session.first_on(storage->id));
  if (!reader || reader->storage != storage->id) reader = base;
  model.dtype = reader ? reader->dtype : ScalarType::Byte;
  model.itemsize = std::max<size_t>(element_size(model.dtype), 1);
  model.elements = static_cast<int64_t>(model.nbytes / model.itemsize);
  cut_into_cells(session.shows_bytes(), run_of(base), model);
  model.subtitle = count_text(model.elements, "element", "elements") + ", " + bytes_text(model.nbytes) +
                   ", read as " + dtype_name(model.dtype);
  if (!model.alive) model.subtitle += ", freed at event " + std::to_string(storage->died);
  model.compared = session.compared_event();
  add_overlays(session, model);
  tell_holders(session, *storage, model);
  tell_reach(session, model);
  tell_callout(session, model);
  return model;
}

}  // namespace cutaway::inspector
