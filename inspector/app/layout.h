// Where panels stand: docked windows in four presets, and what the user made of them.
//
// Dear ImGui keeps the docking; this object builds the presets, draws the strip of tabs in the look of the rest, and
// remembers which panels are shown. Layout and looks are kept in the file that Dear ImGui is given, under [Cutaway].
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "inspector/panels/panel.h"

namespace cutaway::inspector {

enum class Preset { Explore, Lesson, Compare, Present };
inline constexpr int kPresets = 4;
const char* to_string(Preset preset);

class Layout {
 public:
  Layout();

  // Puts the panels of a preset in place at the next draw.
  void reset(Preset preset);
  Preset preset() const { return preset_; }

  bool is_shown(std::string_view panel) const;
  void toggle(std::string_view panel);
  // Shows a panel and brings it to the front of its tabs.
  void show(std::string_view panel);
  // The next or previous tab of the canvas.
  void show_next(int direction);
  // Whether a panel is in front of its tabs: the one of the canvas that can be seen.
  bool is_in_front(std::string_view panel) const;

  // Opens the dock space in the rectangle between the bars.
  void draw(ImVec2 at, ImVec2 size);
  // Begins a panel's window. Returns: whether its contents can be seen; end_panel must follow in any case.
  bool begin_panel(const Panel& panel);
  void end_panel();

  // What is kept between runs, as lines of "name=value".
  std::string state() const;
  // Reads such a line; what it does not know is left out.
  void read_state(std::string_view name, std::string_view value);

 private:
  struct Place {
    const Panel* panel;
    std::string window;  // "Storage###storage"
    bool shown = true;
    bool in_front = false;
    bool titled = false;  // its tabs can be seen, so the panel needs no heading
  };
  void build(ImGuiID root, ImVec2 size);
  bool all_docked() const;
  Place* find(std::string_view panel);
  const Place* find(std::string_view panel) const;

  Preset preset_ = Preset::Explore;
  bool pending_ = true;
  bool restored_ = false;  // the user's file had something to say
  std::string to_front_;
  std::vector<Place> places_;
};

}  // namespace cutaway::inspector
