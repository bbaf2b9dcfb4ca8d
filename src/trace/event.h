// One thing that happened, as a trace keeps it: small, fixed-size, with ids into the trace's side tables.
//
// Time is counted in events. `t` runs from 0 (nothing has happened) to Trace::size() (everything has); event
// number k, counted from 1, is what takes the world from t = k - 1 to t = k. So "at event 42" means t = 42.
// Immutable once in a trace; safe to read from any thread.
//
// PyTorch: none
#pragma once

#include <cstdint>

#include "core/observer.h"

namespace cutaway::trace {

enum class EventKind : uint8_t {
  StorageAllocated,
  StorageFreed,
  StorageResized,
  CountsChanged,
  TensorMade,
  TensorChanged,
  TensorReleased,
  TensorNamed,
  ViewMade,
  Write,
  VersionChanged,
  OpBegin,
  OpEnd,
  Error,
  Mark,
};
inline constexpr int kEventKinds = 15;

// Index into one of the trace's tables (texts, shapes, writes, ...); kNone where there is nothing.
using TableIndex = uint32_t;
inline constexpr TableIndex kNone = 0xffffffffu;

struct Event {
  EventKind kind = EventKind::Mark;
  uint16_t thread = 0;            // small number, in order of first appearance
  TableIndex span = kNone;        // innermost operator span this event belongs to (Trace::spans)
  TableIndex source = kNone;      // Trace::source_line
  TableIndex detail = kNone;      // entry of the table that belongs to `kind`
  ObjectId object = 0;            // storage, tensor or version counter; 0 for OpBegin, OpEnd, Error, Mark
  int64_t old_value = 0;          // what a step back restores, where one number is enough (bytes, version, counts)
  int64_t new_value = 0;
};

// Lanes of the timeline, in the order they are drawn.
enum class Lane : uint8_t { Alloc, View, Write, Tensor, Refs, Op, Mark };
inline constexpr int kLanes = 7;

// Returns: the lane an event of this kind is drawn in.
Lane lane_of(EventKind kind);
const char* to_string(EventKind kind);
const char* to_string(Lane lane);

}  // namespace cutaway::trace
