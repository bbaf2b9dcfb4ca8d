// Small things every panel draws with: text in a font and size, hatches, swatches, cards, and the count of what it costs.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

struct TextStyle {
  ImFont* font = nullptr;         // words_font() when null
  float size = kBody;             // points
  Role role = Role::Text;
};

inline TextStyle words(float size = kBody, Role role = Role::Text) { return {words_font(), size, role}; }
inline TextStyle strong(float size = kBody, Role role = Role::Text) { return {strong_font(), size, role}; }
inline TextStyle mono(float size = kSmall, Role role = Role::Text) { return {mono_font(), size, role}; }

ImVec2 text_size(std::string_view text, const TextStyle& style, float wrap = 0);
// Draws at a position; `wrap`: width to break lines at, 0 for none.
void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, float wrap = 0);
void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, ImU32 color);
// Shortens with "…" to fit `width`.
std::string fitted(std::string_view text, const TextStyle& style, float width);

// Text as an item of the layout.
void put_text(std::string_view text, const TextStyle& style, bool wrap = false);
void heading(const char* text);   // SMALL CAPITALS over a section

// A rectangle with the hue and hatch of a view: 16-35 % over what is below.
void fill_view(ImDrawList* list, ImVec2 min, ImVec2 max, int view, float alpha = 0.30f, float rounding = 3);
void swatch(int view);            // as an item, before a name

// A row of a list: swatch, title, second line; returns whether it was clicked.
struct ListRow {
  const char* id = "";
  std::string title;
  std::string second;
  std::string tag;                // at the right, quiet
  int view = -1;                  // swatch
  bool selected = false;
  bool dim = false;
};
bool list_row(const ListRow& row, bool* hovered = nullptr);

// label ... value, with the value in mono at a fixed column.
// Returns: whether a link was clicked.
bool key_value(const char* label, const std::string& value, const std::string& old_value = "", bool link = false);

void chip(const std::string& text, Role role = Role::Text);

// A card with a bar of colour at its left. Draws over what is there at `at`; returns its height.
struct Card {
  std::string title;
  std::string message;            // mono
  std::string body;
  Role bar = Role::Accent;
};
float card_height(const Card& card, float width);
void draw_card(ImDrawList* list, ImVec2 at, float width, const Card& card);

// An empty panel: what it would show, and how to get it there.
void empty_state(const char* what, const char* how);

// What a frame has drawn, in the weights of one flat rectangle.
struct Budget {
  int weight = 0;
  static constexpr int kMost = 20000;
};
Budget& budget();

}  // namespace cutaway::inspector
