// The current event in words and numbers, the step of the tour it belongs to, and the line at the bottom of the window.
//
// PyTorch: none
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "inspector/model/session.h"

namespace cutaway::inspector {

// One value that the event changed.
struct DetailsChange {
  std::string label;      // "strides", "version of x", "element 19"
  std::string old_value;  // "" when there was none
  std::string new_value;
};

struct DetailsModel {
  size_t time = 0;
  size_t events = 0;
  std::string sentence;   // what the event did; how to begin at event 0
  std::string source;     // "demo.cpp:51"
  std::string statement;  // the program's own line
  std::string op;         // "transpose(0, 1)", "" outside of any operator
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<DetailsChange> changes;
  // The tour: number of the step from 1, how many there are, title and text.
  size_t step = 0;
  size_t steps = 0;
  std::string step_title;
  std::string step_text;
  std::string next_title;  // of the step that follows; "" at the last
};
DetailsModel make_details_model(const Session& session);

struct StatusModel {
  std::string source;  // "digits.npz   npz, 2 tensors"
  std::string event;   // "event 42 / 118"
  std::string hovered;
  std::string problem;  // "" when there is none
};
StatusModel make_status_model(const Session& session);

}  // namespace cutaway::inspector
