#include <algorithm>

#include "inspector/model/card_model.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

// The object as it lies in memory: one bar, a piece for each field, named when pointed at.
void struct_map(const CardModel& model) {
  heading("TENSORIMPL IN MEMORY");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, row = px(18);
  constexpr size_t kRow = 64;     // bytes of one cache line
  const size_t rows = (model.struct_size + kRow - 1) / kRow;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::string hovered;
  for (const CardStructField& field : model.layout) {
    if (field.size == 0) continue;
    for (size_t byte = field.offset; byte < field.offset + field.size;) {
      const size_t line = byte / kRow, end = std::min(field.offset + field.size, (line + 1) * kRow);
      const ImVec2 min{at.x + width * static_cast<float>(byte % kRow) / kRow, at.y + row * static_cast<float>(line)};
      const ImVec2 max{at.x + width * static_cast<float>(byte % kRow + end - byte) / kRow - px(1), min.y + row - px(2)};
      list->AddRectFilled(min, max, view_color(field.group == 0 ? 0 : field.group == 1 ? 2 : 4, 0.45f), px(2));
      const bool over = mouse.x >= min.x && mouse.x < max.x && mouse.y >= min.y && mouse.y < max.y && ImGui::IsWindowHovered();
      if (over) hovered = field.name + ", byte " + std::to_string(field.offset) + ", " + std::to_string(field.size) + " bytes";
      byte = end;
    }
  }
  ImGui::Dummy({width, row * static_cast<float>(rows)});
  put_text(hovered.empty() ? std::to_string(model.struct_size) + " bytes; blue: every tensor, green: strided ones" : hovered,
           words(kRuler, Role::Faint), true);
}

void key_set(const CardModel& model) {
  heading("KEY SET");
  const float width = ImGui::GetContentRegionAvail().x;
  float x = 0;
  for (size_t i = model.keys.size(); i-- > 0;) {
    const float w = text_size(model.keys[i].name, mono(kRuler)).x + px(16);
    if (x > 0 && x + w < width) ImGui::SameLine(0, px(6));
    else x = 0;
    x += w + px(6);
    chip(model.keys[i].name, model.keys[i].backend_key ? Role::Accent : Role::Text);
  }
  put_text("first in line: " + model.first_key, words(kSmall, Role::Quiet), true);
}

}  // namespace

void draw_card(PanelContext& context) {
  const CardModel model = make_card_model(context.session);
  if (!model.tensor)
    return empty_state("Every field of one tensor.", "Select a tensor in the Explorer.");
  swatch(model.color);
  ImGui::SameLine(0, px(8));
  put_text(model.name, strong(16), true);
  ImGui::Dummy({0, px(2)});
  for (const CardField& field : model.fields)
    if (key_value(field.label.c_str(), field.value, field.old_value, field.link != 0)) context.session.select_tensor(field.link);
  heading("VERDICTS");
  for (const CardVerdict& verdict : model.verdicts) {
    key_value(verdict.label.c_str(), verdict.value);
    put_text(verdict.rule, words(kRuler, Role::Faint), true);
  }
  key_set(model);
  struct_map(model);
}

}  // namespace cutaway::inspector
