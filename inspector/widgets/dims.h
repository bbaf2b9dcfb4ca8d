// Sizes over strides, one column a dimension, with a bracket below the two that cannot merge.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

struct Dims {
  std::span<const int64_t> sizes;
  std::span<const int64_t> strides;
  int outer = -1;  // bracketed; -1: no bracket
  int inner = -1;
  std::string_view bracket;  // beside it: "cannot merge"
  Role role = Role::Wrong;   // of the bracket
};
ImVec2 dims_size(const Dims& dims);
void draw_dims(ImDrawList* list, ImVec2 at, const Dims& dims);
void put_dims(const Dims& dims);

}  // namespace cutaway::inspector
