// The list on the left: files, tensors, storages, and what a file holds that is no tensor here.
//
// Rows are made when they are looked at (lazy_rows.h), so a file of a million tensors costs the rows on the screen.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspector/model/lazy_rows.h"
#include "inspector/model/session.h"

namespace cutaway::inspector {

struct TensorRow {
  ObjectId tensor = 0;
  ObjectId storage = 0;
  std::string name;
  std::string dtype;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  uint64_t storage_nbytes = 0;
  int color = 0;
  bool alive = true;
  bool selected = false;
  bool hidden = false;
  bool changed = false;  // by the current event
  bool is_view = false;
  bool requires_grad = false;
};

struct StorageRow {
  ObjectId storage = 0;
  uint64_t nbytes = 0;
  std::string dtype;  // of the tensors over it
  std::string device;
  size_t tensors = 0;  // living ones
  bool alive = true;
  bool selected = false;
};

enum class ExplorerOrder { Birth, Name, Bytes };

struct ExplorerModel {
  LazyRows<StorageRow> storages;
  LazyRows<TensorRow> tensors;  // those the filter lets through
  size_t tensors_in_all = 0;
  size_t selected_storage = SIZE_MAX;  // places in these lists
  size_t selected_tensor = SIZE_MAX;
  std::vector<OpenFile> files;
  std::vector<UnreadableEntry> unreadable;
  std::string filter_error;
};

ExplorerModel make_explorer_model(const Session& session, const std::string& filter = "",
                                  ExplorerOrder order = ExplorerOrder::Birth);

TensorRow tensor_row(const Session& session, ObjectId tensor);
StorageRow storage_row(const Session& session, ObjectId storage);

}  // namespace cutaway::inspector
