// What lies over the panels: the line that asks (commands, find, go to, open, export) with its list of answers, and the
// sheet of keys.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspector/model/session.h"

namespace cutaway::inspector {

class App;

enum class Sheet { None, Palette, Find, GoTo, Open, Export, Help };

// A row of the list: what taking it does is one of the numbers, or the command, or the path.
struct Choice {
  std::string title;
  std::string detail;  // second line or end of the line, quiet
  std::string key;
  std::string command;  // its id
  std::string path;
  ObjectId tensor = 0;
  size_t event = SIZE_MAX;
  const char* refused = nullptr;
};

struct Prompt {
  Sheet overlay = Sheet::None;
  bool opened = false;  // this frame: the field takes the focus
  std::string text;
  int row = 0;
  bool moved = false;  // the row has to come into view
  std::string error;
  std::vector<Choice> choices;
  // What the choices were worked out for.
  std::string asked;
  uint64_t asked_revision = 0;
  bool worked_out = false;
};

// Works out the choices for what is typed.
std::vector<Choice> choices_for(const Prompt& prompt, const App& app);

// Draws the prompt. Returns: what the mouse did with it.
enum class PromptAnswer { None, Taken, Dismissed };
PromptAnswer draw_prompt(Prompt& prompt, const App& app);
// Returns: whether it was dismissed by a click beside it.
bool draw_help_sheet(Prompt& prompt);

}  // namespace cutaway::inspector
