// A choice of a few words in a row, one of them taken.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

namespace cutaway::inspector {

ImVec2 switch_size(std::span<const std::string_view> words);
// Draws at `at`. Returns: the word that was clicked, -1 for none.
int draw_switch(const char* id, ImVec2 at, std::span<const std::string_view> words, int taken);

}  // namespace cutaway::inspector
