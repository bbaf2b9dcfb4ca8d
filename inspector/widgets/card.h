// Cards that tell something: a bar of colour at the left, a title, the library's own words, plain words. And what an empty
// panel says.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

struct Card {
  std::string title;
  std::string message;  // mono
  std::string body;
  Role bar = Role::Accent;
};
float card_height(const Card& card, float width);
// Draws over what is there at `at`.
void draw_card(ImDrawList* list, ImVec2 at, float width, const Card& card);
// As an item of the layout, as wide as there is room.
void put_card(const Card& card);

// An empty panel: what it would show, and how to get it there.
void empty_state(std::string_view what, std::string_view how);

}  // namespace cutaway::inspector
