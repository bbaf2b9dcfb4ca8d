// The table. Grouped as the menus are; the order here is the order there.

#include "inspector/app/app.h"
#include "inspector/app/commands.h"

namespace cutaway::inspector {
namespace {

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

const char* nothing_happened(const App& app) {
  return app.session().trace().size() ? nullptr : "nothing is open that has events; Ctrl+O opens a file";
}
const char* no_bookmark(const App& app) {
  return app.session().bookmarks().empty() ? "there is no bookmark yet; Ctrl+B sets one at the current event" : nullptr;
}
const char* no_tour(const App& app) { return app.session().trace().marks().empty() ? "this trace has no steps" : nullptr; }
const char* no_canvas(const App& app) { return app.session().selection().storage ? nullptr : "no storage is selected"; }
const char* no_live_process(const App&) { return "attaching to a process is not in this version; a recorded trace opens with ./cutaway show TRACE"; }

template <Sheet sheet>
void ask(App& app) {
  app.show_overlay(sheet);
}
template <Preset preset>
void arrange(App& app) {
  app.set_preset(preset);
}
template <Preset preset>
bool is_arranged(const App& app) {
  return app.layout().preset() == preset;
}

constexpr Context kW = Context::Window, kO = Context::Overlay;

constexpr Command kCommands[] = {
    {"file.open", "Open a file ...", Menu::File, kW, {kCtrl | ImGuiKey_O}, ask<Sheet::Open>},
    {"file.attach", "Attach to a process ...", Menu::File, kW, {kCtrl | kShift | ImGuiKey_A}, [](App&) {}, no_live_process},
    {"file.export", "Export ...", Menu::File, kW, {kCtrl | ImGuiKey_E}, ask<Sheet::Export>},
    {"file.quit", "Quit", Menu::File, kW, {kCtrl | ImGuiKey_Q}, [](App& a) { a.quit(); }},

    {"time.play", "Play or pause", Menu::Time, kW, {ImGuiKey_Space}, [](App& a) { a.toggle_play(); }, nothing_happened,
     [](const App& a) { return a.is_playing(); }},
    {"event.next", "Next event", Menu::Time, kW, {ImGuiKey_RightArrow}, [](App& a) { a.session().step(1); }, nothing_happened},
    {"event.previous", "Previous event", Menu::Time, kW, {ImGuiKey_LeftArrow}, [](App& a) { a.session().step(-1); }, nothing_happened},
    {"operator.next", "Next operator, over what it calls", Menu::Time, kW, {ImGuiKey_F10, kShift | ImGuiKey_RightArrow},
     [](App& a) { a.session().step_operator(1); }, nothing_happened},
    {"operator.previous", "Previous operator", Menu::Time, kW, {kShift | ImGuiKey_LeftArrow, kShift | ImGuiKey_F10},
     [](App& a) { a.session().step_operator(-1); }, nothing_happened},
    {"operator.into", "Into the operator", Menu::Time, kW, {ImGuiKey_F11}, [](App& a) { a.session().step_into(); }, nothing_happened},
    {"operator.out", "Out of the operator", Menu::Time, kW, {kShift | ImGuiKey_F11}, [](App& a) { a.session().step_out(); }, nothing_happened},
    {"touching.next", "Next event on the selection", Menu::Time, kW, {kCtrl | ImGuiKey_RightArrow},
     [](App& a) { a.session().step_touching(1); }, no_canvas},
    {"touching.previous", "Previous event on the selection", Menu::Time, kW, {kCtrl | ImGuiKey_LeftArrow},
     [](App& a) { a.session().step_touching(-1); }, no_canvas},
    {"time.first", "Before the first event", Menu::Time, kW, {ImGuiKey_Home}, [](App& a) { a.session().seek(0); }},
    {"time.last", "Last event", Menu::Time, kW, {ImGuiKey_End}, [](App& a) { a.session().seek(a.session().trace().size()); }},
    {"time.goto", "Go to event ...", Menu::Time, kW, {kCtrl | ImGuiKey_G}, ask<Sheet::GoTo>, nothing_happened},
    {"tour.next", "Next step", Menu::Time, kW, {ImGuiKey_PageDown, ImGuiKey_N}, [](App& a) { a.session().step_mark(1); }, no_tour},
    {"tour.back", "Previous step", Menu::Time, kW, {ImGuiKey_PageUp, ImGuiKey_B}, [](App& a) { a.session().step_mark(-1); }, no_tour},
    {"bookmark.toggle", "Set or clear a bookmark here", Menu::Time, kW, {kCtrl | ImGuiKey_B}, [](App& a) { a.toggle_bookmark(); }},
    {"bookmark.next", "Next bookmark", Menu::Time, kW, {ImGuiKey_F5}, [](App& a) { a.session().next_bookmark(); }, no_bookmark},

    {"find", "Find tensor, operator, event ...", Menu::Canvas, kW, {kCtrl | ImGuiKey_P}, ask<Sheet::Find>},
    {"filter.focus", "Filter the list", Menu::Canvas, kW, {Chord::typed('/')}, [](App& a) { a.focus_filter(); }},
    {"select.next", "Next tensor", Menu::Canvas, kW, {ImGuiKey_DownArrow}, [](App& a) { a.select_neighbour(1); }},
    {"select.previous", "Previous tensor", Menu::Canvas, kW, {ImGuiKey_UpArrow}, [](App& a) { a.select_neighbour(-1); }},
    {"look.back", "Back to what was looked at", Menu::Canvas, kW, {kAlt | ImGuiKey_LeftArrow}, [](App& a) { a.session().look_back(); }},
    {"look.forward", "Forward again", Menu::Canvas, kW, {kAlt | ImGuiKey_RightArrow}, [](App& a) { a.session().look_forward(); }},
    {"cell.left", "Cell to the left", Menu::Canvas, kW, {ImGuiKey_A}, [](App& a) { a.move_cell(-1, 0); }, no_canvas},
    {"cell.right", "Cell to the right", Menu::Canvas, kW, {ImGuiKey_D}, [](App& a) { a.move_cell(1, 0); }, no_canvas},
    {"cell.up", "Cell above", Menu::Canvas, kW, {ImGuiKey_W}, [](App& a) { a.move_cell(0, -1); }, no_canvas},
    {"cell.down", "Cell below", Menu::Canvas, kW, {ImGuiKey_S}, [](App& a) { a.move_cell(0, 1); }, no_canvas},
    {"cell.none", "Select no cell", Menu::Canvas, kW, {ImGuiKey_X}, [](App& a) { a.session().select_element(std::nullopt); }},
    {"canvas.frame", "Frame the selection", Menu::Canvas, kW, {ImGuiKey_F}, [](App& a) { a.frame_selection(); }, no_canvas},
    {"canvas.fit", "Fit, or back to values", Menu::Canvas, kW, {ImGuiKey_0}, [](App& a) { a.fit_canvas(); }, no_canvas},
    {"canvas.in", "Larger cells", Menu::Canvas, kW, {Chord::typed('+'), ImGuiKey_KeypadAdd}, [](App& a) { a.zoom_canvas(1.25f); }, no_canvas},
    {"canvas.out", "Smaller cells", Menu::Canvas, kW, {Chord::typed('-'), ImGuiKey_KeypadSubtract}, [](App& a) { a.zoom_canvas(0.8f); }, no_canvas},
    {"canvas.pin", "Hide or show the selected tensor's view", Menu::Canvas, kW, {ImGuiKey_P}, [](App& a) { a.toggle_pin(); }, no_canvas},
    {"compare.lock", "Compare with this event, or let go", Menu::Canvas, kW, {ImGuiKey_C}, [](App& a) { a.toggle_compare(); }, nothing_happened,
     [](const App& a) { return a.session().compared_event().has_value(); }},

    {"palette", "Commands ...", Menu::View, kW, {kCtrl | kShift | ImGuiKey_P}, ask<Sheet::Palette>},
    {"layout.explore", "Layout: explore", Menu::View, kW, {kCtrl | ImGuiKey_1}, arrange<Preset::Explore>, nullptr, is_arranged<Preset::Explore>},
    {"layout.lesson", "Layout: lesson", Menu::View, kW, {kCtrl | ImGuiKey_2}, arrange<Preset::Lesson>, nullptr, is_arranged<Preset::Lesson>},
    {"layout.compare", "Layout: compare", Menu::View, kW, {kCtrl | ImGuiKey_3}, arrange<Preset::Compare>, nullptr, is_arranged<Preset::Compare>},
    {"layout.present", "Layout: present", Menu::View, kW, {kCtrl | ImGuiKey_4}, arrange<Preset::Present>, nullptr, is_arranged<Preset::Present>},
    {"layout.reset", "Reset layout", Menu::View, kW, {kCtrl | ImGuiKey_0}, [](App& a) { a.set_preset(a.layout().preset()); }},
    {"panel.next", "Next panel", Menu::View, kW, {kCtrl | ImGuiKey_PageDown}, [](App& a) { a.layout().show_next(1); }},
    {"panel.previous", "Previous panel", Menu::View, kW, {kCtrl | ImGuiKey_PageUp}, [](App& a) { a.layout().show_next(-1); }},
    {"panel.storage", "Storage", Menu::View, kW, {ImGuiKey_1}, [](App& a) { a.layout().show("storage"); }},
    {"panel.lab", "View lab", Menu::View, kW, {ImGuiKey_2}, [](App& a) { a.layout().show("lab"); }},
    {"theme.toggle", "Light theme", Menu::View, kW, {kCtrl | ImGuiKey_T}, [](App& a) { a.toggle_theme(); }, nullptr,
     [](const App&) { return theme_name() == ThemeName::Light; }},
    {"scale.up", "Larger", Menu::View, kW, {kCtrl | ImGuiKey_Equal, kCtrl | ImGuiKey_KeypadAdd}, [](App& a) { a.change_scale(1.1f); }},
    {"scale.down", "Smaller", Menu::View, kW, {kCtrl | ImGuiKey_Minus, kCtrl | ImGuiKey_KeypadSubtract}, [](App& a) { a.change_scale(1 / 1.1f); }},

    {"lesson", "Details and lesson", Menu::Help, kW, {ImGuiKey_F1}, [](App& a) { a.layout().show("details"); }},
    {"help", "Keys", Menu::Help, kW, {Chord::typed('?')}, ask<Sheet::Help>},
    {"stop", "Leave the field, stop playing", Menu::Help, kW, {ImGuiKey_Escape}, [](App& a) { a.stop(); }},

    {"overlay.close", "Close what is open", Menu::Help, kO, {ImGuiKey_Escape}, [](App& a) { a.close_overlay(); }},
    {"overlay.help", "Close the sheet of keys", Menu::Help, kO, {Chord::typed('?')}, [](App& a) { a.close_help(); }},
    {"overlay.next", "Next row", Menu::Help, kO, {ImGuiKey_DownArrow}, [](App& a) { a.move_in_overlay(1); }},
    {"overlay.previous", "Previous row", Menu::Help, kO, {ImGuiKey_UpArrow}, [](App& a) { a.move_in_overlay(-1); }},
    {"overlay.take", "Take the row", Menu::Help, kO, {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, [](App& a) { a.accept_overlay(); }},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace cutaway::inspector
