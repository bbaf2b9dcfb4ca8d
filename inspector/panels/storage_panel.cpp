// The Storage panel: title, legend, the grid, and below it what is to be said: a refused view with its two dimensions in
// brackets, who holds the storage, how much of it the selected tensor reads.

#include <algorithm>

#include "inspector/model/storage_model.h"
#include "inspector/panels/grid_columns.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

GridCell grid_cell(Cell cell) {
  GridCell g;
  g.text = std::move(cell.text);
  g.old_text = std::move(cell.old_text);
  g.changed = cell.changed;
  g.special = cell.special;
  g.known = cell.state != trace::ByteState::NotRecorded;
  g.initialised = cell.state != trace::ByteState::Uninitialised;
  g.views = cell.lit;
  g.overlap = cell.overlap;
  return g;
}

GridInput grid_input(const Session& session, const StorageModel& model) {
  GridInput input;
  input.elements = model.elements;
  input.columns = model.columns;
  for (const Overlay& overlay : model.overlays) {
    const bool all = overlay.geometry.numel() == model.elements && overlay.geometry.offset == 0;
    input.views.push_back({overlay.color, overlay.selected, all});
  }
  input.selected = session.selection().element;
  input.hovered = session.hovered_element();
  input.revision = session.time() * 131 + model.storage;
  input.cells = [&session, &model](int64_t first, int64_t count) {
    std::vector<GridCell> cells;
    for (Cell& cell : storage_cells(session, model, first, count)) cells.push_back(grid_cell(std::move(cell)));
    return cells;
  };
  input.values = [&session, &model](int64_t first, int64_t count) { return storage_values(session, model, first, count); };
  return input;
}

void legend(const StorageModel& model) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Overlay& overlay : model.overlays) {
    const float width = px(14 + 6 + 20) + text_size(overlay.name, words(kSmall)).x;
    if (!first) {
      ImGui::SameLine(0, px(18));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    first = false;
    swatch(overlay.color);
    ImGui::SameLine(0, px(6));
    put_text(fitted(overlay.name, words(kSmall), px(360)), overlay.selected ? strong(kSmall) : words(kSmall, Role::Quiet));
  }
}

Card callout_card(const Callout& callout) {
  return {callout.title, callout.message, callout.why, callout.verdict ? Role::Wrong : Role::Accent};
}

// sizes over strides, with a bracket under the two dimensions that cannot merge.
constexpr float kBracketHeight = 92;
void draw_brackets(ImVec2 at, const Callout& callout) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float column = px(76), label = px(84);
  const TextStyle quiet = words(kRuler, Role::Quiet), number = mono(14);
  draw_text(list, {at.x, at.y + px(22)}, "sizes", quiet);
  draw_text(list, {at.x, at.y + px(44)}, "strides", quiet);
  const auto centred = [&](float x, float y, const std::string& text, const TextStyle& style) {
    draw_text(list, {x + (column - text_size(text, style).x) / 2, y}, text, style);
  };
  for (int64_t i = 0; i < callout.source.dim(); ++i) {
    const float x = at.x + label + column * static_cast<float>(i);
    const bool named = i == callout.verdict->outer || i == callout.verdict->inner;
    centred(x, at.y, "dim " + std::to_string(i), words(kRuler, named ? Role::Wrong : Role::Faint));
    centred(x, at.y + px(20), std::to_string(callout.source.sizes[i]), number);
    centred(x, at.y + px(42), std::to_string(callout.source.strides[i]), number);
  }
  const float x0 = at.x + label + column * static_cast<float>(callout.verdict->outer) + px(14);
  const float x1 = at.x + label + column * static_cast<float>(callout.verdict->inner + 1) - px(14), y = at.y + px(66);
  const ImU32 ink = color(Role::Wrong);
  list->AddLine({x0, y}, {x0, y + px(7)}, ink, px(1.5f));
  list->AddLine({x0, y + px(7)}, {x1, y + px(7)}, ink, px(1.5f));
  list->AddLine({x1, y}, {x1, y + px(7)}, ink, px(1.5f));
  draw_text(list, {x1 + px(12), y - px(2)}, "cannot merge", words(kRuler, Role::Wrong));
}

bool has_brackets(const Callout& callout) {
  return callout.verdict && !callout.verdict->possible && callout.verdict->outer >= 0 && callout.source.dim() > 0;
}

float below_height(const StorageModel& model, float width) {
  float height = px(30);
  if (!model.reach_warning.empty()) height += px(22);
  if (model.callout) height += card_height(callout_card(*model.callout), width) + px(14) + (has_brackets(*model.callout) ? px(kBracketHeight) : 0);
  return height;
}

void draw_below(const StorageModel& model, float width) {
  put_text("held by " + model.held_by + (model.freed_when.empty() ? "" : "; " + model.freed_when), words(kSmall, Role::Quiet));
  if (!model.reach_warning.empty()) put_text(model.reach_warning, words(kSmall, Role::Text));
  if (!model.callout) return;
  ImGui::Dummy({0, px(2)});
  const Card card = callout_card(*model.callout);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_card(ImGui::GetWindowDrawList(), at, width, card);
  ImGui::Dummy({width, card_height(card, width) + px(4)});
  if (!has_brackets(*model.callout)) return;
  draw_brackets(ImGui::GetCursorScreenPos(), *model.callout);
  ImGui::Dummy({width, px(kBracketHeight)});
}

// A tensor that becomes the selected one is brought into view, when its first element is not there already.
void frame_selected(const Session& session, const StorageModel& model, PanelMemory& memory, int64_t rows_shown) {
  if (memory.framed == session.selection().tensor) return;
  memory.framed = session.selection().tensor;
  for (const Overlay& overlay : model.overlays) {
    if (!overlay.selected) continue;
    GridState& grid = memory.grids[model.storage];
    const int64_t row = overlay.geometry.offset / model.columns;
    if (row < grid.first_row || row >= grid.first_row + rows_shown) grid.first_row = std::max<int64_t>(row - 1, 0);
  }
}

void tooltip(const Session& session, const StorageModel& model, int64_t element) {
  const ElementFacts facts = element_facts(session, model, element);
  ImGui::BeginTooltip();
  for (size_t i = 0; i < facts.lines.size(); ++i) put_text(facts.lines[i], i < 2 ? mono(kSmall) : words(kSmall, Role::Quiet));
  ImGui::EndTooltip();
}

}  // namespace

void draw_storage(PanelContext& context) {
  Session& session = context.session;
  StorageModel model = make_storage_model(session);
  model.columns = columns_that_fit(model);
  if (!model.storage)
    return empty_state("The bytes of one storage, with the views laid over them.",
                       session.trace().size() ? "Nothing is allocated at this event; the right arrow goes on." : "Ctrl+O opens a file; or ./cutaway open FILE.");
  put_text(model.title, strong(kTitle));
  ImGui::SameLine(0, px(24));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(4));
  put_text(model.subtitle + ", " + std::to_string(model.columns) + " a row", words(kSmall, Role::Quiet));
  legend(model);
  ImGui::Dummy({0, px(2)});
  const float width = ImGui::GetContentRegionAvail().x;
  GridInput input = grid_input(session, model);
  const float rows = static_cast<float>((model.elements + model.columns - 1) / std::max<int64_t>(model.columns, 1));
  input.height = std::max(ImGui::GetContentRegionAvail().y - below_height(model, width) - px(8), px(120));
  input.height = std::min(input.height, px(30) + rows * px(40));
  if (model.elements == 0)
    put_text("This storage has no bytes: a tensor without elements needs none.", words(kBody, Role::Quiet));
  const GridOutput output = draw_cell_grid(input, context.memory.grids[model.storage]);
  frame_selected(session, model, context.memory, output.rows_shown);
  if (!output.note.empty()) put_text(output.note, words(kRuler, Role::Faint));
  if (output.hovered || ImGui::IsWindowHovered()) session.hover_element(output.hovered);
  if (output.clicked) session.select_element(output.clicked);
  draw_below(model, width);
  if (output.hovered) tooltip(session, model, *output.hovered);
}

}  // namespace cutaway::inspector
