// The timeline: lanes of blocks along events, with a playhead that can be dragged.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace cutaway::inspector {

struct LaneBlock {
  size_t first = 0;               // event numbers
  size_t last = 0;
};
struct LaneRow {
  const char* label = "";
  int color = 0;                  // a view hue
  std::vector<LaneBlock> blocks;
};
struct LanesInput {
  std::vector<LaneRow> rows;
  size_t events = 0;
  size_t time = 0;
  std::vector<size_t> marks;
  float height = 0;
};
// Returns: the event that was clicked or dragged to.
std::optional<size_t> draw_lanes(const LanesInput& input);
// How many blocks a lane of this width has room for.
size_t lane_buckets();

}  // namespace cutaway::inspector
