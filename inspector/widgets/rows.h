// Rows of lists and tables: a thing with its swatch, a label with its value, chips, a legend.
//
// Strings are read before the functions return; keep what rows are made of, rather than making it anew each frame.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

#include "inspector/widgets/text.h"

namespace cutaway::inspector {

// A rectangle with the hue and hatch of a view: 16-35 % over what is below.
void fill_view(ImDrawList* list, ImVec2 min, ImVec2 max, int view, float alpha = 0.30f);
// Hue, hatch and frame, as it stands before a name.
void draw_swatch(ImDrawList* list, ImVec2 min, ImVec2 max, int view);
void swatch(int view);  // as an item

// A row of a list: swatch, title, second line.
struct ListRow {
  const char* id = "";  // of the item; "" for the number given to push_row
  std::string title;
  std::string second;
  std::string tag;  // at the right, quiet
  int view = -1;    // swatch
  bool selected = false;
  bool framed = false;  // pointed at elsewhere
  bool dim = false;
};
// Returns: whether it was clicked.
bool list_row(const ListRow& row, bool* hovered = nullptr);
// Pixels from one row to the next.
float list_row_height(bool two_lines);

// label ... value, with the value in mono at a fixed column. An old value is struck through before the new one.
// Returns: whether a link was clicked.
bool key_value(std::string_view label, std::string_view value, std::string_view old_value = {},
               bool link = false);

void chip(std::string_view text, Role role = Role::Text);
// Chips in rows of the width there is.
struct Chip {
  std::string text;
  Role role = Role::Text;
};
void chips(std::span<const Chip> row);

// Swatches with names, in rows. Returns: the entry that was clicked, -1 for none; `hovered` likewise.
struct LegendEntry {
  std::string name;
  int view = 0;
  bool selected = false;
  bool dim = false;
};
int legend(std::span<const LegendEntry> entries, int* hovered = nullptr);

}  // namespace cutaway::inspector
