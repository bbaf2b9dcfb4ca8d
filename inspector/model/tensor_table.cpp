#include "inspector/model/tensor_table.h"

#include <algorithm>

#include "core/convert.h"
#include "core/geometry/lit_runs.h"

namespace cutaway::inspector {
namespace {

// Elements that are fetched in one go although not all are wanted.
constexpr int64_t kMostGap = 1 << 16;

struct Fetched {
  std::vector<std::byte> bytes;
  std::vector<bool> known;
};

// The bytes of each cell, one after the other. Elements that lie close are read as one range.
Fetched fetch(const Session& session, const TensorTable& table, const std::vector<TableCell>& cells,
              size_t itemsize) {
  Fetched fetched{std::vector<std::byte>(cells.size() * itemsize), std::vector<bool>(cells.size())};
  if (cells.empty()) return fetched;
  const auto less = [](const TableCell& a, const TableCell& b) { return a.element < b.element; };
  const auto [low, high] = std::minmax_element(cells.begin(), cells.end(), less);
  const bool together = high->element - low->element < kMostGap;
  const int64_t first = together ? low->element : 0;
  const size_t count = together ? static_cast<size_t>(high->element - first + 1) : 1;
  std::vector<std::byte> bytes(count * itemsize);
  std::vector<trace::ByteState> states(bytes.size());
  const auto read = [&](int64_t element) {
    session.trace().bytes_at(session.time(), table.storage, static_cast<uint64_t>(element) * itemsize, bytes,
                             states);
  };
  if (together) read(first);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!together) read(cells[i].element);
    const size_t at = together ? static_cast<size_t>(cells[i].element - first) * itemsize : 0;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), itemsize,
                fetched.bytes.begin() + static_cast<std::ptrdiff_t>(i * itemsize));
    fetched.known[i] = std::all_of(states.begin() + static_cast<std::ptrdiff_t>(at),
                                   states.begin() + static_cast<std::ptrdiff_t>(at + itemsize),
                                   [](trace::ByteState state) { return state == trace::ByteState::Known; });
  }
  return fetched;
}

}  // namespace

TensorTable make_tensor_table(const Session& session, ObjectId id) {
  TensorTable table;
  const auto tensor = session.world().tensor(id);
  if (!tensor || tensor->storage == 0 || !tensor->in_bounds) return table;
  table.geometry = geometry_of(*tensor);
  if (table.geometry.numel() == 0) return table;
  table.tensor = id;
  table.name = name_of(*tensor);
  table.storage = tensor->storage;
  table.dtype = tensor->dtype;
  table.color = session.color_of(id);
  const auto dims = static_cast<int64_t>(tensor->sizes.size());
  if (dims >= 1) table.columns = tensor->sizes[static_cast<size_t>(dims - 1)];
  if (dims >= 2) table.rows = tensor->sizes[static_cast<size_t>(dims - 2)];
  table.tables = table.geometry.numel() / (table.rows * table.columns);
  return table;
}

namespace {

std::vector<int64_t> outer_index(const TensorTable& table, int64_t number) {
  std::vector<int64_t> index(static_cast<size_t>(std::max<int64_t>(table.geometry.dim() - 2, 0)));
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = number % table.geometry.sizes[i];
    number /= table.geometry.sizes[i];
  }
  return index;
}

}  // namespace

std::string table_label(const TensorTable& table, int64_t number) {
  const std::vector<int64_t> index = outer_index(table, number);
  return index.empty() ? "" : index_text(index);
}

int64_t element_at(const TensorTable& table, int64_t number, int64_t row, int64_t column) {
  std::vector<int64_t> index = outer_index(table, number);
  if (table.geometry.dim() >= 2) index.push_back(row);
  if (table.geometry.dim() >= 1) index.push_back(column);
  return table.geometry.element(index);
}

std::vector<TableCell> table_cells(const Session& session, const TensorTable& table, const TableAsk& ask) {
  std::vector<TableCell> cells(static_cast<size_t>(ask.rows * ask.columns));
  const int64_t first = element_at(table, ask.number, 0, 0);
  const int64_t dims = table.geometry.dim();
  const int64_t down = dims >= 2 ? table.geometry.strides[static_cast<size_t>(dims - 2)] * ask.step : 0;
  const int64_t right = dims >= 1 ? table.geometry.strides[static_cast<size_t>(dims - 1)] * ask.step : 0;
  for (int64_t row = 0; row < ask.rows; ++row)
    for (int64_t column = 0; column < ask.columns; ++column)
      cells[static_cast<size_t>(row * ask.columns + column)].element = first + row * down + column * right;
  const size_t itemsize = std::max<size_t>(element_size(table.dtype), 1);
  const Fetched fetched = fetch(session, table, cells, itemsize);
  const ValueFormat format = choose_format(table.dtype, fetched.bytes);
  for (size_t i = 0; i < cells.size(); ++i) {
    TableCell& cell = cells[i];
    const std::byte* element = fetched.bytes.data() + i * itemsize;
    cell.known = fetched.known[i];
    if (!cell.known || table.dtype == ScalarType::Undefined) continue;
    cell.special = is_special(table.dtype, element);
    if (!cell.special) cell.value = static_cast<float>(element_as_double(table.dtype, element));
    if (ask.texts) cell.text = value_text(table.dtype, element, format);
  }
  return cells;
}

}  // namespace cutaway::inspector
