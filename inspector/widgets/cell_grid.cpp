// Overview. draw_cell_grid() lays the cells out (grid_layout.h), moves the first row by wheel, strip or `frame`, draws the
// rulers and the cells of that level (grid_paint.h), and frames what is hovered or selected.

#include "inspector/widgets/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "inspector/widgets/draw.h"
#include "inspector/widgets/grid_layout.h"
#include "inspector/widgets/grid_paint.h"
#include "inspector/widgets/texture.h"

namespace cutaway::inspector {

struct GridState::Answers {
  std::vector<GridCell> cells;
  uint64_t revision = 0;  // of the cells
  int64_t first = -1;
  int64_t count = 0;
  std::vector<uint32_t> pixels;
  uint64_t pixels_of = 0;
  uint8_t marks = 0;  // of all the picture
};

namespace {

const TextStyle& ruler_style() {
  static TextStyle style;
  style = mono(11, Role::Faint);
  return style;
}

float ruler_width(const GridInput& input) {
  return std::max(text_size(std::to_string(std::max<int64_t>(input.cells - 1, 0)), ruler_style()).x + px(14),
                  px(40));
}

void draw_rulers(ImDrawList* list, const GridInput& input, const GridState& state, const GridLayout& layout) {
  const TextStyle& style = ruler_style();
  const bool values = layout.detail == GridDetail::Values;
  int64_t every = std::max<int64_t>(static_cast<int64_t>(std::ceil(px(42) / layout.cell_w)), 1);
  if (values) every = layout.span > 1 ? layout.span : 1;
  if (!values && every > 1) every = (every + 7) / 8 * 8;
  const float line = text_size("0", style).y;
  for (int64_t column = 0; column < layout.columns && column < input.cells; column += every) {
    const std::string label = "+" + std::to_string(column);
    const float room = layout.cell_w - layout.gap, width = text_size(label, style).x;
    const float x =
        values && layout.span == 1 ? layout.x_of(column) + (room - width) / 2 : layout.x_of(column);
    draw_text(list, {x, layout.origin.y - line - px(4)}, label, style);
  }
  const auto step = std::max<int64_t>(static_cast<int64_t>(std::ceil(px(18) / layout.cell_h)), 1);
  for (int64_t row = 0; row < layout.rows && state.first_row + row < layout.total_rows; row += step) {
    const std::string label = std::to_string((state.first_row + row) * layout.columns);
    const float y = layout.y_of(row) + (values ? (layout.cell_h - layout.gap - line) / 2 : 0);
    draw_text(list, {layout.origin.x - px(8) - text_size(label, style).x, y}, label, style);
  }
}

void draw_values(ImDrawList* list, const GridInput& input, const GridState& state, const GridLayout& layout,
                 GridOutput& output) {
  GridState::Answers& answers = *state.answers;
  const int64_t first = state.first_row * layout.columns, count = layout.rows * layout.columns;
  if (answers.revision != input.revision || answers.first != first || answers.count != count) {
    answers.cells = input.values(first, count);
    answers.revision = input.revision;
    answers.first = first;
    answers.count = count;
  }
  output.cells_shown = static_cast<int64_t>(answers.cells.size());
  paint_values(list, input, layout, answers.cells, output);
}

uint64_t mixed(uint64_t key, uint64_t more) { return (key ^ more) * 0x9E3779B97F4A7C15ull + (key >> 29); }

void draw_picture(ImDrawList* list, const GridInput& input, GridState& state, const GridLayout& layout,
                  GridOutput& output) {
  const int64_t rows = std::min(layout.rows, layout.total_rows - state.first_row);
  const auto width =
      std::max(static_cast<int>(std::floor(layout.cell_w * static_cast<float>(layout.columns))), 1);
  const auto height = std::max(static_cast<int>(std::floor(layout.cell_h * static_cast<float>(rows))), 1);
  output.cells_shown = std::min(rows * layout.columns, input.cells - state.first_row * layout.columns);
  const auto picture = input.picture(layout.columns, state.first_row, rows,
                                     static_cast<int>(std::min<int64_t>(layout.columns, width)),
                                     static_cast<int>(std::min<int64_t>(rows, height)));
  if (!picture) return;
  GridState::Answers& answers = *state.answers;
  uint64_t key = mixed(input.revision, reinterpret_cast<uintptr_t>(picture.get()));
  for (const uint64_t part :
       {static_cast<uint64_t>(picture->first_row), static_cast<uint64_t>(picture->columns),
        static_cast<uint64_t>(width), static_cast<uint64_t>(height), static_cast<uint64_t>(theme_name()),
        static_cast<uint64_t>(scale() * 64)})
    key = mixed(key, part);
  if (answers.pixels_of != key || answers.pixels.empty()) {
    answers.pixels_of = key;
    answers.marks = marks_of(*picture);
    answers.pixels = paint_picture(*picture, input.views, width, height, layout.cell_w, layout.gap);
  }
  note_marks(answers.marks, output);
  draw_pixels(list, ImGui::GetID(input.id), answers.pixels, width, height, layout.origin, key);
}

// The strip at the right: where the rows on the screen lie in the whole; a click or drag goes there.
void handle_strip(ImDrawList* list, GridState& state, const GridLayout& layout, ImVec2 min, ImVec2 max) {
  if (layout.total_rows <= layout.rows) {
    state.first_row = 0;
    return;
  }
  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton("strip", {max.x - min.x, std::max(max.y - min.y, 1.0f)});
  const double height = max.y - min.y;
  if (ImGui::IsItemActive()) {
    const double share = std::clamp((ImGui::GetIO().MousePos.y - min.y) / height, 0.0, 1.0);
    state.first_row = static_cast<int64_t>(share * static_cast<double>(layout.total_rows)) - layout.rows / 2;
  }
  state.first_row = std::clamp<int64_t>(state.first_row, 0, layout.total_rows - layout.rows);
  list->AddRectFilled(min, max, color(Role::Raised, 0.6f), px(4));
  const double top = static_cast<double>(state.first_row) / static_cast<double>(layout.total_rows);
  const double share = static_cast<double>(layout.rows) / static_cast<double>(layout.total_rows);
  const double length = std::max(share * height, static_cast<double>(px(14)));
  const auto y0 = static_cast<float>(min.y + std::min(top * height, height - length));
  list->AddRectFilled({min.x + px(2), y0}, {max.x - px(2), static_cast<float>(y0 + length)},
                      color(ImGui::IsItemActive() || ImGui::IsItemHovered() ? Role::Quiet : Role::Faint),
                      px(3));
}

void handle_wheel(const GridInput& input, GridState& state, const GridLayout& layout) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0 || !ImGui::IsItemHovered()) return;
  if (io.KeyCtrl)
    state.zoom =
        std::clamp(state.zoom * std::pow(1.2f, io.MouseWheel), std::min(zoom_for_whole(input), 1.0f), 6.0f);
  else
    state.first_row -= static_cast<int64_t>(std::ceil(std::fabs(io.MouseWheel) *
                                                      std::max(1.0f, static_cast<float>(layout.rows) / 8))) *
                       (io.MouseWheel > 0 ? 1 : -1);
}

// Frames an element, which may have several cells; very small ones get a frame one can see.
void frame_element(ImDrawList* list, const GridInput& input, const GridState& state, const GridLayout& layout,
                   int64_t element, bool selected, GridOutput& output) {
  const int64_t row = element / layout.columns - state.first_row, column = element % layout.columns;
  if (row < 0 || row >= layout.rows || element >= input.cells) return;
  ImVec2 min = layout.min_of(row, column),
         max = layout.max_of(row, std::min(column + layout.span, layout.columns) - 1);
  const float least = px(8), grow_x = std::max((least - (max.x - min.x)) / 2, px(1)),
              grow_y = std::max((least - (max.y - min.y)) / 2, px(1));
  min = {min.x - grow_x, min.y - grow_y};
  max = {max.x + grow_x, max.y + grow_y};
  list->AddRect(min, max, color(selected ? Role::Text : Role::Quiet), px(4), px(2));
  if (!selected) return;
  output.selected_shown = true;
  output.selected_min = min;
  output.selected_max = max;
}

void keep_place(const GridInput& input, GridState& state, const GridLayout& layout) {
  if (state.columns && state.columns != layout.columns)
    state.first_row = state.first_row * state.columns / layout.columns;
  state.columns = layout.columns;
  if (const auto wanted = std::exchange(state.frame, std::nullopt)) {
    const int64_t row =
        std::clamp<int64_t>(*wanted, 0, std::max<int64_t>(input.cells - 1, 0)) / layout.columns;
    if (row < state.first_row || row >= state.first_row + layout.rows)
      state.first_row = row - layout.rows / 4;
  }
  state.first_row =
      std::clamp<int64_t>(state.first_row, 0, std::max<int64_t>(layout.total_rows - layout.rows, 0));
}

// Drops to the next level when the frame would weigh more than the budget.
void hold_to_budget(const GridInput& input, float width, float height, GridLayout& layout,
                    GridOutput& output) {
  constexpr int kWeightOfValue = 9;  // a cell, its digits; for lit ones hatch, frame and plate
  const int64_t shown = std::min(layout.rows, layout.total_rows) * layout.columns;
  if (layout.detail != GridDetail::Values || shown * kWeightOfValue <= budget().left()) return;
  layout = lay_out_grid(input, 0.5f * kLeastValueCell / kWidestCell, width, height);
  output.note = "So many values would be slow to draw: shades instead. Ctrl and the wheel make cells larger.";
}

}  // namespace

void fit_grid(const GridInput& input, GridState& state) {
  if (!std::exchange(state.fit, false)) return;
  state.zoom = state.zoom < 0.999f ? 1 : zoom_for_whole(input);
}

GridOutput draw_cell_grid(const GridInput& input, GridState& state) {
  fit_grid(input, state);
  GridOutput output;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, input.height};
  if (size.x < px(120) || size.y < px(50) || input.cells == 0) return output;
  if (!state.answers) state.answers = std::make_shared<GridState::Answers>();
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushID(input.id);
  const float left = ruler_width(input), width = size.x - left - px(kGridStripWidth + 8),
              height = size.y - px(kGridRulerHeight + 2);
  GridLayout layout = lay_out_grid(input, state.zoom, width, height);
  hold_to_budget(input, width, height, layout, output);
  layout.origin = {std::floor(at.x + left), std::floor(at.y + px(kGridRulerHeight))};
  keep_place(input, state, layout);
  const float bottom = layout.y_of(std::min(layout.rows, layout.total_rows));
  const float strip = layout.origin.x + layout.width() + px(10);
  handle_strip(list, state, layout, {strip, layout.origin.y},
               {strip + px(kGridStripWidth), bottom - layout.gap});
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("cells", {strip - px(4) - at.x, std::max(bottom - at.y, 1.0f)});
  handle_wheel(input, state, layout);
  keep_place(input, state, layout);
  if (ImGui::IsItemHovered())
    if (const auto place = layout.cell_at(ImGui::GetIO().MousePos)) {
      const int64_t cell = (state.first_row + place->first) * layout.columns + place->second;
      if (cell < input.cells) output.hovered = cell;
    }
  if (output.hovered && ImGui::IsItemClicked()) output.clicked = output.hovered;
  list->PushClipRect({at.x, at.y - px(2)}, {at.x + size.x, at.y + size.y + px(3)}, true);
  draw_rulers(list, input, state, layout);
  output.detail = layout.detail;
  output.columns = layout.columns;
  output.first_cell = state.first_row * layout.columns;
  output.cells_left = layout.origin.x;
  output.cells_right = layout.origin.x + layout.width();
  if (layout.detail == GridDetail::Values)
    draw_values(list, input, state, layout, output);
  else
    draw_picture(list, input, state, layout, output);
  if (input.hovered) frame_element(list, input, state, layout, *input.hovered, false, output);
  if (input.selected) frame_element(list, input, state, layout, *input.selected, true, output);
  list->PopClipRect();
  ImGui::PopID();
  output.used_height = bottom - at.y;
  ImGui::SetCursorScreenPos({at.x, bottom});
  ImGui::Dummy({1, 1});
  return output;
}

}  // namespace cutaway::inspector
