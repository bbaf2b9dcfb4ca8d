// An operation that was refused, with the reason in plain words: why it is impossible, and the cure.
//
// What an error event says is PyTorch's text. What it does not say are the numbers: which two dimensions cannot merge,
// which two indices are one element. Those are worked out from the tensor the operation was called on.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/geometry/overlap.h"
#include "core/geometry/reshaping.h"
#include "trace/trace.h"

namespace cutaway::inspector {

// It happened at event `number`.
struct FailedView {
  size_t number = 0;
  ObjectId source = 0;     // the tensor it was called on
  std::string expression;  // "z.view(30)"
  std::string call;        // "view(30)"
  std::string kind;        // "RuntimeError"
  std::string message;
  std::optional<ViewVerdict> verdict;  // which dimensions cannot merge
  std::optional<Collision> collision;  // which indices are one element
  std::string why;                     // plain words, with the cure; empty when the message says all
};

// Fills verdict's and collision's words into `why`, from the tensor as it then was.
void explain(FailedView& failure, const trace::TensorState& source);

// Works out the Error event `number` of a recorded program from its operator span and source line.
// Returns: nothing when it is no such event, or the tensor it was called on cannot be told.
std::optional<FailedView> recorded_failure(const trace::Trace& trace, size_t number);

}  // namespace cutaway::inspector
