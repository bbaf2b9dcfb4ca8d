// A buffer drawn as a grid: rulers, cells with values, views laid over them, a strip that shows the whole.
//
// Three levels of detail by the width of a cell: values from 44 pixels on, merged flat runs from 6, below that one picture
// element a cell. A frame that would weigh more than the budget drops to the next level and says so.
// The first row is an integer and the scroll strip is the grid's own: a float scroll position has no room for a billion
// rows.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::inspector {

// Width of a cell from which values are written in it, and what the rulers and the strip take; points.
inline constexpr float kLeastValueCell = 44, kGridMargin = 82;

struct GridCell {
  std::string text;
  std::string old_text;
  bool changed = false;
  bool special = false;           // NaN, infinite
  bool known = true;
  bool initialised = true;
  uint32_t views = 0;             // bit i: view i covers it
  bool overlap = false;
};

struct GridView {
  int color = 0;
  bool selected = false;
  bool covers_all = false;        // told by a tint only, so that others stay readable
};

enum class GridDetail { Values, Runs, Texture };

// The grid's position and zoom, kept by who draws it.
struct GridState {
  int64_t first_row = 0;
  float zoom = 1;                 // of the cell width that fits
  // The picture of the lowest level, and what it shows.
  std::vector<uint32_t> pixels;
  uint64_t pixels_of = 0;
};

struct GridInput {
  const char* id = "grid";
  int64_t elements = 0;
  int64_t columns = 16;
  std::vector<GridView> views;
  std::optional<int64_t> selected;
  std::optional<int64_t> hovered; // framed also when the mouse is elsewhere
  uint64_t revision = 0;          // of what the functions below answer
  std::function<std::vector<GridCell>(int64_t first, int64_t count)> cells;
  // Values for the lowest level; NaN is drawn as wrong.
  std::function<std::vector<float>(int64_t first, int64_t count)> values;
  float height = 0;               // pixels to use
};

struct GridOutput {
  std::optional<int64_t> hovered;
  std::optional<int64_t> clicked;
  GridDetail detail = GridDetail::Values;
  std::string note;               // why the detail was lowered, "" when it was not
  int64_t rows_shown = 0;
};

GridOutput draw_cell_grid(const GridInput& input, GridState& state);

}  // namespace cutaway::inspector
