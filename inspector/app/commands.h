// The one table of commands: it feeds keys, the palette and the help.
//
// A key acts unless a text field has the focus; Esc, Enter, F-keys and chords with Ctrl act even then. No key is bound
// twice in one context.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

namespace cutaway::inspector {

class App;

struct Command {
  const char* id = "";            // "event.next"
  const char* title = "";         // "Next event"
  const char* group = "";         // heading in the help
  std::vector<ImGuiKeyChord> keys;
  void (*run)(App& app) = nullptr;
};

std::span<const Command> commands();
// Returns: null when there is none.
const Command* find_command(const std::string& id);
// The command of a key, or null.
const Command* command_for(ImGuiKeyChord chord);
// Whether the key may act while a text field has the focus.
bool acts_in_text_field(ImGuiKeyChord chord);
// "Ctrl+Shift+P"
std::string key_text(ImGuiKeyChord chord);

}  // namespace cutaway::inspector
