// Everything one can do, in one table: it feeds keys, menus, the palette and the sheet of keys.
//
// A command acts in a context. While an overlay (palette, prompt, sheet) is open, its own keys come first; while a text field
// has the focus, only chords for which acts_in_text_field() holds. No chord stands twice in one context.
// Adding a command: one entry in command_table.cpp.
// Thread safety: the table never changes; running is for the main thread.
//
// PyTorch: none
#pragma once

#include <span>
#include <string_view>

#include "inspector/app/chord.h"

namespace cutaway::inspector {

class App;

enum class Context { Window, Overlay };
enum class Menu { File, Time, Canvas, View, Help };
inline constexpr int kMenus = 5;
const char* to_string(Menu menu);

struct Command {
  const char* id = "";     // "event.next"
  const char* title = "";  // "Next event"; "..." at its end: it asks for more
  Menu menu = Menu::File;
  Context context = Context::Window;
  Chord keys[2];
  void (*run)(App& app) = nullptr;
  // Why it cannot be run now; null or nullptr: it can.
  const char* (*refusal)(const App& app) = nullptr;
  // Whether what it switches is on. Null: it switches nothing.
  bool (*ticked)(const App& app) = nullptr;

  const char* refused(const App& app) const { return refusal ? refusal(app) : nullptr; }
};

std::span<const Command> commands();
// Returns: null when there is none of that id.
const Command* find_command(std::string_view id);

// Where keys go at a moment.
struct KeyFocus {
  bool text_field = false;
  bool overlay = false;
};
// Returns: the command that a chord runs at that moment, refused or not; null when it runs none.
const Command* command_for(const Chord& chord, const KeyFocus& focus);

}  // namespace cutaway::inspector
