#include "inspector/widgets/grid_layout.h"

#include <algorithm>
#include <cmath>

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {
namespace {

constexpr int64_t kWidestRun = 8192;

// Width of a value cell at zoom 1.
float base_cell(const GridInput& input, float width) {
  return std::clamp(width / static_cast<float>(input.columns), px(kLeastValueCell), px(kWidestCell));
}

float width_of(const GridLayout& layout, int64_t columns, float cell) {
  return static_cast<float>(columns) * cell +
         static_cast<float>((columns - 1) / layout.span) * layout.span_gap;
}

void lay_out_values(const GridInput& input, float cell, float width, float height, GridLayout& layout) {
  layout.detail = GridDetail::Values;
  layout.gap = std::round(px(3));
  layout.span_gap = layout.span > 1 ? std::round(px(6)) : 0;
  int64_t columns = std::max<int64_t>(input.columns, 1);
  while (columns > 1 && width_of(layout, columns, cell) > width + 0.5f)
    columns = columns % 2 == 0 ? columns / 2
              : std::max<int64_t>(static_cast<int64_t>(width / cell), 1) < columns
                  ? std::max<int64_t>(static_cast<int64_t>(width / cell), 1)
                  : columns - 1;
  layout.columns = columns;
  const float gaps = static_cast<float>((columns - 1) / layout.span) * layout.span_gap;
  layout.cell_w =
      std::floor(std::min((width - gaps) / static_cast<float>(columns), std::max(px(kWidestCell), cell)));
  layout.total_rows = (input.cells + columns - 1) / columns;
  const float room = height / static_cast<float>(std::max<int64_t>(layout.total_rows, 1));
  layout.cell_h =
      std::floor(std::clamp(room, px(kLowestCell), std::min(px(kTallestCell), layout.cell_w * 0.9f)));
}

// As many whole runs as fit a row; a run that is wider than the grid decides the size of the cells instead.
void lay_out_small(const GridInput& input, float cell, float width, GridLayout& layout) {
  const int64_t run = std::max<int64_t>(input.run, 1);
  float size = cell >= 1 ? std::floor(cell) : cell;
  const auto fits = static_cast<int64_t>(width / size);
  if (run <= fits) {
    const int64_t unit = run == 1 && fits >= 16 ? 16 : run;
    layout.columns = fits / unit * unit;
  } else if (run <= kWidestRun) {
    layout.columns = run;
    size = width / static_cast<float>(run);
    if (size >= 1) size = std::floor(size);
  } else {
    layout.columns = std::max<int64_t>(fits / 16 * 16, 1);
  }
  layout.columns = std::clamp<int64_t>(layout.columns, 1, std::max<int64_t>(input.cells, 1));
  layout.cell_w = layout.cell_h = size;
  layout.detail = size >= px(kLeastRunCell) ? GridDetail::Runs : GridDetail::Texture;
  layout.gap = size >= px(10) ? std::max(std::floor(px(1)), 1.0f) : 0.0f;
  layout.total_rows = (input.cells + layout.columns - 1) / layout.columns;
}

}  // namespace

std::optional<std::pair<int64_t, int64_t>> GridLayout::cell_at(ImVec2 place) const {
  const float x = place.x - origin.x, y = place.y - origin.y;
  if (x < 0 || y < 0) return std::nullopt;
  const float unit = static_cast<float>(span) * cell_w + span_gap;
  const auto element = static_cast<int64_t>(x / unit);
  const auto in = std::min(static_cast<int64_t>((x - static_cast<float>(element) * unit) / cell_w), span - 1);
  const int64_t column = element * span + in, row = static_cast<int64_t>(y / cell_h);
  if (column >= columns || row >= rows || row >= total_rows) return std::nullopt;
  return std::pair{row, column};
}

GridLayout lay_out_grid(const GridInput& input, float zoom, float width, float height) {
  GridLayout layout;
  layout.span = std::max<int64_t>(input.span, 1);
  const float cell = base_cell(input, width) * zoom;
  if (cell >= px(kLeastValueCell) - 0.01f)
    lay_out_values(input, cell, width, height, layout);
  else
    lay_out_small(input, cell, width, layout);
  layout.rows = std::max<int64_t>(static_cast<int64_t>(std::floor(height / layout.cell_h)), 1);
  return layout;
}

float zoom_for_whole(const GridInput& input) {
  const float width = ImGui::GetContentRegionAvail().x - px(kGridStripWidth + 70);
  const float height = input.height - px(kGridRulerHeight + 4);
  if (width <= 0 || height <= 0 || input.cells <= 0) return 1;
  const float base = base_cell(input, width);
  float low = 0, high = 1;  // `high` is too large
  if (lay_out_grid(input, 1, width, height).total_rows <= lay_out_grid(input, 1, width, height).rows)
    return 1;
  low = std::sqrt(width * height / static_cast<float>(input.cells)) / base / 8;
  for (int i = 0; i < 24; ++i) {
    const float zoom = (low + high) / 2;
    const GridLayout layout = lay_out_grid(input, zoom, width, height);
    (layout.total_rows <= layout.rows ? low : high) = zoom;
  }
  return low;
}

}  // namespace cutaway::inspector
