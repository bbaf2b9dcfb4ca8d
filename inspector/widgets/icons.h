// Signs drawn with a few shapes, and the buttons they stand on.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <string_view>

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

enum class Icon { First, Back, Play, Pause, Next, Last, Search, Close, Plus, Minus, Check, Bookmark, Pin };

// `size`: of the box around it, pixels.
void draw_icon(ImDrawList* list, ImVec2 centre, float size, Icon icon, ImU32 color);

struct IconButton {
  Icon icon = Icon::Play;
  bool strong = false;  // filled with the accent: the one that matters
  bool enabled = true;
  float width = 34, height = 28;  // points
  std::string_view tip;           // shown when it is pointed at
};
// Returns: whether it was clicked.
bool icon_button(const char* id, const IconButton& button);

// A button with a word on it.
bool word_button(const char* id, std::string_view text, bool strong = false, bool enabled = true);

// A key as it is printed on a keyboard, drawn with its right end at `right`. Returns: its width.
float draw_key(ImDrawList* list, float right, float y, std::string_view key);

// Says more about the item before, when it has been pointed at for a moment.
void tip(std::string_view text, std::string_view key = {});

}  // namespace cutaway::inspector
