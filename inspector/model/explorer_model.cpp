#include "inspector/model/explorer_model.h"

#include <map>

#include "core/error.h"
#include "inspector/model/filter.h"

namespace cutaway::inspector {
namespace {

bool touched_now(const Session& session, ObjectId tensor, ObjectId storage) {
  if (session.time() == 0) return false;
  const auto& event = session.trace().event(session.time());
  return event.object == tensor || (event.kind == trace::EventKind::Write && event.object == storage);
}

TensorRow row_of(const Session& session, const trace::TensorState& tensor) {
  TensorRow row;
  row.tensor = tensor.id;
  row.storage = tensor.storage;
  row.name = name_of(tensor);
  row.dtype = dtype_name(tensor.dtype);
  row.sizes = tensor.sizes;
  row.strides = tensor.strides;
  row.offset = tensor.storage_offset;
  if (const auto storage = session.world().storage(tensor.storage)) row.storage_nbytes = storage->nbytes;
  row.color = session.color_of(tensor.id);
  row.alive = tensor.alive;
  row.selected = tensor.id == session.selection().tensor;
  row.hidden = session.is_hidden(tensor.id);
  row.changed = touched_now(session, tensor.id, tensor.storage);
  row.is_view = tensor.root != 0;
  row.requires_grad = tensor.requires_grad;
  return row;
}

}  // namespace

ExplorerModel make_explorer_model(const Session& session, const std::string& filter_text) {
  ExplorerModel model;
  Filter filter;
  try {
    filter = Filter::parse(filter_text);
    for (const std::string& shared : filter.shared_names()) {
      const auto tensor = session.world().tensor(session.document().tensor_named(shared));
      CUTAWAY_CHECK_VALUE(tensor.has_value(), "'shares:", shared, "': no tensor has that name here");
      filter.set_storage_of(shared, tensor->storage);
    }
  } catch (const Error& error) {
    model.filter_error = error.message();
  }
  std::map<ObjectId, std::pair<size_t, std::string>> over;
  for (ObjectId id : session.world().tensors()) {
    const trace::TensorState tensor = *session.world().tensor(id);
    if (!tensor.alive) continue;
    auto& [count, dtype] = over[tensor.storage];
    ++count;
    if (dtype.empty()) dtype = dtype_name(tensor.dtype);
    if (tensor.name.empty() && id != session.selection().tensor) continue;
    ++model.tensors_in_all;
    TensorRow row = row_of(session, tensor);
    if (filter.accepts(row)) model.tensors.push_back(std::move(row));
  }
  for (ObjectId id : session.world().storages()) {
    const trace::StorageState storage = *session.world().storage(id);
    if (!storage.alive) continue;
    const auto& [count, dtype] = over[id];
    model.storages.push_back({id, storage.nbytes, dtype, storage.device.str(), count, storage.alive,
                              id == session.selection().storage});
  }
  model.unreadable = session.document().unreadable();
  return model;
}

}  // namespace cutaway::inspector
