// A world that is moved through time: forward by applying events, back by undoing them, far by the nearest
// keyframe.
//
// One step costs one slot; a seek at most half a keyframe distance of steps. World::hash() at t is the same
// however t was reached. Not for several threads at once; the Worlds it gives out are.
//
// PyTorch: none
#pragma once

#include <memory>

#include "trace/trace.h"
#include "trace/world.h"

namespace cutaway::trace {

class Replay {
 public:
  // Starts at t = 0.
  explicit Replay(const Trace& trace);

  size_t time() const { return time_; }
  // Throws: IndexError when t is beyond the last event.
  void seek(size_t t);
  // Throws: IndexError at the end (forward) or the start (back).
  void step_forward();
  void step_back();
  // The world now. Stays as it is when the replay moves on.
  World world() const;

 private:
  std::shared_ptr<const TraceData> data_;
  std::shared_ptr<Columns> columns_;
  mutable bool shared_ =
      false;  // whether a World was given these columns: they are copied before the next change
  size_t time_ = 0;

  Columns& own();
};

}  // namespace cutaway::trace
