// The list on the left: tensors, storages and what a file holds that is no tensor here.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  bool changed = false;           // by the current event
  bool is_view = false;
  bool requires_grad = false;
};

struct StorageRow {
  ObjectId storage = 0;
  uint64_t nbytes = 0;
  std::string dtype;              // of the tensors over it
  std::string device;
  size_t tensors = 0;             // living ones
  bool alive = true;
  bool selected = false;
};

struct ExplorerModel {
  std::vector<StorageRow> storages;
  std::vector<TensorRow> tensors;         // those the filter lets through
  size_t tensors_in_all = 0;
  std::vector<UnreadableEntry> unreadable;
  std::string filter_error;
  std::string files;                      // "npz, 2 tensors"
};

ExplorerModel make_explorer_model(const Session& session, const std::string& filter = "");

}  // namespace cutaway::inspector
