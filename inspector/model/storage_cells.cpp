// The cells of a storage for a range on the screen, and what is said of one element.

#include <algorithm>

#include "core/geometry/lit_runs.h"
#include "core/geometry/overlap.h"
#include "inspector/model/read_bytes.h"
#include "inspector/model/storage_model.h"

namespace cutaway::inspector {

using trace::ByteState;

namespace {

// The moment that cells are compared with, and the cells of it that may differ: those that the current event wrote, or
// all when an event is locked. Empty when nothing can differ.
struct Before {
  size_t time = 0;
  Run cells;
};

Before before_now(const Session& session, const StorageModel& model) {
  if (model.compared) {
    const bool was_there = session.trace().world_at(*model.compared).storage(model.storage).has_value();
    return {*model.compared, was_there ? Run{0, model.cells} : Run{}};
  }
  if (session.time() == 0) return {};
  const auto& event = session.trace().event(session.time());
  if (event.kind != trace::EventKind::Write || event.object != model.storage) return {};
  const auto& write = session.trace().write(event.detail);
  return {session.time() - 1,
          {static_cast<int64_t>(write.begin / model.cell_bytes),
           static_cast<int64_t>((write.end + model.cell_bytes - 1) / model.cell_bytes)}};
}

void light(const StorageModel& model, int64_t first, std::vector<Cell>& cells) {
  const auto end = first + static_cast<int64_t>(cells.size());
  for (size_t i = 0; i < model.overlays.size() && i < kMostOverlays; ++i) {
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

// The index equalities and the sum of the selected tensor, or of the first that reads it.
void tell_readers(const StorageModel& model, int64_t element, ElementFacts& facts) {
  constexpr size_t kMostShown = 2, kMostKept = 64;
  std::vector<const Overlay*> order;
  for (const Overlay& overlay : model.overlays)
    order.insert(overlay.selected ? order.begin() : order.end(), &overlay);
  std::string same, sum;
  for (const Overlay* overlay : order) {
    auto indices = indices_reading(overlay->geometry, element, kMostKept + 1);
    if (indices.empty()) continue;
    for (size_t i = 0; i < std::min(indices.size(), kMostShown); ++i)
      same += (same.empty() ? "" : " = ") + overlay->name + index_text(indices[i]);
    if (indices.size() > kMostShown) same += " = ...";
    if (sum.empty()) {
      sum = std::to_string(overlay->geometry.offset);
      for (size_t i = 0; i < indices[0].size(); ++i)
        sum += " + " + std::to_string(indices[0][i]) + "·" + std::to_string(overlay->geometry.strides[i]);
      sum += " = element " + std::to_string(element);
    }
    const bool more = indices.size() > kMostKept;
    if (more) indices.pop_back();
    facts.readers.push_back({overlay->tensor, overlay->name, std::move(indices), more});
  }
  facts.lines.push_back(
      same.empty() ? "element " + std::to_string(element) + ": no tensor shown here reads it" : same);
  if (!sum.empty()) facts.lines.push_back(sum);
}

void tell_last_write(const Session& session, const StorageModel& model, uint64_t begin, ElementFacts& facts) {
  facts.written_at =
      session.trace().last_write_to(session.time(), model.storage, begin, begin + model.itemsize);
  if (!facts.written_at) return;
  const auto& event = session.trace().event(facts.written_at);
  const std::string op = event.span == trace::kNone ? "" : session.trace().spans()[event.span].op + " ";
  facts.lines.push_back("last written by " + op + "(event " + std::to_string(facts.written_at) +
                        ", version " + std::to_string(session.trace().write(event.detail).version_after) +
                        ")");
}

}  // namespace

std::vector<Cell> storage_cells(const Session& session, const StorageModel& model, int64_t first,
                                int64_t count) {
  first = std::clamp<int64_t>(first, 0, model.cells);
  count = std::clamp<int64_t>(count, 0, model.cells - first);
  std::vector<Cell> cells(count);
  if (count == 0) return cells;
  const size_t size = model.cell_bytes;
  const auto read = [&](size_t t) {
    return read_bytes(session.trace(), t, model.storage, first * size, count * size);
  };
  const ReadBytes now = read(session.time());
  session.note_read_problem(now.problem);
  const ValueFormat format = model.bytes ? ValueFormat{} : choose_format(model.dtype, now.value);
  const Before before = before_now(session, model);
  const bool may_differ = before.cells.begin < first + count && first < before.cells.end;
  const ReadBytes old = may_differ ? read(before.time) : ReadBytes{};
  for (int64_t i = 0; i < count; ++i) {
    Cell& cell = cells[i];
    const std::byte* element = now.value.data() + i * size;
    cell.state = state_of(now, i, size);
    if (cell.state == ByteState::Known) {
      cell.text = cell_text(model, element, format);
      cell.special = !model.bytes && is_special(model.dtype, element);
    }
    if (!may_differ || first + i < before.cells.begin || first + i >= before.cells.end) continue;
    const std::byte* was = old.value.data() + i * size;
    const ByteState old_state = state_of(old, i, size);
    cell.changed = old_state != cell.state || !std::equal(was, was + size, element);
    if (cell.changed && old_state == ByteState::Known) cell.old_text = cell_text(model, was, format);
  }
  light(model, first, cells);
  return cells;
}

ElementFacts element_facts(const Session& session, const StorageModel& model, int64_t element) {
  ElementFacts facts;
  if (element < 0 || element >= model.elements) return facts;
  facts.element = element;
  tell_readers(model, element, facts);
  const uint64_t begin = element * model.itemsize;
  facts.lines.push_back(model.itemsize == 1 ? "byte " + std::to_string(begin)
                                            : "bytes " + std::to_string(begin) + " to " +
                                                  std::to_string(begin + model.itemsize - 1));
  const ReadBytes bytes = read_bytes(session.trace(), session.time(), model.storage, begin, model.itemsize);
  const ByteState state = state_of(bytes, 0, model.itemsize);
  facts.value = state == ByteState::Known           ? full_value_text(model.dtype, bytes.value.data())
                : state == ByteState::Uninitialised ? "not initialised yet"
                                                    : "not recorded";
  facts.lines.push_back("value " + facts.value);
  facts.fields = bit_fields(model.dtype);
  if (state == ByteState::Known)
    for (std::byte b : bytes.value) facts.bytes.push_back(static_cast<uint8_t>(b));
  tell_last_write(session, model, begin, facts);
  return facts;
}

}  // namespace cutaway::inspector
