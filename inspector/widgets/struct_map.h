// An object as it lies in memory: cache lines of 64 bytes, a piece for each field, coloured by the group it belongs to.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cutaway::inspector {

struct StructField {
  std::string name;
  size_t offset = 0;  // bytes
  size_t size = 0;    // 0: a bit inside another field, told in the list only
  int group = 0;      // a view hue
};
// Names stand in pieces that are wide enough. Returns: the field that is pointed at, -1 for none.
int struct_map(std::span<const StructField> fields, size_t total);

}  // namespace cutaway::inspector
