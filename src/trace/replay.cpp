#include "trace/replay.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "trace/trace_data.h"

namespace cutaway::trace {

Replay::Replay(const Trace& trace)
    : data_(trace.data_), columns_(std::make_shared<Columns>(data_->keyframes.front())) {}

// The columns, shared with no World.
Columns& Replay::own() {
  if (std::exchange(shared_, false)) columns_ = std::make_shared<Columns>(*columns_);
  return *columns_;
}

void Replay::step_forward() {
  CUTAWAY_CHECK_INDEX(time_ < data_->events.size(), "step: there is no event after the last one, ", time_);
  apply(*data_, own(), ++time_);
}

void Replay::step_back() {
  CUTAWAY_CHECK_INDEX(time_ > 0, "step: there is no event before the first one");
  undo(*data_, own(), time_--);
}

void Replay::seek(size_t t) {
  CUTAWAY_CHECK_INDEX(t <= data_->events.size(), "seek: event ", t, " is beyond the last one, ",
                      data_->events.size());
  const size_t distance = t > time_ ? t - time_ : time_ - t;
  const size_t keyframe = std::min((t + kKeyframeEvents / 2) / kKeyframeEvents, data_->keyframes.size() - 1);
  const size_t frame_time = keyframe * kKeyframeEvents;
  const size_t frame_distance = t > frame_time ? t - frame_time : frame_time - t;
  if (frame_distance < distance) {
    columns_ = std::make_shared<Columns>(data_->keyframes[keyframe]);
    shared_ = false;
    time_ = frame_time;
  }
  while (time_ < t) step_forward();
  while (time_ > t) step_back();
}

World Replay::world() const {
  World world;
  world.data_ = data_;
  world.columns_ = columns_;
  shared_ = true;
  world.time_ = time_;
  return world;
}

}  // namespace cutaway::trace
