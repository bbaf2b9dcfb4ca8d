// Overview. draw_cell_grid() lays out the rulers and the cells (Layout), handles wheel, keys and the strip at the right
// (scrolling in whole rows), picks the level of detail, and draws it: draw_values, draw_runs, draw_picture.

#include "inspector/widgets/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "inspector/widgets/draw.h"
#include "inspector/widgets/picture.h"

namespace cutaway::inspector {
namespace {

constexpr float kLeastRunCell = 6;
constexpr float kRulerWidth = 62, kRulerHeight = 22, kStripWidth = 12;
static_assert(kRulerWidth + kStripWidth + 8 == kGridMargin);

struct Layout {
  ImVec2 origin;                  // of the first cell
  float cell_w = 0;
  float cell_h = 0;
  float gap = 0;
  int64_t rows = 0;               // that fit
  int64_t total_rows = 0;
  GridDetail detail = GridDetail::Values;

  ImVec2 min_of(int64_t row, int64_t column) const {
    return {origin.x + column * cell_w, origin.y + row * cell_h};
  }
  ImVec2 max_of(int64_t row, int64_t column) const {
    const ImVec2 min = min_of(row, column);
    return {min.x + cell_w - gap, min.y + cell_h - gap};
  }
};

GridDetail detail_for(float cell_w) {
  return cell_w >= px(kLeastValueCell) ? GridDetail::Values : cell_w >= px(kLeastRunCell) ? GridDetail::Runs : GridDetail::Texture;
}

Layout lay_out(const GridInput& input, const GridState& state, ImVec2 at, ImVec2 size) {
  Layout layout;
  const float width = size.x - px(kRulerWidth + kStripWidth + 8), height = input.height - px(kRulerHeight);
  layout.total_rows = (input.elements + input.columns - 1) / input.columns;
  const float fits = width / static_cast<float>(input.columns);
  layout.cell_w = std::clamp(fits * state.zoom, std::min(0.25f, fits), px(72) * std::max(state.zoom, 1.0f));
  layout.detail = detail_for(layout.cell_w);
  if (layout.detail == GridDetail::Values) {
    const float room = height / static_cast<float>(std::max<int64_t>(layout.total_rows, 1));
    layout.cell_h = std::clamp(room, px(28), px(40));
    layout.gap = px(3);
  } else {
    layout.cell_h = layout.cell_w;
    layout.gap = layout.cell_w >= px(12) ? px(1) : 0;
  }
  layout.rows = std::max<int64_t>(static_cast<int64_t>(height / layout.cell_h), 1);
  layout.origin = {std::floor(at.x + px(kRulerWidth)), std::floor(at.y + px(kRulerHeight))};
  return layout;
}

void draw_rulers(ImDrawList* list, const GridInput& input, const GridState& state, const Layout& layout) {
  const TextStyle style = mono(11, Role::Faint);
  const auto every = static_cast<int64_t>(std::ceil(px(34) / layout.cell_w));
  for (int64_t column = 0; column < input.columns; column += every) {
    const std::string label = "+" + std::to_string(column);
    const float x = layout.min_of(0, column).x + (layout.cell_w - layout.gap) / 2 - text_size(label, style).x / 2;
    draw_text(list, {layout.detail == GridDetail::Values ? x : layout.min_of(0, column).x, layout.origin.y - px(18)}, label, style);
  }
  const auto step = static_cast<int64_t>(std::ceil(px(18) / layout.cell_h));
  for (int64_t row = 0; row < layout.rows && state.first_row + row < layout.total_rows; row += step) {
    const std::string label = std::to_string((state.first_row + row) * input.columns);
    const float y = layout.min_of(row, 0).y + (step == 1 ? (layout.cell_h - layout.gap - px(11)) / 2 - px(1) : 0);
    draw_text(list, {layout.origin.x - px(12) - text_size(label, style).x, y}, label, style);
  }
}

// Views under a cell: the selected one last and strongest.
void draw_views(ImDrawList* list, const GridInput& input, uint32_t views, ImVec2 min, ImVec2 max) {
  int on_top = -1;
  for (size_t i = 0; i < input.views.size() && i < 32; ++i) {
    if (!(views >> i & 1)) continue;
    const GridView& view = input.views[i];
    if (view.covers_all) {
      if (view.selected) list->AddRectFilled(min, max, view_color(view.color, 0.14f), px(3));
      continue;
    }
    if (view.selected) {
      on_top = static_cast<int>(i);
      continue;
    }
    fill_view(list, min, max, view.color, 0.20f);
  }
  if (on_top < 0) return;
  fill_view(list, min, max, input.views[on_top].color, 0.34f);
  list->AddRect(min, max, view_color(input.views[on_top].color), px(3), px(1.5f));
  budget().weight += 3;
}

bool lit_by_hatch(const GridInput& input, uint32_t views) {
  for (size_t i = 0; i < input.views.size() && i < 32; ++i)
    if ((views >> i & 1) && !input.views[i].covers_all) return true;
  return false;
}

void draw_value(ImDrawList* list, const GridInput& input, const GridCell& cell, ImVec2 min, ImVec2 max) {
  const bool lit = lit_by_hatch(input, cell.views);
  const Role role = cell.special ? Role::Wrong : cell.changed ? Role::Accent : cell.views ? Role::Text : Role::Quiet;
  const TextStyle style = mono(12, role);
  const std::string shown = !cell.initialised ? "·" : !cell.known ? "?" : cell.text;
  const std::string text = fitted(shown, style, max.x - min.x - px(4));
  const ImVec2 size = text_size(text, style);
  const bool two = cell.changed && !cell.old_text.empty() && max.y - min.y >= px(32);
  ImVec2 at{(min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2 + (two ? px(7) : 0)};
  if (lit && size.x > 0)
    list->AddRectFilled({at.x - px(4), at.y - px(1) - (two ? px(13) : 0)}, {at.x + size.x + px(4), at.y + size.y + px(1)},
                        color(Role::Plate, 0.82f), px(3));
  draw_text(list, at, text, style);
  if (!two) return;
  const TextStyle old_style = mono(10, Role::Faint);
  const ImVec2 old_size = text_size(cell.old_text, old_style);
  const ImVec2 old_at{(min.x + max.x - old_size.x) / 2, at.y - px(13)};
  draw_text(list, old_at, cell.old_text, old_style);
  list->AddLine({old_at.x, old_at.y + old_size.y / 2}, {old_at.x + old_size.x, old_at.y + old_size.y / 2}, color(Role::Faint));
}

void draw_values(ImDrawList* list, const GridInput& input, const GridState& state, const Layout& layout) {
  const int64_t first = state.first_row * input.columns;
  const std::vector<GridCell> cells = input.cells(first, layout.rows * input.columns);
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto row = static_cast<int64_t>(i) / input.columns, column = static_cast<int64_t>(i) % input.columns;
    const ImVec2 min = layout.min_of(row, column), max = layout.max_of(row, column);
    list->AddRectFilled(min, max, color(Role::Raised, cells[i].known && cells[i].initialised ? 0.75f : 0.35f), px(3));
    budget().weight += 2;
    draw_views(list, input, cells[i].views, min, max);
    if (cells[i].overlap) list->AddRect({min.x + px(2), min.y + px(2)}, {max.x - px(2), max.y - px(2)}, color(Role::Overlap, 0.9f), px(2), px(1));
    draw_value(list, input, cells[i], min, max);
  }
}

// Cells of one row that look alike become one rectangle.
void draw_runs(ImDrawList* list, const GridInput& input, const GridState& state, const Layout& layout) {
  const int64_t first = state.first_row * input.columns;
  const std::vector<GridCell> cells = input.cells(first, layout.rows * input.columns);
  const auto looks = [&](size_t i) { return cells[i].views << 3 | cells[i].overlap << 2 | cells[i].special << 1 | cells[i].changed; };
  for (size_t begin = 0; begin < cells.size();) {
    const auto row = static_cast<int64_t>(begin) / input.columns;
    const size_t row_end = std::min<size_t>((row + 1) * input.columns, cells.size());
    size_t end = begin + 1;
    while (end < row_end && looks(end) == looks(begin)) ++end;
    const ImVec2 min = layout.min_of(row, static_cast<int64_t>(begin) % input.columns);
    const ImVec2 max = layout.max_of(row, static_cast<int64_t>(end - 1) % input.columns);
    list->AddRectFilled(min, max, color(Role::Raised));
    if (cells[begin].views) draw_views(list, input, cells[begin].views, min, max);
    if (cells[begin].changed) list->AddRectFilled(min, max, color(Role::Accent, 0.35f));
    if (cells[begin].overlap) list->AddRect(min, max, color(Role::Overlap, 0.9f));
    if (cells[begin].special) list->AddRectFilled(min, max, color(Role::Wrong, 0.8f));
    budget().weight += 2;
    begin = end;
  }
}

void draw_picture(ImDrawList* list, const GridInput& input, GridState& state, const Layout& layout) {
  const auto width = static_cast<int>(std::ceil(layout.cell_w * input.columns));
  const auto rows = std::min(layout.rows, layout.total_rows - state.first_row);
  const auto height = static_cast<int>(std::max(1.0f, std::floor(layout.cell_h * static_cast<float>(rows))));
  const uint64_t key = (input.revision * 31 + state.first_row) * 31 + width * 7919u + height;
  if (state.pixels_of != key || state.pixels.empty()) {
    state.pixels_of = key;
    const std::vector<float> values = input.values(state.first_row * input.columns, rows * input.columns);
    state.pixels = shade_values(values, input.columns, rows, width, height);
  }
  draw_pixels(list, input.id, state.pixels, width, height, layout.origin, key);
}

// The strip at the right: where the rows on the screen lie in the whole; a click or drag goes there.
void handle_strip(ImDrawList* list, const GridInput& input, GridState& state, const Layout& layout, ImVec2 at, ImVec2 size) {
  if (layout.total_rows <= layout.rows) {
    state.first_row = 0;
    return;
  }
  const ImVec2 min{at.x + size.x - px(kStripWidth), layout.origin.y}, max{at.x + size.x, at.y + input.height};
  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton("strip", {max.x - min.x, std::max(max.y - min.y, 1.0f)});
  const double height = max.y - min.y;
  if (ImGui::IsItemActive()) {
    const double share = std::clamp((ImGui::GetIO().MousePos.y - min.y) / height, 0.0, 1.0);
    state.first_row = static_cast<int64_t>(share * static_cast<double>(layout.total_rows)) - layout.rows / 2;
  }
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::GetIO().MouseWheel != 0) {
    if (ImGui::GetIO().KeyCtrl)
      state.zoom = std::clamp(state.zoom * std::pow(1.2f, ImGui::GetIO().MouseWheel), 0.01f, 8.0f);
    else
      state.first_row -= static_cast<int64_t>(ImGui::GetIO().MouseWheel * std::max<float>(1, static_cast<float>(layout.rows) / 8));
  }
  state.first_row = std::clamp<int64_t>(state.first_row, 0, layout.total_rows - layout.rows);
  list->AddRectFilled(min, max, color(Role::Raised, 0.6f), px(4));
  const double top = static_cast<double>(state.first_row) / layout.total_rows, share = static_cast<double>(layout.rows) / layout.total_rows;
  const auto y0 = static_cast<float>(min.y + top * height), y1 = static_cast<float>(y0 + std::max(share * height, static_cast<double>(px(12))));
  list->AddRectFilled({min.x + px(2), y0}, {max.x - px(2), std::min(y1, max.y)}, color(Role::Faint), px(3));
}

void frame_cell(ImDrawList* list, const GridInput& input, const GridState& state, const Layout& layout, int64_t element, bool strong_frame) {
  const int64_t row = element / input.columns - state.first_row, column = element % input.columns;
  if (row < 0 || row >= layout.rows) return;
  ImVec2 min = layout.min_of(row, column), max = layout.max_of(row, column);
  const float grow = px(1);
  list->AddRect({min.x - grow, min.y - grow}, {max.x + grow, max.y + grow}, color(strong_frame ? Role::Text : Role::Quiet), px(4), px(2));
}

std::optional<int64_t> element_under_mouse(const GridInput& input, const GridState& state, const Layout& layout) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || mouse.x < layout.origin.x || mouse.y < layout.origin.y) return std::nullopt;
  const auto column = static_cast<int64_t>((mouse.x - layout.origin.x) / layout.cell_w);
  const auto row = static_cast<int64_t>((mouse.y - layout.origin.y) / layout.cell_h);
  const int64_t element = (state.first_row + row) * input.columns + column;
  if (column >= input.columns || row >= layout.rows || element >= input.elements) return std::nullopt;
  return element;
}

}  // namespace

GridOutput draw_cell_grid(const GridInput& input, GridState& state) {
  GridOutput output;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, input.height};
  if (size.x < px(120) || size.y < px(60) || input.elements == 0) return output;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushID(input.id);
  Layout layout = lay_out(input, state, at, size);
  const int64_t most_cells = Budget::kMost / 12;
  if (layout.detail == GridDetail::Values && layout.rows * input.columns > most_cells) {
    layout.rows = std::max<int64_t>(most_cells / input.columns, 1);
    output.note = "fewer rows are drawn, to stay quick";
  }
  if (layout.detail == GridDetail::Runs && layout.rows * input.columns > Budget::kMost * 4) {
    layout.detail = GridDetail::Texture;
    output.note = "too many cells for outlines: one picture element each";
  }
  handle_strip(list, input, state, layout, at, size);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("cells", {size.x - px(kStripWidth + 4), size.y});
  output.hovered = element_under_mouse(input, state, layout);
  if (output.hovered && ImGui::IsItemClicked()) output.clicked = output.hovered;
  list->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  draw_rulers(list, input, state, layout);
  if (layout.detail == GridDetail::Values) draw_values(list, input, state, layout);
  if (layout.detail == GridDetail::Runs) draw_runs(list, input, state, layout);
  if (layout.detail == GridDetail::Texture) draw_picture(list, input, state, layout);
  if (input.hovered) frame_cell(list, input, state, layout, *input.hovered, false);
  if (input.selected) frame_cell(list, input, state, layout, *input.selected, true);
  list->PopClipRect();
  ImGui::PopID();
  output.detail = layout.detail;
  output.rows_shown = std::min(layout.rows, layout.total_rows);
  ImGui::SetCursorScreenPos({at.x, at.y + std::min(size.y, px(kRulerHeight) + layout.cell_h * static_cast<float>(output.rows_shown))});
  ImGui::Dummy({1, 1});
  return output;
}

}  // namespace cutaway::inspector
