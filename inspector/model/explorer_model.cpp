#include "inspector/model/explorer_model.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "inspector/model/filter.h"

namespace cutaway::inspector {
namespace {

using Ids = std::vector<ObjectId>;

// A name is no change, and neither is being made.
bool touched_now(const Session& session, ObjectId tensor, ObjectId storage) {
  if (session.time() == 0) return false;
  const auto& event = session.trace().event(session.time());
  return (event.kind == trace::EventKind::TensorChanged && event.object == tensor) ||
         (event.kind == trace::EventKind::Write && event.object == storage);
}

// The lists of one moment, kept while nothing they depend on changes.
struct ListMemo {
  size_t time = SIZE_MAX;
  size_t events = SIZE_MAX;
  const trace::Trace* trace = nullptr;
  std::string filter;
  ExplorerOrder order = ExplorerOrder::Birth;
  ObjectId selected_tensor = 0;
  std::shared_ptr<const Ids> tensors;
  std::shared_ptr<const Ids> storages;
  size_t in_all = 0;
  std::string error;
};

Filter filter_of(const Session& session, const std::string& text) {
  Filter filter = Filter::parse(text);
  for (const std::string& shared : filter.shared_names()) {
    const auto tensor = session.world().tensor(session.tensor_named(shared));
    CUTAWAY_CHECK_VALUE(tensor.has_value(), "'shares:", shared, "': no tensor has that name here");
    filter.set_storage_of(shared, tensor->storage);
  }
  return filter;
}

double numel_of(IntArrayRef sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0,
                         [](double n, int64_t size) { return n * static_cast<double>(size); });
}

std::shared_ptr<const Ids> listed_tensors(const Session& session, const Filter& filter, size_t& in_all) {
  auto ids = std::make_shared<Ids>();
  const ObjectId selected = session.selection().tensor;
  session.world().visit_living_tensors([&](const trace::TensorGlance& t) {
    if (t.name.empty() && t.id != selected) return;
    ++in_all;
    const std::string nameless = t.name.empty() ? "tensor #" + std::to_string(t.id) : "";
    FilterFacts facts{t.name.empty() ? std::string_view(nameless) : std::string_view(t.name),
                      dtype_name(t.dtype)};
    facts.numel = numel_of(t.sizes);
    facts.storage_nbytes = t.storage_nbytes;
    facts.rank = t.sizes.size();
    facts.storage = t.storage;
    facts.is_view = t.is_view;
    facts.changed = touched_now(session, t.id, t.storage);
    if (filter.empty() || filter.accepts(facts)) ids->push_back(t.id);
  });
  return ids;
}

std::shared_ptr<const Ids> living_storages(const trace::World& world) {
  auto ids = std::make_shared<Ids>();
  for (ObjectId id : world.storages())
    if (world.alive(id)) ids->push_back(id);
  return ids;
}

std::shared_ptr<const Ids> ordered(const trace::World& world, std::shared_ptr<const Ids> ids,
                                   ExplorerOrder order) {
  if (order == ExplorerOrder::Birth) return ids;
  auto sorted = std::make_shared<Ids>(*ids);
  if (order == ExplorerOrder::Name) {
    std::stable_sort(sorted->begin(), sorted->end(),
                     [&](ObjectId a, ObjectId b) { return world.name(a) < world.name(b); });
    return sorted;
  }
  std::vector<std::pair<uint64_t, ObjectId>> sizes;
  for (ObjectId id : *ids) {
    const auto tensor = world.tensor(id);
    sizes.emplace_back(static_cast<uint64_t>(numel_of(tensor->sizes)) * element_size(tensor->dtype), id);
  }
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::transform(sizes.begin(), sizes.end(), sorted->begin(), [](const auto& pair) { return pair.second; });
  return sorted;
}

const ListMemo& lists_of(const Session& session, const std::string& filter_text, ExplorerOrder order) {
  ListMemo& memo = session.memo<ListMemo>();
  const ObjectId selected = session.selection().tensor;
  const bool same_moment =
      memo.time == session.time() && memo.events == session.trace().size() && memo.trace == &session.trace();
  if (!same_moment) memo.storages = living_storages(session.world());
  if (same_moment && memo.filter == filter_text && memo.order == order && memo.selected_tensor == selected)
    return memo;
  memo.time = session.time();
  memo.events = session.trace().size();
  memo.trace = &session.trace();
  memo.filter = filter_text;
  memo.order = order;
  memo.selected_tensor = selected;
  memo.in_all = 0;
  memo.error.clear();
  Filter filter;
  try {
    filter = filter_of(session, filter_text);
  } catch (const Error& error) {
    memo.error = error.message();
  }
  memo.tensors = ordered(session.world(), listed_tensors(session, filter, memo.in_all), order);
  return memo;
}

size_t place_of(const Ids& ids, ObjectId id) {
  const auto found = id ? std::find(ids.begin(), ids.end(), id) : ids.end();
  return found == ids.end() ? SIZE_MAX : static_cast<size_t>(found - ids.begin());
}

}  // namespace

TensorRow tensor_row(const Session& session, ObjectId id) {
  const auto tensor = session.world().tensor(id);
  TensorRow row;
  row.tensor = id;
  if (!tensor) return row;
  row.storage = tensor->storage;
  row.name = name_of(*tensor);
  row.dtype = dtype_name(tensor->dtype);
  row.sizes = tensor->sizes;
  row.strides = tensor->strides;
  row.offset = tensor->storage_offset;
  if (const auto storage = session.world().storage(tensor->storage)) row.storage_nbytes = storage->nbytes;
  row.color = session.color_of(id);
  row.alive = tensor->alive;
  row.selected = id == session.selection().tensor;
  row.hidden = session.is_hidden(id);
  row.changed = touched_now(session, id, tensor->storage);
  row.is_view = tensor->root != 0;
  row.requires_grad = tensor->requires_grad;
  return row;
}

StorageRow storage_row(const Session& session, ObjectId id) {
  StorageRow row;
  row.storage = id;
  const auto storage = session.world().storage(id);
  if (!storage) return row;
  row.nbytes = storage->nbytes;
  row.device = storage->device.str();
  row.alive = storage->alive;
  row.selected = id == session.selection().storage;
  const std::vector<ObjectId> on = session.world().tensors_on(id);
  row.tensors = on.size();
  if (!on.empty()) row.dtype = dtype_name(session.world().tensor(on.front())->dtype);
  return row;
}

ExplorerModel make_explorer_model(const Session& session, const std::string& filter, ExplorerOrder order) {
  const ListMemo& lists = lists_of(session, filter, order);
  ExplorerModel model;
  model.storages = {session, storage_row, lists.storages};
  model.tensors = {session, tensor_row, lists.tensors};
  model.tensors_in_all = lists.in_all;
  model.selected_storage = place_of(*lists.storages, session.selection().storage);
  model.selected_tensor = place_of(*lists.tensors, session.selection().tensor);
  model.files = session.document().open_files();
  model.unreadable = session.document().unreadable();
  model.filter_error = lists.error;
  return model;
}

}  // namespace cutaway::inspector
