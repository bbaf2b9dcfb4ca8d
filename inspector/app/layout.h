// Where panels stand: four presets of docked windows, and what the user made of them.
//
// PyTorch: none
#pragma once

#include <imgui.h>

namespace cutaway::inspector {

enum class Preset { Explore, Lesson, Compare, Present };

class Layout {
 public:
  // Puts the panels of a preset in place at the next draw.
  void reset(Preset preset) {
    preset_ = preset;
    pending_ = true;
  }
  // Keeps what the user's file restored, if it did; else the preset is laid out.
  void keep_restored() { restored_ = true; }

  // Opens the dock space in the rectangle between the bars.
  void draw(ImVec2 at, ImVec2 size);

 private:
  Preset preset_ = Preset::Explore;
  bool pending_ = true;
  bool restored_ = false;
};

}  // namespace cutaway::inspector
