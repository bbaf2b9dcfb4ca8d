// Events over time: lanes of blocks, folded so that the cost follows the pixels, and the list of events with its filter.
//
// Lanes are drawn from an index made once (the numbers of the events of each lane, ascending): a block is found by two
// binary searches, however many events it stands for. Operators are blocks as long as they last.
//
// PyTorch: none
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inspector/model/session.h"

namespace cutaway::inspector {

// Events [first, last] of one lane, next to each other on the screen.
struct TimelineBlock {
  size_t first = 0;
  size_t last = 0;
  size_t count = 0;  // events of the lane, or operators, in it
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
  std::string op;      // innermost operator, "" outside of any
  std::string source;  // "demo.cpp:51"
  trace::Lane lane = trace::Lane::Mark;
  int depth = 0;  // operators around it
  bool touches_selection = false;
};
EventRow event_row(const Session& session, size_t number);

// The events that a filter lets through, in order.
//
//   plain word            in the operator's call, the kind, a text or the name of the tensor concerned
//   kind:write            op:add_               tensor:x (its name, exactly)      storage:9
//   at>100 (also < and :) thread:1              touches:here (the selection)
class EventList {
 public:
  size_t size() const { return numbers_ ? numbers_->size() : all_; }
  bool empty() const { return size() == 0; }
  // Returns: the event number of row i. Requires: i < size().
  size_t number(size_t i) const { return numbers_ ? (*numbers_)[i] : i + 1; }
  // Returns: the row of the last event <= number, size() if there is none.
  size_t row_of(size_t number) const;
  // Why the filter was not understood; all events are listed then.
  const std::string& filter_error() const { return error_; }

 private:
  friend EventList make_event_list(const Session& session, const std::string& filter);
  size_t all_ = 0;
  std::shared_ptr<const std::vector<uint32_t>> numbers_;
  std::string error_;
};
EventList make_event_list(const Session& session, const std::string& filter = "");

}  // namespace cutaway::inspector
