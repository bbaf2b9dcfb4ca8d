// One buffer as a grid: what the Storage panel draws and its text prints.
//
// The frame (sizes, overlays, who holds it) is worked out once for each change of the session; cells are asked for by
// range, so that a buffer of any size costs what is on the screen.
//
// PyTorch: c10/core/StorageImpl.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspector/model/session.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {

struct Overlay {
  ObjectId tensor = 0;
  std::string name;
  std::string geometry_text;      // "10 x 2   strides 1, 32   offset 51"
  int color = 0;
  bool selected = false;
  Geometry geometry;
};

// What is told beside the grid: a refused view, a copy made instead of one, or nothing.
struct Callout {
  std::string title;
  std::string message;            // the library's own text
  std::string why;
  std::optional<ViewVerdict> verdict;
  Geometry source;                // of the tensor the view was asked of
};

struct StorageModel {
  ObjectId storage = 0;           // 0: nothing is selected
  std::string title;              // "Storage #1"
  std::string subtitle;           // "192 elements, 768 bytes, read as float32"
  ScalarType dtype = ScalarType::Undefined;
  size_t itemsize = 1;
  uint64_t nbytes = 0;
  int64_t elements = 0;
  int64_t columns = 16;           // elements a row, where there is room
  int64_t column_step = 1;        // rows keep their meaning when they are this many elements shorter
  bool alive = true;
  std::vector<Overlay> overlays;
  std::string held_by;            // "4 tensors: x, y, z, w"
  std::string freed_when;         // "freed when all four are gone"
  // Of the selected tensor (MEM-6).
  uint64_t reachable_bytes = 0;
  std::string reach_warning;      // set when it keeps much more alive than it reads
  std::optional<Callout> callout;
};

StorageModel make_storage_model(const Session& session);

struct Cell {
  std::string text;
  std::string old_text;           // before the current event, when it changed
  bool changed = false;
  bool special = false;           // NaN or infinite
  trace::ByteState state = trace::ByteState::Known;
  uint32_t lit = 0;               // bit i: overlay i reads it
  bool overlap = false;           // one tensor reads it by more than one index
};

// Cells [first, first + count), fewer at the end.
std::vector<Cell> storage_cells(const Session& session, const StorageModel& model, int64_t first, int64_t count);

// What is said of one element: the sum that leads to it, every index that reads it, its bytes, its last write.
struct ElementFacts {
  std::vector<std::string> lines; // the first names indices: "z[2, 1] = y[1, 2] = x[5, 5]"
  std::string value;
};
ElementFacts element_facts(const Session& session, const StorageModel& model, int64_t element);

// The values of [first, first + count) as doubles, for pictures of large buffers; NaN where nothing is known.
std::vector<float> storage_values(const Session& session, const StorageModel& model, int64_t first, int64_t count);

}  // namespace cutaway::inspector
