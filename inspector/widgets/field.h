// Fields to type into.
//
// PyTorch: none
#pragma once

#include <string>
#include <string_view>

namespace cutaway::inspector {

// A field as wide as there is room, with a magnifying glass and a hint while it is empty, and a cross that empties it.
// `code`: what is typed is code, in mono. Returns: whether the text changed; with `entered`, whether Enter was pressed.
bool search_field(const char* id, const char* hint, std::string* text, bool code = false,
                  bool* entered = nullptr);

}  // namespace cutaway::inspector
