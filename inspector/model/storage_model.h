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

// Overlays beyond this many are not laid over the cells (Cell::lit has a bit for each).
inline constexpr size_t kMostOverlays = 32;

struct Overlay {
  ObjectId tensor = 0;
  std::string name;
  std::string geometry_text;  // "10 x 2   strides 1, 32   offset 51"
  int color = 0;
  bool selected = false;
  Geometry geometry;  // in elements
  Geometry cells;     // in cells of the grid: the same, or byte by byte
};

// What is told beside the grid: a refused view, a copy made instead of one, or nothing.
struct Callout {
  bool refused = false;  // by an error; else a copy that was made
  std::string title;
  std::string message;  // the library's own text
  std::string why;
  std::optional<ViewVerdict> verdict;
  std::optional<Collision> collision;  // two indices that are one element
  Geometry source;                     // of the tensor the view was asked of
};

struct StorageModel {
  ObjectId storage = 0;  // 0: nothing is selected
  std::string title;     // "Storage #1"
  std::string subtitle;  // "192 elements, 768 B, read as float32"
  ScalarType dtype = ScalarType::Undefined;
  size_t itemsize = 1;
  uint64_t nbytes = 0;
  int64_t elements = 0;
  // A cell is an element, or with Session::shows_bytes one byte.
  bool bytes = false;
  size_t cell_bytes = 1;
  int64_t cells = 0;
  int64_t span = 1;      // cells of an element
  int64_t columns = 16;  // cells a row
  int64_t run = 1;       // rows of small cells hold whole runs of this many
  bool alive = true;
  std::optional<size_t> compared;  // the event that cells are compared with; without it, the one before this
  std::vector<Overlay> overlays;   // at most kMostOverlays, the selected one among them
  size_t overlays_left_out = 0;
  std::string held_by;     // "4 tensors: x, y, z, w"
  std::string freed_when;  // "freed when all four are gone"
  // Of the selected tensor (MEM-6).
  uint64_t reachable_bytes = 0;
  uint64_t reach_begin = 0;  // bytes between its first and last element
  uint64_t reach_end = 0;
  std::string reach_warning;  // set when it keeps much more alive than it reads
  std::optional<Callout> callout;
};

StorageModel make_storage_model(const Session& session);

struct Cell {
  std::string text;
  std::string old_text;  // before the current event, when it changed
  bool changed = false;  // by the current event, or since the one it is compared with
  bool special = false;  // NaN or infinite
  trace::ByteState state = trace::ByteState::Known;
  uint32_t lit = 0;      // bit i: overlay i reads it
  bool overlap = false;  // one tensor reads it by more than one index
};

// Cells [first, first + count), fewer at the end. Bytes are written in hexadecimal.
std::vector<Cell> storage_cells(const Session& session, const StorageModel& model, int64_t first,
                                int64_t count);

// All indices of one tensor that read an element.
struct ElementReader {
  ObjectId tensor = 0;
  std::string name;
  std::vector<std::vector<int64_t>> indices;
  bool more = false;  // there are others
};

// What is said of one element: the sum that leads to it, every index that reads it, its bytes, its last write.
struct ElementFacts {
  std::vector<uint8_t> bytes;      // of the element, in memory order; empty when they are not known
  std::vector<BitField> fields;    // what their bits are for, from the highest down
  int64_t element = -1;            // -1: there is no such element
  std::vector<std::string> lines;  // the first names indices: "z[2, 1] = y[1, 2] = x[5, 5]"
  std::string value;
  std::vector<ElementReader> readers;
  size_t written_at = 0;  // number of the last event that wrote it, 0 if none
};
ElementFacts element_facts(const Session& session, const StorageModel& model, int64_t element);

}  // namespace cutaway::inspector
