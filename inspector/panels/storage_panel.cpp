// The Storage panel. From the top: title and switches, the views as a legend, the grid of the buffer, how much of it the
// selected tensor reaches and who holds it, what is to be told (a refused view, a copy), and the selected tensor by its own
// indices, in what room is left.

#include <algorithm>
#include <cmath>

#include "inspector/panels/callout.h"
#include "inspector/panels/element_card.h"
#include "inspector/panels/grid_source.h"
#include "inspector/panels/panel.h"
#include "inspector/panels/switches.h"
#include "inspector/panels/tensor_tiles.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/stamps.h"

namespace cutaway::inspector {
namespace {

constexpr float kInfoRow = 22, kLeastGrid = 120, kTilesShare = 0.38f;

struct Memory {
  Cached<StorageModel> model;
  GridSource source;
  GridOutput seen;  // of the frame before
  TensorTiles tiles;
  float tiles_height = 0;
  // What the grid was last brought to.
  uint64_t framed_revision = UINT64_MAX;
  ObjectId framed_tensor = 0;
  int64_t framed_cell = -1;  // asked for again while the window is being laid out
  int framings_left = 0;
  // Texts and stretches made from the model.
  uint64_t told_revision = UINT64_MAX;
  std::vector<LegendEntry> legend;
  std::string reach;
  std::vector<std::vector<Stretch>> stretches;
  std::string holders;
  std::string subtitle;
};

void tell(const Session& session, const StorageModel& model, Memory& memory) {
  if (memory.told_revision == session.content_revision()) return;
  memory.told_revision = session.content_revision();
  memory.legend.clear();
  memory.stretches.clear();
  memory.reach.clear();
  for (const Overlay& overlay : model.overlays) {
    memory.legend.push_back({overlay.name, overlay.color, overlay.selected, false});
    memory.stretches.push_back(reach_of(overlay.cells, 400));
    if (overlay.selected)
      memory.reach = model.reachable_bytes == 0
                         ? overlay.name + " reads nothing"
                         : overlay.name + " reads " + bytes_text(model.reachable_bytes) + " of " +
                               bytes_text(model.nbytes);
  }
  memory.holders = "held by " + model.held_by + (model.freed_when.empty() ? "" : "; " + model.freed_when);
  if (!model.reach_warning.empty()) memory.holders = model.reach_warning;
}

// In its first frames the grid has not got its height yet, and what was framed then would lie outside.
void bring(Memory& memory, GridState& grid, int64_t cell) {
  constexpr int kLayoutFrames = 3;
  grid.frame = memory.framed_cell = cell;
  memory.framings_left = kLayoutFrames;
}

// The grid follows what was chosen or written, and otherwise stays where the user left it.
void bring_into_view(const Session& session, const StorageModel& model, Memory& memory, GridState& grid) {
  if (memory.framings_left > 0) {
    --memory.framings_left;
    grid.frame = memory.framed_cell;
  }
  if (memory.framed_revision == session.content_revision()) return;
  memory.framed_revision = session.content_revision();
  if (session.time() > 0) {
    const auto& event = session.trace().event(session.time());
    if (event.kind == trace::EventKind::Write && event.object == model.storage)
      bring(memory, grid, static_cast<int64_t>(session.trace().write(event.detail).begin / model.cell_bytes));
  }
  const ObjectId tensor = session.selection().tensor;
  if (memory.framed_tensor == tensor) return;
  memory.framed_tensor = tensor;
  for (const Overlay& overlay : model.overlays)
    if (overlay.tensor == tensor && overlay.geometry.numel() > 0) bring(memory, grid, overlay.cells.offset);
}

void switches(PanelContext& context, const GridInput& input, GridState& grid, ImVec2 at, float width) {
  static constexpr std::string_view kUnits[] = {"elements", "bytes"}, kDetail[] = {"values", "whole"};
  fit_grid(input, grid);
  const bool whole = grid.zoom < 0.999f;
  float x = at.x + width;
  const float all = zoom_for_whole(input);
  if (all < 0.999f || whole) {
    x -= switch_size(kDetail).x;
    const int clicked = draw_switch("detail", {x, at.y}, kDetail, whole ? 1 : 0);
    if (clicked >= 0) grid.zoom = clicked == 1 ? all : 1;
    x -= px(8);
  }
  x -= switch_size(kUnits).x;
  const int clicked = draw_switch("units", {x, at.y}, kUnits, context.session.shows_bytes() ? 1 : 0);
  if (clicked >= 0) context.session.show_bytes(clicked == 1);
}

void title_row(PanelContext& context, const StorageModel& model, const GridInput& input, GridState& grid,
               Memory& memory) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(list, at, model.title, strong(kTitle));
  const float x = at.x + text_size(model.title, strong(kTitle)).x + px(20);
  const float room = at.x + width - px(270) - x;
  if (memory.seen.columns && room > px(80)) {
    draw_fitted(list, {x, at.y + px(4)}, model.subtitle, words(kSmall, Role::Quiet), room);
  }
  switches(context, input, grid, {at.x, at.y - px(1)}, width);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, px(26)});
}

void legend_row(Session& session, const StorageModel& model, const Memory& memory) {
  int hovered = -1;
  const int clicked = legend(memory.legend, &hovered);
  const auto tensor = [&](int i) { return model.overlays[static_cast<size_t>(i)].tensor; };
  if (clicked >= 0) session.select_tensor(tensor(clicked));
  if (hovered >= 0)
    session.hover_tensor(tensor(hovered));
  else if (ImGui::IsWindowHovered())
    session.hover_tensor(0);
}

// One bar for the whole storage: what each view reaches, and the part that is on the screen.
void reach_bar(const StorageModel& model, const Memory& memory, ImVec2 min, ImVec2 max) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, max, color(Role::Raised), px(3));
  const auto x_of = [&](int64_t cell) {
    return min.x +
           static_cast<float>(static_cast<double>(cell) /
                              static_cast<double>(std::max<int64_t>(model.cells, 1)) * (max.x - min.x));
  };
  for (const bool selected : {false, true})
    for (size_t i = 0; i < memory.stretches.size() && i < 32; ++i) {
      if (model.overlays[i].selected != selected) continue;
      float last = -1;
      for (const Stretch& stretch : memory.stretches[i]) {
        const float x0 = std::max(x_of(stretch.begin), last),
                    x1 = std::max(x_of(stretch.end), x_of(stretch.begin) + 1);
        if (x1 <= last) continue;
        list->AddRectFilled({x0, min.y + px(selected ? 0 : 2)}, {x1, max.y - px(selected ? 0 : 2)},
                            view_color(model.overlays[i].color, selected ? 0.9f : 0.3f));
        last = x1;
        budget().weight += 1;
      }
    }
  const GridOutput& seen = memory.seen;
  if (seen.cells_shown < model.cells)
    list->AddRect({x_of(seen.first_cell) - px(2), min.y - px(2)},
                  {std::max(x_of(seen.first_cell + seen.cells_shown), x_of(seen.first_cell) + px(3)) + px(2),
                   max.y + px(2)},
                  color(Role::Text, 0.8f), px(3), px(1));
}

void info_rows(const StorageModel& model, const Memory& memory, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float y = at.y;
  if (!memory.reach.empty()) {
    const float used = draw_fitted(list, {at.x, y}, memory.reach, words(kSmall, Role::Quiet), width * 0.5f);
    const float left = at.x + used + px(16);
    reach_bar(model, memory, {left, y + px(5)}, {at.x + width, y + px(13)});
    y += px(kInfoRow);
  }
  draw_fitted(list, {at.x, y}, memory.holders,
              words(kSmall, model.reach_warning.empty() ? Role::Quiet : Role::Text), width);
  y += px(kInfoRow);
  ImGui::Dummy({width, y - at.y});
}

// The signs that are on the screen, each as it looks there.
void sign_row(const GridOutput& seen) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x;
  const auto sign = [&](bool shown, const char* glyph, Role role, const char* meaning, bool boxed) {
    if (!shown) return;
    const ImVec2 min{x, at.y}, max{x + px(26), at.y + px(17)};
    stamp_fill(list, min, max, color(Role::Raised));
    if (boxed)
      list->AddRect({min.x + px(2), min.y + px(2)}, {max.x - px(2), max.y - px(2)}, color(role), px(2),
                    px(1));
    const ImVec2 size = text_size(glyph, mono(11));
    draw_text(list, {(min.x + max.x - size.x) / 2, at.y + px(2)}, glyph, mono(11, role));
    draw_text(list, {max.x + px(6), at.y + px(1)}, meaning, words(kRuler, Role::Quiet));
    x = max.x + px(6) + text_size(meaning, words(kRuler)).x + px(18);
  };
  sign(seen.any_changed, "7", Role::Accent, "changed by this event", false);
  sign(seen.any_overlap, "", Role::Overlap, "several indices of one tensor read it", true);
  sign(seen.any_special, "nan", Role::Wrong, "NaN or infinite", false);
  sign(seen.any_uninitialised, "·", Role::Quiet, "not initialised yet", false);
  sign(seen.any_unknown, "?", Role::Quiet, "not recorded", false);
  ImGui::Dummy({std::max(x - at.x, 1.0f), px(20)});
}

bool any_sign(const GridOutput& seen) {
  return seen.any_changed || seen.any_overlap || seen.any_special || seen.any_unknown ||
         seen.any_uninitialised;
}

// What the grid cannot show, and what a worker is at.
void note_row(Memory& memory) {
  if (const auto percent = memory.source.percent()) {
    put_text("painting, " + std::to_string(*percent) + " %", words(kRuler, Role::Quiet));
    ImGui::SameLine();
    if (ImGui::SmallButton("Cancel")) memory.source.cancel();
  } else if (*memory.seen.note) {
    put_fitted(memory.seen.note, words(kRuler, Role::Faint));
  } else if (memory.seen.detail != GridDetail::Values && memory.source.sampled()) {
    put_fitted("large: only some rows of each picture element were read", words(kRuler, Role::Faint));
  }
}

bool has_note(const Memory& memory) {
  return memory.source.percent() || *memory.seen.note ||
         (memory.seen.detail != GridDetail::Values && memory.source.sampled());
}

struct Heights {
  float grid = 0;
  float tiles_most = 0;
};

// `room`: pixels below the legend.
Heights share_room(const StorageModel& model, const Memory& memory, float room, float width) {
  float below = px(kInfoRow) * (memory.reach.empty() ? 1 : 2) + px(10);
  if (any_sign(memory.seen)) below += px(24);
  if (has_note(memory)) below += px(22);
  if (model.callout) below += callout_height(*model.callout, width) + px(12);
  const float columns =
      static_cast<float>(std::max<int64_t>(memory.seen.columns ? memory.seen.columns : model.columns, 1));
  const float rows = std::ceil(static_cast<float>(model.cells) / columns);
  const bool values = memory.seen.detail == GridDetail::Values;
  const float natural = px(26) + rows * px(values ? 42.0f : 30.0f);
  Heights heights;
  const float free = room - below;
  heights.tiles_most = std::max(free - natural, model.callout ? 0.0f : free * kTilesShare);
  heights.grid =
      std::max(free - (memory.tiles_height > 0 ? memory.tiles_height + px(12) : 0), px(kLeastGrid));
  heights.grid = std::min(heights.grid, natural + px(24));
  return heights;
}

void below_grid(PanelContext& context, const StorageModel& model, Memory& memory, const Heights& heights,
                float width, std::optional<int64_t>& hovered) {
  gap(4);
  if (any_sign(memory.seen)) sign_row(memory.seen);
  note_row(memory);
  info_rows(model, memory, width);
  if (model.callout) {
    draw_callout(ImGui::GetCursorScreenPos(), width, *model.callout);
    ImGui::Dummy({width, callout_height(*model.callout, width) + px(6)});
  }
  const Session& session = context.session;
  const TilesOutput tiles = memory.tiles.draw(
      context, [&session] { return make_tensor_table(session, session.selection().tensor); },
      heights.tiles_most);
  memory.tiles_height = tiles.height;
  if (tiles.hovered) hovered = tiles.hovered;
}

}  // namespace

void draw_storage(PanelContext& context) {
  Session& session = context.session;
  Memory& memory = context.memory.of<Memory>();
  const StorageModel& model =
      memory.model.get(session.content_revision(), [&] { return make_storage_model(session); });
  if (!model.storage)
    return empty_state("The bytes of one storage, with the views laid over them.",
                       session.trace().size() ? "Nothing is allocated at this event; the right arrow goes on."
                       : session.document().paths().empty()
                           ? "Ctrl+O opens a file; or ./cutaway open FILE."
                           : "Nothing in this file can be shown; the Explorer gives the reason.");
  tell(session, model, memory);
  GridState& grid = context.memory.grids[model.storage];
  bring_into_view(session, model, memory, grid);
  const float width = ImGui::GetContentRegionAvail().x;
  GridInput& input = memory.source.input(context, model, "grid", session.hovered_tensor(),
                                         ImGui::GetContentRegionAvail().y * 0.7f);
  title_row(context, model, input, grid, memory);
  legend_row(session, model, memory);
  const Heights heights = share_room(model, memory, ImGui::GetContentRegionAvail().y, width);
  input.height = heights.grid;
  if (model.cells == 0)
    put_text("This storage has no bytes: a tensor without elements needs none.", words(kBody, Role::Quiet));
  const ImVec2 top = ImGui::GetCursorScreenPos();
  memory.seen = draw_cell_grid(input, grid);
  std::optional<int64_t> hovered = follow_mouse(session, model, memory.seen);
  below_grid(context, model, memory, heights, width, hovered);
  if (hovered || ImGui::IsWindowHovered()) session.hover_element(hovered);
  if (hovered) return element_tooltip(context, model, *hovered);
  if (memory.seen.selected_shown && session.selection().element)
    pin_element_card(context, model, *session.selection().element, memory.seen.selected_min,
                     memory.seen.selected_max, top,
                     {top.x + width, ImGui::GetWindowPos().y + ImGui::GetWindowHeight() - px(8)});
}

}  // namespace cutaway::inspector
