#include <imgui.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "inspector/model/explorer_model.h"
#include "inspector/model/value_text.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

// One row is ever on the screen for a thousand that are not: the clipper asks for those that are.
template <class Draw>
void clipped_rows(size_t count, float height, const Draw& draw) {
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw(static_cast<size_t>(i));
}

void storages(PanelContext& context, const ExplorerModel& model) {
  heading("STORAGES");
  const size_t most = 6;
  clipped_rows(std::min(model.storages.size(), most), px(30) + ImGui::GetStyle().ItemSpacing.y, [&](size_t i) {
    // With many storages the list follows the selection.
    size_t first = 0;
    for (size_t k = 0; k < model.storages.size(); ++k)
      if (model.storages[k].selected && k >= most) first = k - most + 1;
    const StorageRow& row = model.storages[first + i];
    ListRow item;
    const std::string id = "storage" + std::to_string(row.storage);
    item.id = id.c_str();
    item.title = "#" + std::to_string(row.storage) + "   " + bytes_text(row.nbytes) + (row.dtype.empty() ? "" : "   " + row.dtype);
    item.tag = row.device;
    item.selected = row.selected;
    if (list_row(item)) context.session.select_storage(row.storage);
  });
  if (model.storages.size() > most) put_text(grouped(model.storages.size()) + " storages in all", words(kRuler, Role::Faint));
}

void tensors(PanelContext& context, const ExplorerModel& model) {
  heading(model.tensors.size() == model.tensors_in_all ? "TENSORS" : "TENSORS (FILTERED)");
  if (!model.filter_error.empty()) put_text(model.filter_error, words(kRuler, Role::Wrong), true);
  if (model.tensors.empty() && model.filter_error.empty())
    put_text(model.tensors_in_all ? "The filter lets none through." : "None is alive at this event.", words(kSmall, Role::Quiet), true);
  clipped_rows(model.tensors.size(), px(46) + ImGui::GetStyle().ItemSpacing.y, [&](size_t i) {
    const TensorRow& row = model.tensors[i];
    ListRow item;
    const std::string id = "tensor" + std::to_string(row.tensor);
    item.id = id.c_str();
    item.title = row.name;
    item.second = shape_text(row.sizes) + "   strides " + (row.strides.empty() ? "none" : shape_text(row.strides)) +
                  (row.offset ? "   offset " + std::to_string(row.offset) : "");
    item.tag = row.changed ? "changed" : row.dtype;
    item.view = row.color;
    item.selected = row.selected;
    item.dim = row.hidden;
    if (list_row(item)) context.session.select_tensor(row.tensor);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) context.session.toggle_hidden(row.tensor);
  });
}

}  // namespace

void draw_explorer(PanelContext& context) {
  if (context.session.trace().size() == 0 && context.session.document().unreadable().empty())
    return empty_state("Tensors and storages of an open file or trace stand here.", "Ctrl+O opens one; or ./cutaway open FILE.");
  std::string& filter = context.session.filter("explorer");
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "Filter: name dtype:f32", &filter);
  const ExplorerModel model = make_explorer_model(context.session, filter);
  storages(context, model);
  tensors(context, model);
  if (model.unreadable.empty()) return;
  heading("CANNOT BE SHOWN");
  for (const UnreadableEntry& entry : model.unreadable) {
    put_text(entry.name + "   " + entry.dtype_text, words(kSmall), true);
    put_text(entry.reason, words(kRuler, Role::Quiet), true);
  }
}

}  // namespace cutaway::inspector
