// What the inspector keeps between runs, in the user's config directory: where panels stand, theme and scale.
//
// One file, written by Dear ImGui when something changed; our lines stand in it under [Cutaway]. A file that cannot be read
// or written costs nothing but the memory.
//
// PyTorch: none
#pragma once

#include <string>

namespace cutaway::inspector {

class App;

// Returns: the path, its folder made; "" when there is no place for it.
std::string preferences_file();

// Reads and keeps them from now on. Requires: `app` and `path` live as long as the Dear ImGui context.
void keep_preferences(App& app, const std::string& path);

}  // namespace cutaway::inspector
