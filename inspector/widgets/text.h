// Text in a font, a size and a role: measuring, drawing, and as an item of Dear ImGui's layout. Nothing here allocates but
// fitted().
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

struct TextStyle {
  ImFont* font = nullptr;  // words_font() when null
  float size = kBody;      // points
  Role role = Role::Text;
};

inline TextStyle words(float size = kBody, Role role = Role::Text) { return {words_font(), size, role}; }
inline TextStyle strong(float size = kBody, Role role = Role::Text) { return {strong_font(), size, role}; }
inline TextStyle mono(float size = kSmall, Role role = Role::Text) { return {mono_font(), size, role}; }

// `wrap`: width to break lines at, 0 for none.
ImVec2 text_size(std::string_view text, const TextStyle& style, float wrap = 0);
void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, float wrap = 0);
void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, ImU32 color);
// Draws as much as fits into `width`, with "…" where it was cut. Returns: the width used.
float draw_fitted(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, float width);
// Draws with its right end at `right`. Returns: the width.
float draw_right(ImDrawList* list, float right, float y, std::string_view text, const TextStyle& style);
// Shortens with "…" to fit `width`.
std::string fitted(std::string_view text, const TextStyle& style, float width);

// Text as an item of the layout.
void put_text(std::string_view text, const TextStyle& style, bool wrap = false);
// One line of at most the width there is; the whole text is shown when it is pointed at.
void put_fitted(std::string_view text, const TextStyle& style);
// SMALL CAPITALS over a section.
void heading(std::string_view text);
// Room between items, in points.
void gap(float points);

}  // namespace cutaway::inspector
