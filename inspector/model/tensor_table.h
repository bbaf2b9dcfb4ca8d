// A tensor as its program sees it, by index: the last two dimensions are a table, the earlier ones number the tables.
//
// Beside the storage's grid it shows what strides do: the same elements, in the tensor's own order. Each cell knows the
// element of the storage that it is, so that pointing at one frames the other.
//
// PyTorch: torch/_tensor_str.py
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspector/model/session.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {

struct TensorTable {
  ObjectId tensor = 0;  // 0: none, or it has no elements
  std::string name;
  ObjectId storage = 0;
  ScalarType dtype = ScalarType::Undefined;
  Geometry geometry;
  int64_t tables = 1;  // product of the sizes of all dimensions but the last two
  int64_t rows = 1;
  int64_t columns = 1;
  int color = 0;
};
TensorTable make_tensor_table(const Session& session, ObjectId tensor);

// Returns: the indices of table `number` in all dimensions but the last two: "[3, 0]"; "" when there is one table.
std::string table_label(const TensorTable& table, int64_t number);

// The element of the storage at a place of a table.
int64_t element_at(const TensorTable& table, int64_t number, int64_t row, int64_t column);

struct TableCell {
  int64_t element = 0;  // of the storage
  std::string text;
  float value = 0;  // for a shade; 0 when it is special or unknown
  bool special = false;
  bool known = true;
};
// What is asked of one table: `rows` x `columns` cells from its corner, every `step`-th row and column.
struct TableAsk {
  int64_t number = 0;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t step = 1;
  bool texts = true;  // false: only the values are worked out
};
// Row by row. Requires: they lie in the table.
std::vector<TableCell> table_cells(const Session& session, const TensorTable& table, const TableAsk& ask);

}  // namespace cutaway::inspector
