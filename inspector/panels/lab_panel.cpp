// The View lab: at the left the knobs, presets and the expression; at the right the elements they light, the verdict of the
// library's own check, and why flattening works or does not.

#include <algorithm>
#include <cmath>
#include <functional>

#include "inspector/model/lab_model.h"
#include "inspector/model/storage_model.h"
#include "inspector/model/tensor_table.h"
#include "inspector/panels/callout.h"
#include "inspector/panels/element_card.h"
#include "inspector/panels/grid_source.h"
#include "inspector/panels/panel.h"
#include "inspector/panels/tensor_tiles.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/field.h"
#include "inspector/widgets/icons.h"
#include "inspector/widgets/knob.h"

namespace cutaway::inspector {
namespace {

constexpr float kTilesShare = 0.34f, kLeastGrid = 120;

struct Memory {
  Cached<LabModel> model;
  Cached<StorageModel> storage;
  GridSource source;
  GridState grid;
  TensorTiles tiles;
  float tiles_height = 0;
  std::string expression;
  std::string error;
  ObjectId framed = 0;
  std::optional<Callout> callout;
  uint64_t told = UINT64_MAX;
};

void knobs(Session& session, const LabModel& model) {
  const size_t ndim = model.geometry.sizes.size();
  std::optional<std::pair<size_t, int64_t>> turned;
  for (size_t i = 0; i < model.knobs.size(); ++i) {
    const LabKnob& knob = model.knobs[i];
    if (i == 0 && ndim) heading("SIZES");
    if (i == ndim && ndim) heading("STRIDES");
    if (i == 2 * ndim) heading("OFFSET");
    if (const auto value = knob_row({knob.label.c_str(), knob.label, knob.value, knob.least, knob.most}))
      turned = {i, *value};
  }
  if (turned) turn_knob(session, turned->first, turned->second);
}

void presets(Session& session, const LabModel& model) {
  heading("PRESETS");
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  const auto button = [&](const std::string& name) {
    const float width = text_size(name, words(kSmall)).x + px(20);
    if (!first) ImGui::SameLine(0, px(6));
    if (!first && ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    first = false;
    return word_button(name.c_str(), name);
  };
  for (const LabPreset& preset : model.presets) {
    if (button(preset.name)) {
      session.lab = preset.geometry;
      session.lab_turned = true;
      session.touch();
    }
    if (preset.refused) tip(preset.error);
  }
  if (session.lab_turned && button("back to the tensor")) session.reset_lab();
}

void expression(PanelContext& context, Memory& memory) {
  heading("EXPRESSION");
  bool entered = false;
  search_field("expression", "x[1:4, ::2].transpose(0, 1)", &memory.expression, true, &entered);
  if (entered) {
    memory.error.clear();
    try {
      context.session.add_view(memory.expression);
    } catch (const std::exception& error) {
      memory.error = error.what();
    }
  }
  if (!memory.error.empty()) put_text(memory.error, mono(kRuler, Role::Wrong), true);
}

// "What reads byte 40?"
void look_up(Session& session, const LabModel& model, const StorageModel& storage) {
  heading("WHAT READS THIS BYTE");
  const auto size = static_cast<int64_t>(storage.itemsize), last = static_cast<int64_t>(storage.nbytes) - 1;
  const auto element = session.hovered_element() ? session.hovered_element() : session.selection().element;
  if (const auto byte =
          knob_row({"byte", "byte", element.value_or(0) * size, 0, std::max<int64_t>(last, 0)})) {
    // One step goes to the next element, not to the next byte of the same.
    const int64_t now = element.value_or(0) * size;
    const int64_t next = *byte == now + 1 ? now + size : *byte;
    session.select_element(std::clamp<int64_t>(next, 0, std::max<int64_t>(last, 0)) / size);
  }
  put_text(model.reverse.empty() ? std::string_view("Point at a cell, or click one.") : model.reverse,
           words(kSmall, Role::Quiet), true);
}

void code(const LabModel& model) {
  heading("CODE");
  put_text(model.code, mono(kRuler), true);
  gap(2);
  if (word_button("copy", "Copy")) ImGui::SetClipboardText(model.code.c_str());
}

// The storage with only the lab's elements lit.
StorageModel lab_storage(const Session& session, const LabModel& model) {
  StorageModel storage = make_storage_model(session);
  storage.overlays.clear();
  if (!model.legal) return storage;
  Overlay overlay{model.tensor,   "lab",         "", session.color_of(model.tensor), true,
                  model.geometry, model.geometry};
  if (storage.bytes) {
    for (int64_t& stride : overlay.cells.strides) stride *= storage.span;
    overlay.cells.offset *= storage.span;
    overlay.cells.sizes.push_back(storage.span);
    overlay.cells.strides.push_back(1);
  }
  storage.overlays.push_back(std::move(overlay));
  return storage;
}

// The geometry as a tensor of its own, for the tables below the grid.
TensorTable lab_table(const Session& session, const LabModel& model, const StorageModel& storage) {
  TensorTable table;
  const int64_t numel = model.legal ? model.geometry.numel() : 0;
  if (numel == 0) return table;
  table.tensor = model.tensor;
  table.name = "as_strided";
  table.storage = storage.storage;
  table.dtype = storage.dtype;
  table.geometry = model.geometry;
  table.color = session.color_of(model.tensor);
  const auto& sizes = model.geometry.sizes;
  if (!sizes.empty()) table.columns = sizes[sizes.size() - 1];
  if (sizes.size() >= 2) table.rows = sizes[sizes.size() - 2];
  table.tables = numel / (table.rows * table.columns);
  return table;
}

void tell(const Session& session, const LabModel& model, Memory& memory) {
  if (memory.told == session.content_revision()) return;
  memory.told = session.content_revision();
  memory.callout.reset();
  if (!model.legal)
    memory.callout = Callout{true,
                             "This would read outside the storage",
                             "RuntimeError: " + model.error,
                             "Turn a knob back into its range: the tracks show how far each may go.",
                             {},
                             {},
                             {}};
  else if (model.geometry.numel() > 0 && !model.flatten_verdict.possible)
    memory.callout =
        Callout{true, "view(-1) fails here", "", model.flatten, model.flatten_verdict, {}, model.geometry};
}

void verdict_rows(const LabModel& model, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, at, model.title, strong(kTitle));
  const float x = at.x + text_size(model.title, strong(kTitle)).x + px(20);
  draw_fitted(list, {x, at.y + px(4)}, model.legal ? std::string_view(model.verdict) : "not legal",
              words(kSmall, model.legal ? Role::Quiet : Role::Wrong), at.x + width - x);
  ImGui::Dummy({width, px(26)});
  if (!model.legal) return;
  put_fitted(model.overlap, words(kSmall, Role::Quiet));
}

void right_side(PanelContext& context, const LabModel& model, const StorageModel& storage, Memory& memory) {
  Session& session = context.session;
  const float width = ImGui::GetContentRegionAvail().x;
  verdict_rows(model, width);
  const float room = ImGui::GetContentRegionAvail().y;
  const float callout = memory.callout ? callout_height(*memory.callout, width) + px(14) : 0;
  const float tiles_most = std::max((room - callout) * kTilesShare, 0.0f);
  const float rows = std::ceil(static_cast<float>(storage.cells) /
                               static_cast<float>(std::max<int64_t>(memory.grid.columns, 1)));
  const float height = std::max(
      room - callout - (memory.tiles_height > 0 ? memory.tiles_height + px(12) : 0) - px(8), px(kLeastGrid));
  GridInput& input =
      memory.source.input(context, storage, "lab", 0, std::min(height, px(30) + rows * px(42)));
  if (memory.framed != model.tensor && model.geometry.numel() > 0) {
    memory.framed = model.tensor;
    memory.grid = {};
    memory.grid.frame = model.geometry.offset * storage.span;
  }
  const GridOutput output = draw_cell_grid(input, memory.grid);
  std::optional<int64_t> hovered = follow_mouse(session, storage, output);
  gap(4);
  if (memory.callout) {
    draw_callout(ImGui::GetCursorScreenPos(), width, *memory.callout);
    ImGui::Dummy({width, callout - px(6)});
  }
  const auto make = [&] { return lab_table(session, model, storage); };
  const TilesOutput tiles = memory.tiles.draw(context, std::cref(make), tiles_most);
  memory.tiles_height = tiles.height;
  if (tiles.hovered) hovered = tiles.hovered;
  if (hovered || ImGui::IsWindowHovered()) session.hover_element(hovered);
  if (hovered) element_tooltip(context, storage, *hovered);
}

}  // namespace

void draw_lab(PanelContext& context) {
  Session& session = context.session;
  Memory& memory = context.memory.of<Memory>();
  const LabModel& model = memory.model.get(session.revision(), [&] { return make_lab_model(session); });
  if (!model.tensor)
    return empty_state(
        "Sizes, strides and offset as knobs over a real storage, and what the library says of them.",
        "Select a tensor in the Explorer.");
  const StorageModel& storage =
      memory.storage.get(session.content_revision(), [&] { return lab_storage(session, model); });
  tell(session, model, memory);
  const float width = ImGui::GetContentRegionAvail().x, side = std::clamp(width * 0.34f, px(230), px(310));
  ImGui::BeginChild("knobs", {side, 0});
  knobs(session, model);
  presets(session, model);
  expression(context, memory);
  look_up(session, model, storage);
  code(model);
  ImGui::EndChild();
  ImGui::SameLine(0, px(20));
  ImGui::BeginChild("grid", {0, 0});
  right_side(context, model, storage, memory);
  ImGui::EndChild();
}

}  // namespace cutaway::inspector
