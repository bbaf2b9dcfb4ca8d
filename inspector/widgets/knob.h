// A number to turn: a label, a field with - and +, and a track that shows the range in which it is legal.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::inspector {

struct Knob {
  const char* id = "";
  std::string_view label;
  int64_t value = 0;
  int64_t least = 0;  // of the legal range, both included; values beyond it are shown as wrong
  int64_t most = 0;
};
// Pixels from one to the next.
float knob_height();
// Turned by the buttons, the wheel, typing, or dragging along the track.
// Returns: the new value, when it was turned. It may be illegal.
std::optional<int64_t> knob_row(const Knob& knob);

}  // namespace cutaway::inspector
