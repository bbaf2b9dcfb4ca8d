// The Explorer: files, storages and tensors to choose from, with a filter. Lists of any length cost the rows on the screen.

#include <algorithm>

#include "inspector/model/explorer_model.h"
#include "inspector/model/value_text.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/field.h"

namespace cutaway::inspector {
namespace {

constexpr size_t kMostStorages = 5;   // rows of storages; more of them scroll with the selection
constexpr size_t kMostGrouped = 300;  // tensors that are parted into "on this storage" and the others

struct Memory {
  uint64_t told = UINT64_MAX;
  std::string told_filter;
  ExplorerModel model;
  std::vector<ListRow> storages;
  std::vector<ObjectId> storage_ids;
  std::string more_storages;
  // Order of the tensors in the list; those on the selected storage come first.
  std::vector<size_t> order;
  size_t on_storage = 0;
  std::string here, elsewhere;
  // Rows on the screen, of each part of the list.
  struct Part {
    std::vector<ListRow> rows;
    std::vector<ObjectId> ids;
    size_t first = 0;
    uint64_t told = UINT64_MAX;
  };
  Part parts[2];
};

std::string product_text(const std::vector<int64_t>& sizes) {
  std::string text;
  for (int64_t size : sizes) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

std::string geometry_line(const TensorRow& row) {
  std::string line = product_text(row.sizes);
  if (!row.strides.empty()) line += "   strides " + shape_text(row.strides);
  if (row.offset) line += "   offset " + std::to_string(row.offset);
  return line;
}

void tell_storages(Memory& memory) {
  const auto& all = memory.model.storages;
  size_t first = 0;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].selected && i >= kMostStorages) first = i - kMostStorages + 1;
  memory.storages.clear();
  memory.storage_ids.clear();
  for (size_t i = first; i < std::min(all.size(), first + kMostStorages); ++i) {
    ListRow row;
    row.title = "#" + std::to_string(all[i].storage) + "   " + bytes_text(all[i].nbytes) +
                (all[i].dtype.empty() ? "" : "   " + all[i].dtype);
    row.tag = all[i].device;
    row.selected = all[i].selected;
    memory.storages.push_back(std::move(row));
    memory.storage_ids.push_back(all[i].storage);
  }
  memory.more_storages = all.size() > kMostStorages ? grouped(all.size()) + " storages in all" : "";
}

void tell_order(const Session& session, Memory& memory) {
  const size_t count = memory.model.tensors.size();
  memory.order.resize(count);
  for (size_t i = 0; i < count; ++i) memory.order[i] = i;
  memory.on_storage = count;
  const ObjectId storage = session.selection().storage;
  const bool filtered = count != memory.model.tensors_in_all;
  const std::string many =
      filtered ? grouped(count) + " OF " + grouped(memory.model.tensors_in_all) + " TENSORS" : "TENSORS";
  memory.here = many;
  memory.elsewhere = "ON OTHER STORAGES";
  if (count > kMostGrouped || memory.model.storages.size() < 2 || storage == 0) return;
  const auto here = [&](size_t i) { return memory.model.tensors[i].storage == storage; };
  memory.on_storage = static_cast<size_t>(
      std::stable_partition(memory.order.begin(), memory.order.end(), here) - memory.order.begin());
  if (memory.on_storage) memory.here = many + " ON #" + std::to_string(storage);
}

void tell(const Session& session, const std::string& filter, Memory& memory) {
  if (memory.told == session.content_revision() && memory.told_filter == filter) return;
  memory.told = session.content_revision();
  memory.told_filter = filter;
  memory.model = make_explorer_model(session, filter);
  for (Memory::Part& part : memory.parts) part.told = UINT64_MAX;
  tell_storages(memory);
  tell_order(session, memory);
}

void storages(PanelContext& context, const Memory& memory) {
  heading("STORAGES");
  ObjectId chosen = 0;
  for (size_t i = 0; i < memory.storages.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (list_row(memory.storages[i])) chosen = memory.storage_ids[i];
    ImGui::PopID();
  }
  if (memory.storages.empty()) put_text("None is allocated at this event.", words(kSmall, Role::Quiet), true);
  if (!memory.more_storages.empty()) put_text(memory.more_storages, words(kRuler, Role::Faint));
  if (chosen) context.session.select_storage(chosen);
}

ListRow tensor_row(const TensorRow& tensor) {
  ListRow row;
  row.title = tensor.name;
  row.second = geometry_line(tensor);
  row.tag = tensor.hidden ? "hidden" : tensor.changed ? "changed" : tensor.dtype;
  row.view = tensor.color;
  row.selected = tensor.selected;
  row.dim = tensor.hidden;
  return row;
}

struct Acted {
  ObjectId chosen = 0;
  ObjectId hidden = 0;
  ObjectId hovered = 0;
};

void one_row(const Session& session, Memory::Part& part, size_t place, Acted& acted) {
  const ObjectId tensor = part.ids[place - part.first];
  ListRow& row = part.rows[place - part.first];
  row.framed = session.hovered_tensor() == tensor;
  ImGui::PushID(static_cast<int>(place));
  bool hovered = false;
  if (list_row(row, &hovered)) acted.chosen = tensor;
  if (hovered) acted.hovered = tensor;
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) acted.hidden = tensor;
  ImGui::PopID();
}

// Rows [first, end) of the list, of which those on the screen are drawn.
void rows(const Session& session, Memory& memory, Memory::Part& part, size_t first, size_t end,
          Acted& acted) {
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(end - first), list_row_height(true));
  while (clipper.Step()) {
    const size_t from = first + static_cast<size_t>(clipper.DisplayStart),
                 to = first + static_cast<size_t>(clipper.DisplayEnd);
    if (part.told != memory.told || from < part.first || to > part.first + part.rows.size()) {
      part.told = memory.told;
      part.first = from;
      part.rows.clear();
      part.ids.clear();
      for (size_t i = from; i < to; ++i) {
        const TensorRow& tensor = memory.model.tensors[memory.order[i]];
        part.rows.push_back(tensor_row(tensor));
        part.ids.push_back(tensor.tensor);
      }
    }
    for (size_t i = from; i < to; ++i) one_row(session, part, i, acted);
  }
}

void tensors(PanelContext& context, Memory& memory) {
  Session& session = context.session;
  heading(memory.here);
  const ExplorerModel& model = memory.model;
  if (!model.filter_error.empty()) put_text(model.filter_error, words(kRuler, Role::Wrong), true);
  if (model.tensors.empty() && model.filter_error.empty())
    put_text(model.tensors_in_all ? "The filter lets none through." : "None is alive at this event.",
             words(kSmall, Role::Quiet), true);
  Acted acted;
  rows(session, memory, memory.parts[0], 0, memory.on_storage, acted);
  if (memory.on_storage < memory.order.size()) {
    gap(8);
    heading(memory.elsewhere);
    rows(session, memory, memory.parts[1], memory.on_storage, memory.order.size(), acted);
  }
  if (acted.hovered || ImGui::IsWindowHovered()) session.hover_tensor(acted.hovered);
  if (acted.chosen) session.select_tensor(acted.chosen);
  if (acted.hidden) session.toggle_hidden(acted.hidden);
}

void unreadable(const ExplorerModel& model) {
  if (model.unreadable.empty()) return;
  heading("CANNOT BE SHOWN");
  for (const UnreadableEntry& entry : model.unreadable) {
    put_fitted(entry.name, words(kSmall));
    put_text(entry.dtype_text + ": " + entry.reason, words(kRuler, Role::Quiet), true);
    gap(2);
  }
}

}  // namespace

void draw_explorer(PanelContext& context) {
  Session& session = context.session;
  if (session.trace().size() == 0 && session.document().unreadable().empty())
    return empty_state("Tensors and storages of an open file or trace stand here.",
                       "Ctrl+O opens one; or ./cutaway open FILE.");
  Memory& memory = context.memory.of<Memory>();
  std::string& filter = session.filter("explorer");
  search_field("filter", "Filter", &filter);
  if (ImGui::IsItemHovered() && filter.empty())
    ImGui::SetTooltip("relu  -view  dtype:f32  size>1000  shares:x  changed:here  leaf:no");
  tell(session, filter, memory);
  storages(context, memory);
  tensors(context, memory);
  unreadable(memory.model);
}

}  // namespace cutaway::inspector
