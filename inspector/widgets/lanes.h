// The timeline: lanes of blocks along events, with a playhead that can be dragged.
//
// Event k fills the place from k - 1 to k. Blocks are given folded to what the width has room for, so that the cost follows
// pixels, not events. The wheel scrolls lanes; with Ctrl it zooms, with Shift it moves along.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::inspector {

struct LaneBlock {
  size_t first = 0;  // event numbers
  size_t last = 0;
  size_t count = 0;  // events folded into it; 0: as many as it spans
};
struct LaneRow {
  std::string label;
  int color = -1;  // a view hue; -1: none of them
  std::vector<LaneBlock> blocks;
};

// What part of time is on the screen, kept by who draws.
struct LanesState {
  double from = 0;  // events; both 0: all of them
  double to = 0;
  float scroll = 0;  // lanes above the first one, pixels
};

struct LanesInput {
  std::vector<LaneRow> rows;
  size_t events = 0;
  size_t time = 0;
  std::vector<size_t> marks;  // steps of a tour
  std::vector<size_t> bookmarks;
  size_t hovered = 0;  // an event pointed at elsewhere; 0: none
  float height = 0;
};
struct LanesOutput {
  std::optional<size_t> seek;  // the event that was clicked or dragged to
  size_t hovered = 0;          // the event under the mouse; 0: none
  int lane = -1;               // the row under the mouse
};
LanesOutput draw_lanes(const LanesInput& input, LanesState& state);

// How many blocks a lane has room for in the width there is.
size_t lane_buckets();

}  // namespace cutaway::inspector
