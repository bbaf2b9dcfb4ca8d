// One thing that happened, as a trace keeps it: small, fixed-size, with ids into the trace's side tables.
//
// Time is counted in events. `t` runs from 0 (nothing has happened) to Trace::size() (everything has); event
// number k, counted from 1, is what takes the world from t = k - 1 to t = k. So "at event 42" means t = 42.
// `detail`, `old_value` and `new_value` by kind ("-": nothing, kNone or 0):
//
//   kind              detail                     old_value -> new_value
//   StorageAllocated  Trace::storage_record      -, bytes
//   StorageFreed      -                          bytes, -
//   StorageResized    Trace::storage_record      bytes, bytes
//   CountsChanged     -                          strong << 32 | weak (count_strong, count_weak below)
//   TensorMade        internal                   -
//   TensorChanged     internal                   internal (compare World::tensor before and after)
//   TensorReleased    -                          -
//   TensorNamed       Trace::text                internal
//   ViewMade          Trace::view_record         internal
//   Write             Trace::write               number of the write before, of this one
//   VersionChanged    -                          version, version
//   OpBegin, OpEnd    Trace::spans               -
//   Error, Mark       Trace::text                -
//
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
  uint16_t thread = 0;      // small number, in order of first appearance
  TableIndex span = kNone;  // innermost operator span of its thread (Trace::spans); OpBegin, OpEnd: their own
  TableIndex source = kNone;  // Trace::source_line
  TableIndex detail = kNone;  // entry of the table that belongs to `kind`
  ObjectId object = 0;        // storage, tensor or version counter; 0 for OpBegin, OpEnd, Error, Mark
  int64_t old_value = 0;      // what a step back restores
  int64_t new_value = 0;
};

// Of the old_value or new_value of a CountsChanged.
inline uint32_t count_strong(int64_t counts) {
  return static_cast<uint32_t>(static_cast<uint64_t>(counts) >> 32);
}
inline uint32_t count_weak(int64_t counts) { return static_cast<uint32_t>(counts); }

// Lanes of the timeline, in the order they are drawn.
enum class Lane : uint8_t { Alloc, View, Write, Tensor, Refs, Op, Mark };
inline constexpr int kLanes = 7;

// Returns: the lane an event of this kind is drawn in.
Lane lane_of(EventKind kind);
const char* to_string(EventKind kind);
const char* to_string(Lane lane);

}  // namespace cutaway::trace
