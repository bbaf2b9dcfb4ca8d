// A buffer drawn as a grid: rulers, cells with values, views laid over them, a strip that shows the whole.
//
// Three levels of detail by the width of a cell: values from 44 pixels on, flat cells with merged runs from 6, below that
// one picture in which an element stands for one cell or many. Rows are cut to the width: fewer columns for larger cells,
// whole runs of the tensor's last dimension for smaller ones. A frame that would weigh more than the budget drops to the
// next level and says so.
// The first row is an integer and the scroll strip is the grid's own: a float scroll position has no room for a billion
// rows.
// A frame in which nothing changed asks neither `values` nor `picture` and allocates nothing.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::inspector {

struct GridCell {
  std::string text;
  std::string old_text;
  bool changed = false;
  bool special = false;  // NaN, infinite
  bool known = true;
  bool initialised = true;
  uint32_t views = 0;  // bit i: view i covers it
  bool overlap = false;
};

struct GridView {
  int color = 0;
  bool selected = false;
  bool covers_all = false;  // told by a tint only, so that others stay readable
};

// Cells too small for values, as the elements of a picture: at most one a cell, fewer when cells are smaller than pixels.
struct GridPicture {
  enum Mark : uint8_t { kSpecial = 1, kUnknown = 2, kChanged = 4, kOverlap = 8, kNothing = 16 };
  int64_t columns = 0;  // cells a row
  int64_t first_row = 0;
  int64_t rows = 0;
  int width = 0;
  int height = 0;
  std::vector<float> values;
  std::vector<uint8_t> marks;
  std::vector<uint32_t> views;
  float low = 0;
  float high = 0;
};

enum class GridDetail { Values, Runs, Texture };

// The grid's position and zoom, kept by who draws it.
struct GridState {
  int64_t first_row = 0;         // of rows of `columns`
  int64_t columns = 0;           // as drawn last
  float zoom = 1;                // 1: values; below, smaller cells down to the whole buffer
  bool fit = false;              // asks for the whole buffer, or from there back to values
  std::optional<int64_t> frame;  // a cell to bring onto the screen
  // What `values` and `picture` last answered.
  struct Answers;
  std::shared_ptr<Answers> answers;
};

struct GridInput {
  const char* id = "grid";
  int64_t cells = 0;
  int64_t columns = 16;  // that a row of values should have
  int64_t run = 1;       // rows of small cells hold whole runs of this many
  int64_t span = 1;      // cells of one element: framed together, with a gap between
  std::vector<GridView> views;
  // First cell of an element; framed also when the mouse is elsewhere.
  std::optional<int64_t> selected;
  std::optional<int64_t> hovered;
  uint64_t revision = 0;  // of the views and of what the functions below answer
  std::function<std::vector<GridCell>(int64_t first, int64_t count)> values;
  // Returns: the picture, or the one before while it is being made, or null.
  std::function<std::shared_ptr<const GridPicture>(int64_t columns, int64_t first_row, int64_t rows,
                                                   int width, int height)>
      picture;
  float height = 0;  // pixels to use
};

struct GridOutput {
  std::optional<int64_t> hovered;  // cells
  std::optional<int64_t> clicked;
  GridDetail detail = GridDetail::Values;
  const char* note = "";  // why the detail was lowered, "" when it was not
  int64_t columns = 0;
  int64_t first_cell = 0;  // on the screen
  int64_t cells_shown = 0;
  float used_height = 0;
  float cells_left = 0;  // x of the first cell
  float cells_right = 0;
  // Where the selected element lies, when it is on the screen.
  bool selected_shown = false;
  ImVec2 selected_min{};
  ImVec2 selected_max{};
  // What was seen, for a legend.
  bool any_special = false;
  bool any_changed = false;
  bool any_overlap = false;
  bool any_unknown = false;
  bool any_uninitialised = false;
};

GridOutput draw_cell_grid(const GridInput& input, GridState& state);

// Returns: the zoom at which a buffer of this many cells is seen whole, in a grid of the current width and `height`.
float zoom_for_whole(const GridInput& input);
// Does what state.fit asks for. draw_cell_grid does it too; this is for who shows the zoom before.
void fit_grid(const GridInput& input, GridState& state);

}  // namespace cutaway::inspector
