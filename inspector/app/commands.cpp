#include "inspector/app/commands.h"

namespace cutaway::inspector {

const char* to_string(Menu menu) {
  switch (menu) {
    case Menu::File: return "File";
    case Menu::Time: return "Time";
    case Menu::Canvas: return "Canvas";
    case Menu::View: return "View";
    case Menu::Help: return "Help";
  }
  return "";
}

const Command* find_command(std::string_view id) {
  for (const Command& command : commands())
    if (id == command.id) return &command;
  return nullptr;
}

const Command* command_for(const Chord& chord, const KeyFocus& focus) {
  if (chord.empty()) return nullptr;
  const auto find = [&](Context context) -> const Command* {
    for (const Command& command : commands())
      if (command.context == context && (command.keys[0] == chord || command.keys[1] == chord))
        return &command;
    return nullptr;
  };
  // Up and down do nothing in a field of one line: there they move along the list below it.
  const bool moves = chord == Chord(ImGuiKey_UpArrow) || chord == Chord(ImGuiKey_DownArrow);
  if (focus.overlay && (!focus.text_field || moves || acts_in_text_field(chord)))
    if (const Command* command = find(Context::Overlay)) return command;
  if ((focus.text_field || focus.overlay) && !acts_in_text_field(chord)) return nullptr;
  return find(Context::Window);
}

}  // namespace cutaway::inspector
