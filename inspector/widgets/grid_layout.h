// Where the cells of a grid lie: how many columns, how large, at which level of detail. Arithmetic only.
//
// Invariant: every row fits the width; there is no horizontal scrolling.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>

#include "inspector/widgets/cell_grid.h"

namespace cutaway::inspector {

inline constexpr float kLeastValueCell = 44, kLeastRunCell = 6, kWidestCell = 72, kTallestCell = 46,
                       kLowestCell = 28;
inline constexpr float kGridRulerHeight = 20, kGridStripWidth = 12;

struct GridLayout {
  ImVec2 origin{};  // of the first cell
  float cell_w = 0;
  float cell_h = 0;
  float gap = 0;       // between cells, inside cell_w and cell_h
  float span_gap = 0;  // more of it after each element
  int64_t span = 1;
  int64_t columns = 1;
  int64_t rows = 0;  // that fit
  int64_t total_rows = 0;
  GridDetail detail = GridDetail::Values;

  float x_of(int64_t column) const {
    return origin.x + static_cast<float>(column) * cell_w + static_cast<float>(column / span) * span_gap;
  }
  float y_of(int64_t row) const { return origin.y + static_cast<float>(row) * cell_h; }
  ImVec2 min_of(int64_t row, int64_t column) const { return {x_of(column), y_of(row)}; }
  ImVec2 max_of(int64_t row, int64_t column) const {
    return {x_of(column) + cell_w - gap, y_of(row) + cell_h - gap};
  }
  float width() const { return x_of(columns - 1) + cell_w - gap - origin.x; }
  // Returns: row and column under a place, when a cell can be there.
  std::optional<std::pair<int64_t, int64_t>> cell_at(ImVec2 place) const;
};

// `width`, `height`: for the cells alone, without rulers and strip.
GridLayout lay_out_grid(const GridInput& input, float zoom, float width, float height);

}  // namespace cutaway::inspector
