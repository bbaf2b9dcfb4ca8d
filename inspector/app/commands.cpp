#include "inspector/app/commands.h"

#include "inspector/app/app.h"

namespace cutaway::inspector {
namespace {

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

std::vector<Command> time_commands() {
  return {
      {"event.next", "Next event", "Time", {ImGuiKey_RightArrow}, [](App& a) { a.session().step(1); }},
      {"event.previous", "Previous event", "Time", {ImGuiKey_LeftArrow}, [](App& a) { a.session().step(-1); }},
      {"operator.next", "Next operator", "Time", {kShift | ImGuiKey_RightArrow, ImGuiKey_F10},
       [](App& a) { a.session().step_operator(1); }},
      {"operator.previous", "Previous operator", "Time", {kShift | ImGuiKey_LeftArrow},
       [](App& a) { a.session().step_operator(-1); }},
      {"event.into", "Step into", "Time", {ImGuiKey_F11}, [](App& a) { a.session().step_into(); }},
      {"operator.out", "Step out of the operator", "Time", {kShift | ImGuiKey_F11}, [](App& a) { a.session().step_out(); }},
      {"touching.next", "Next event on the selection", "Time", {kCtrl | ImGuiKey_RightArrow},
       [](App& a) { a.session().step_touching(1); }},
      {"touching.previous", "Previous event on the selection", "Time", {kCtrl | ImGuiKey_LeftArrow},
       [](App& a) { a.session().step_touching(-1); }},
      {"time.first", "First moment", "Time", {ImGuiKey_Home}, [](App& a) { a.session().seek(0); }},
      {"time.last", "Last event", "Time", {ImGuiKey_End}, [](App& a) { a.session().seek(a.session().trace().size()); }},
      {"time.goto", "Go to event ...", "Time", {kCtrl | ImGuiKey_G}, [](App& a) { a.open_prompt(App::Prompt::GoTo); }},
      {"time.play", "Play or pause", "Time", {ImGuiKey_Space}, [](App& a) { a.toggle_play(); }},
      {"bookmark.toggle", "Set or clear a bookmark here", "Time", {kCtrl | ImGuiKey_B},
       [](App& a) { a.session().toggle_bookmark(); }},
      {"bookmark.next", "Next bookmark", "Time", {ImGuiKey_F5}, [](App& a) { a.session().next_bookmark(); }},
      {"tour.next", "Next step of the tour", "Time", {ImGuiKey_PageDown}, [](App& a) { a.session().step_mark(1); }},
      {"tour.back", "Previous step of the tour", "Time", {ImGuiKey_PageUp}, [](App& a) { a.session().step_mark(-1); }},
  };
}

std::vector<Command> look_commands() {
  return {
      {"look.back", "Back to what was looked at", "Looking", {kAlt | ImGuiKey_LeftArrow}, [](App& a) { a.session().look_back(); }},
      {"look.forward", "Forward again", "Looking", {kAlt | ImGuiKey_RightArrow}, [](App& a) { a.session().look_forward(); }},
      {"select.next", "Next tensor", "Looking", {ImGuiKey_DownArrow}, [](App& a) { a.select_neighbour(1); }},
      {"select.previous", "Previous tensor", "Looking", {ImGuiKey_UpArrow}, [](App& a) { a.select_neighbour(-1); }},
      {"cell.left", "Cell to the left", "Looking", {ImGuiKey_A}, [](App& a) { a.move_cell(-1, 0); }},
      {"cell.right", "Cell to the right", "Looking", {ImGuiKey_D}, [](App& a) { a.move_cell(1, 0); }},
      {"cell.up", "Cell above", "Looking", {ImGuiKey_W}, [](App& a) { a.move_cell(0, -1); }},
      {"cell.down", "Cell below", "Looking", {ImGuiKey_S}, [](App& a) { a.move_cell(0, 1); }},
      {"canvas.fit", "Fit the grid", "Looking", {ImGuiKey_0}, [](App& a) { a.zoom_grid(0); }},
      {"canvas.frame", "Frame the selection", "Looking", {ImGuiKey_F}, [](App& a) { a.frame_selection(); }},
      {"canvas.in", "Larger cells", "Looking", {ImGuiKey_KeypadAdd}, [](App& a) { a.zoom_grid(1.25f); }},
      {"canvas.out", "Smaller cells", "Looking", {ImGuiKey_KeypadSubtract}, [](App& a) { a.zoom_grid(0.8f); }},
      {"compare.lock", "Lock this event to compare with, or let go", "Looking", {ImGuiKey_C}, [](App& a) { a.session().lock_compare(); }},
      {"find.tensor", "Find a tensor ...", "Looking", {kCtrl | ImGuiKey_P}, [](App& a) { a.open_prompt(App::Prompt::Find); }},
      {"filter.focus", "Filter the list", "Looking", {ImGuiKey_Slash}, [](App& a) { a.focus_filter(); }},
      {"panel.storage", "Storage", "Looking", {ImGuiKey_1}, [](App& a) { a.focus_panel("Storage"); }},
      {"panel.lab", "View lab", "Looking", {ImGuiKey_2}, [](App& a) { a.focus_panel("View lab"); }},
  };
}

std::vector<Command> window_commands() {
  return {
      {"file.open", "Open a file ...", "Window", {kCtrl | ImGuiKey_O}, [](App& a) { a.open_prompt(App::Prompt::Open); }},
      {"palette", "Commands ...", "Window", {kCtrl | kShift | ImGuiKey_P}, [](App& a) { a.open_prompt(App::Prompt::Palette); }},
      {"help", "Keys", "Window", {kShift | ImGuiKey_Slash}, [](App& a) { a.toggle_help(); }},
      {"scale.up", "Larger", "Window", {kCtrl | ImGuiKey_Equal}, [](App& a) { a.change_scale(1.1f); }},
      {"scale.down", "Smaller", "Window", {kCtrl | ImGuiKey_Minus}, [](App& a) { a.change_scale(1 / 1.1f); }},
      {"theme.toggle", "Light or dark theme", "Window", {kCtrl | ImGuiKey_T}, [](App& a) { a.toggle_theme(); }},
      {"layout.explore", "Layout: explore", "Window", {kCtrl | ImGuiKey_1}, [](App& a) { a.set_layout(Preset::Explore); }},
      {"layout.lesson", "Layout: lesson", "Window", {kCtrl | ImGuiKey_2}, [](App& a) { a.set_layout(Preset::Lesson); }},
      {"layout.compare", "Layout: compare", "Window", {kCtrl | ImGuiKey_3}, [](App& a) { a.set_layout(Preset::Compare); }},
      {"layout.present", "Layout: present", "Window", {kCtrl | ImGuiKey_4}, [](App& a) { a.set_layout(Preset::Present); }},
      {"layout.reset", "Reset layout", "Window", {kCtrl | ImGuiKey_0}, [](App& a) { a.set_layout(Preset::Explore); }},
      {"export.png", "Save a picture of the window", "Window", {kCtrl | ImGuiKey_E}, [](App& a) { a.request_export(); }},
      {"close", "Close what is open", "Window", {ImGuiKey_Escape}, [](App& a) { a.close_popups(); }},
      {"quit", "Quit", "Window", {kCtrl | ImGuiKey_Q}, [](App& a) { a.quit(); }},
  };
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> table = time_commands();
    for (auto& more : {look_commands(), window_commands()}) table.insert(table.end(), more.begin(), more.end());
    return table;
  }();
  return all;
}

const Command* find_command(const std::string& id) {
  for (const Command& command : commands())
    if (id == command.id) return &command;
  return nullptr;
}

const Command* command_for(ImGuiKeyChord chord) {
  for (const Command& command : commands())
    for (ImGuiKeyChord key : command.keys)
      if (key == chord) return &command;
  return nullptr;
}

bool acts_in_text_field(ImGuiKeyChord chord) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  // Ctrl with these edits the text.
  const bool edits = key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow || key == ImGuiKey_A;
  return (key >= ImGuiKey_F1 && key <= ImGuiKey_F24) || key == ImGuiKey_Escape || ((chord & ImGuiMod_Ctrl) && !edits);
}

std::string key_text(ImGuiKeyChord chord) {
  std::string text;
  if (chord & ImGuiMod_Ctrl) text += "Ctrl+";
  if (chord & ImGuiMod_Alt) text += "Alt+";
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  if (chord == (ImGuiMod_Shift | ImGuiKey_Slash)) return "?";
  if (chord & ImGuiMod_Shift) text += "Shift+";
  switch (key) {
    case ImGuiKey_LeftArrow: return text + "←";
    case ImGuiKey_RightArrow: return text + "→";
    case ImGuiKey_UpArrow: return text + "↑";
    case ImGuiKey_DownArrow: return text + "↓";
    case ImGuiKey_Equal: return text + "=";
    case ImGuiKey_Minus: return text + "-";
    case ImGuiKey_Slash: return text + "/";
    case ImGuiKey_KeypadAdd: return text + "keypad +";
    case ImGuiKey_KeypadSubtract: return text + "keypad -";
    default: return text + ImGui::GetKeyName(key);
  }
}

}  // namespace cutaway::inspector
