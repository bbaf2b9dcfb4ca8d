#include <imgui.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "core/error.h"
#include "inspector/model/lab_model.h"
#include "inspector/model/storage_model.h"
#include "inspector/panels/grid_columns.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

void knobs(Session& session, const LabModel& model) {
  const size_t ndim = model.geometry.sizes.size();
  for (size_t i = 0; i < model.knobs.size(); ++i) {
    const LabKnob& knob = model.knobs[i];
    if (i == 0 && ndim) heading("SIZES");
    if (i == ndim && ndim) heading("STRIDES");
    if (i == 2 * ndim) heading("OFFSET");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ImGui::GetWindowDrawList(), {at.x, at.y + px(5)}, i == 2 * ndim ? "offset" : ("dim " + std::to_string(i % ndim)).c_str(),
              words(kSmall, Role::Quiet));
    ImGui::SetCursorScreenPos({at.x + px(64), at.y});
    ImGui::SetNextItemWidth(px(124));
    ImGui::PushFont(mono_font(), kSmall);
    ImS64 value = knob.value;
    const ImS64 one = 1;
    const bool beyond = knob.value > knob.most || knob.value < knob.least;
    if (beyond) ImGui::PushStyleColor(ImGuiCol_Text, color(Role::Wrong));
    if (ImGui::InputScalar(("##" + knob.label).c_str(), ImGuiDataType_S64, &value, &one)) turn_knob(session, i, value);
    if (beyond) ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::SameLine(0, px(10));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(6));
    put_text(std::to_string(knob.least) + " to " + std::to_string(knob.most), words(kRuler, Role::Faint));
  }
}

void presets(Session& session, const LabModel& model) {
  heading("PRESETS");
  float x = 0;
  const float width = ImGui::GetContentRegionAvail().x;
  for (const LabPreset& preset : model.presets) {
    const float w = text_size(preset.name, words(kSmall)).x + px(18);
    if (x > 0 && x + w < width) ImGui::SameLine(0, px(6));
    else x = 0;
    x += w + px(6);
    ImGui::PushFont(words_font(), kSmall);
    if (preset.refused) ImGui::PushStyleColor(ImGuiCol_Text, color(Role::Wrong));
    if (ImGui::Button(preset.name.c_str())) {
      session.lab = preset.geometry;
      session.lab_turned = true;
      session.touch();
    }
    if (preset.refused) ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  ImGui::PushFont(words_font(), kSmall);
  if (ImGui::Button("back to the tensor")) session.reset_lab();
  ImGui::PopFont();
}

void expression(PanelContext& context) {
  heading("EXPRESSION");
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(mono_font(), kSmall);
  const bool entered = ImGui::InputTextWithHint("##expression", "x[1:4, ::2].transpose(0, 1)", &context.memory.lab_expression,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  if (entered) {
    context.memory.lab_error.clear();
    try {
      context.session.add_view(context.memory.lab_expression);
    } catch (const Error& error) {
      context.memory.lab_error = error.message();
    }
  }
  if (!context.memory.lab_error.empty()) put_text(context.memory.lab_error, mono(kRuler, Role::Wrong), true);
}

// The storage with only the lab's elements lit.
void lab_grid(PanelContext& context, const LabModel& model) {
  Session& session = context.session;
  StorageModel storage = make_storage_model(session);
  storage.overlays.clear();
  storage.columns = columns_that_fit(storage);
  if (model.legal) storage.overlays.push_back({model.tensor, "lab", "", session.color_of(model.tensor), true, model.geometry});
  GridInput input;
  input.id = "lab";
  input.elements = storage.elements;
  input.columns = storage.columns;
  input.views = {{session.color_of(model.tensor), true, false}};
  input.selected = session.selection().element;
  input.hovered = session.hovered_element();
  input.revision = session.revision();
  input.height = ImGui::GetContentRegionAvail().y - px(4);
  input.cells = [&](int64_t first, int64_t count) {
    std::vector<GridCell> cells;
    for (Cell& cell : storage_cells(session, storage, first, count)) {
      GridCell g;
      g.text = std::move(cell.text);
      g.special = cell.special;
      g.known = cell.state != trace::ByteState::NotRecorded;
      g.initialised = cell.state != trace::ByteState::Uninitialised;
      g.views = cell.lit;
      g.overlap = cell.overlap;
      cells.push_back(std::move(g));
    }
    return cells;
  };
  input.values = [&](int64_t first, int64_t count) { return storage_values(session, storage, first, count); };
  const GridOutput output = draw_cell_grid(input, context.memory.lab_grid);
  if (output.hovered || ImGui::IsWindowHovered()) session.hover_element(output.hovered);
  if (output.clicked) session.select_element(output.clicked);
}

void verdicts(const LabModel& model) {
  heading("VERDICT");
  if (!model.legal) {
    put_text(model.error, words(kSmall, Role::Wrong), true);
    return;
  }
  put_text(model.verdict, words(kSmall), true);
  put_text(model.overlap, words(kSmall, Role::Quiet), true);
  if (!model.flatten.empty()) {
    heading("FLATTENED");
    put_text(model.flatten, words(kSmall, Role::Quiet), true);
  }
  heading("WHAT READS THIS PLACE");
  put_text(model.reverse.empty() ? "Point at a cell, or click one." : model.reverse, words(kSmall, Role::Quiet), true);
  heading("CODE");
  put_text(model.code, mono(kRuler), true);
  ImGui::PushFont(words_font(), kSmall);
  if (ImGui::Button("copy")) ImGui::SetClipboardText(model.code.c_str());
  ImGui::PopFont();
}

}  // namespace

void draw_lab(PanelContext& context) {
  const LabModel model = make_lab_model(context.session);
  if (!model.tensor)
    return empty_state("Sizes, strides and offset as knobs over a real storage.", "Select a tensor in the Explorer.");
  put_text(model.title, strong(kTitle));
  ImGui::Dummy({0, px(2)});
  const float width = ImGui::GetContentRegionAvail().x, side = std::clamp(width * 0.36f, px(240), px(340));
  ImGui::BeginChild("knobs", {side, 0});
  knobs(context.session, model);
  presets(context.session, model);
  expression(context);
  verdicts(model);
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  ImGui::BeginChild("grid", {0, 0});
  lab_grid(context, model);
  ImGui::EndChild();
}

}  // namespace cutaway::inspector
