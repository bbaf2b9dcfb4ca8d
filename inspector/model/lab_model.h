// The View lab: sizes, strides and offset as knobs over a real storage, and what the library says of them.
//
// PyTorch: aten/src/ATen/native/TensorShape.cpp (as_strided); VIEW-12 for the presets
#pragma once

#include <string>
#include <vector>

#include "core/geometry/bounds.h"
#include "inspector/model/session.h"

namespace cutaway::inspector {

struct LabKnob {
  std::string label;  // "size 0"
  int64_t value = 0;
  int64_t least = 0;
  int64_t most = 0;  // inclusive; beyond it the library refuses
};

struct LabPreset {
  std::string name;  // "transpose"
  Geometry geometry;
  bool refused = false;  // flip: the library's text is `error`
  std::string error;
};

struct LabModel {
  ObjectId tensor = 0;  // 0: nothing is selected
  std::string title;    // "View lab over storage #1"
  std::vector<LabKnob> knobs;
  Geometry geometry;
  bool legal = true;
  std::string error;    // the library's text when it is not
  std::string verdict;  // "a view: 30 elements, 120 bytes, contiguous"
  std::string overlap;
  std::string code;      // torch.as_strided(x, (10, 3), (1, 32), 19)
  std::string code_cpp;  // at::as_strided(x, {10, 3}, {1, 32}, 19)
  std::vector<LabPreset> presets;
  // "why view fails here": flattening this geometry.
  std::string flatten;
  ViewVerdict flatten_verdict;
  // What reads the selected element.
  std::string reverse;
};

LabModel make_lab_model(const Session& session);

// What reads byte `byte` of the storage through the lab's geometry: the element it lies in and every index of that, "no
// index" when there is none. Returns: "" when there is no such byte, or no legal view.
std::string lab_readers(const Session& session, const LabModel& model, uint64_t byte);

// Turns knob `index` to `value`. The result may be illegal; the model then says why.
void turn_knob(Session& session, size_t index, int64_t value);
// A dimension more, of size 1 and stride 1, at the end; at most 8. One less.
void add_lab_dim(Session& session);
void remove_lab_dim(Session& session, size_t dim);

}  // namespace cutaway::inspector
