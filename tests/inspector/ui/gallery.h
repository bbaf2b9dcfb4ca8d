// Every widget once, with made-up data that shows each of its states: what a reader looks at to know what there is, and a
// golden picture of the tests.
//
// PyTorch: none
#pragma once

#include "inspector/widgets/cell_grid.h"
#include "inspector/widgets/lanes.h"

namespace cutaway::inspector {

struct GalleryState {
  GridState values, runs, texture;
  LanesState lanes;
  std::string search = "dtype:f32";
  std::string empty;
  int64_t knob = 3;
};

// Fills the display. Requires: inside a frame, fonts and theme in use.
void draw_gallery(GalleryState& state);

}  // namespace cutaway::inspector
