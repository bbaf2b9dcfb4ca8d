#include "inspector/panels/switches.h"

#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

constexpr float kPad = 10, kHeight = 24;

}  // namespace

ImVec2 switch_size(std::span<const std::string_view> choices) {
  float width = 0;
  for (const std::string_view& choice : choices) width += text_size(choice, words(kRuler)).x + px(2 * kPad);
  return {width, px(kHeight)};
}

int draw_switch(const char* id, ImVec2 at, std::span<const std::string_view> choices, int taken) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 size = switch_size(choices);
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, color(Role::Raised), px(6));
  ImGui::PushID(id);
  int clicked = -1;
  float x = at.x;
  for (size_t i = 0; i < choices.size(); ++i) {
    const ImVec2 text = text_size(choices[i], words(kRuler));
    const float width = text.x + px(2 * kPad);
    const bool on = static_cast<int>(i) == taken;
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("choice", {width, size.y})) clicked = static_cast<int>(i);
    ImGui::PopID();
    if (on)
      list->AddRectFilled({x + px(2), at.y + px(2)}, {x + width - px(2), at.y + size.y - px(2)},
                          color(Role::Line), px(4));
    if (on)
      list->AddRect({x + px(2), at.y + px(2)}, {x + width - px(2), at.y + size.y - px(2)},
                    color(Role::Faint, 0.5f), px(4), 1.0f);
    const Role role = on ? Role::Text : ImGui::IsItemHovered() ? Role::Text : Role::Quiet;
    draw_text(list, {x + px(kPad), at.y + (size.y - text.y) / 2}, choices[i], words(kRuler, role));
    x += width;
  }
  ImGui::PopID();
  return clicked;
}

}  // namespace cutaway::inspector
