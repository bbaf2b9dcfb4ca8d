// Events over time: lanes of blocks, folded so that the cost follows the pixels, and the list of events.
//
// PyTorch: none
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "inspector/model/session.h"

namespace cutaway::inspector {

// Events [first, last] of one lane, next to each other on the screen.
struct TimelineBlock {
  size_t first = 0;
  size_t last = 0;
  size_t count = 0;
};

struct TimelineModel {
  size_t events = 0;
  size_t time = 0;
  std::array<std::vector<TimelineBlock>, trace::kLanes> lanes;
};

// Blocks of events [from, to] (numbers), at most `buckets` in each lane.
TimelineModel make_timeline_model(const Session& session, size_t from, size_t to, size_t buckets);

struct EventRow {
  size_t number = 0;
  std::string kind;
  std::string sentence;
  std::string op;                 // innermost operator, "" outside of any
  std::string source;             // "demo.cpp:51"
};
EventRow event_row(const Session& session, size_t number);

}  // namespace cutaway::inspector
