// x[1:4, None, ..., 2]: which index expressions are views, and of what geometry.
//
// Integers, slices, None and the ellipsis give a view. A list of integers or of booleans gives a copy, because no
// stride visits an arbitrary choice of rows; the result's sizes are told, its geometry is that of the fresh copy.
//
// PyTorch: aten/src/ATen/TensorIndexing.h, torch/csrc/autograd/python_variable_indexing.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/geometry/geometry.h"

namespace cutaway {

struct IndexSlice {
  std::optional<int64_t> start;
  std::optional<int64_t> end;
  std::optional<int64_t> step;
};
struct IndexNone {};
struct IndexEllipsis {};
struct IndexList {
  std::vector<int64_t> positions;
};
struct IndexMask {
  std::vector<bool> mask;  // of one dimension
};
using IndexItem = std::variant<int64_t, IndexSlice, IndexNone, IndexEllipsis, IndexList, IndexMask>;

struct Indexed {
  Geometry geometry;  // of the view, or of the copy
  bool copies = false;
  std::string why;  // why it copies
  // A copy is made row by row: index r of dimension `gather_dim` of the result is what rows[r] views of the source.
  int64_t gather_dim = 0;
  std::vector<std::vector<IndexItem>> rows;
};

// Throws: IndexError or ValueError in PyTorch's words.
Indexed index(const Geometry& g, const std::vector<IndexItem>& items);

}  // namespace cutaway
