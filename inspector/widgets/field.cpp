#include "inspector/widgets/field.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "inspector/widgets/icons.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {

bool search_field(const char* id, const char* hint, std::string* text, bool code, bool* entered) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(30);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised), px(6));
  draw_icon(list, {at.x + px(16), at.y + height / 2}, px(14), Icon::Search, color(Role::Quiet));
  ImGui::PushFont(code ? mono_font() : words_font(), kSmall);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(2), (height - ImGui::GetFontSize()) / 2});
  for (const ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
    ImGui::PushStyleColor(part, color(Role::Raised, 0));
  ImGui::SetCursorScreenPos({at.x + px(28), at.y});
  ImGui::SetNextItemWidth(width - px(28 + 26));
  ImGui::PushID(id);
  // Not EnterReturnsTrue: that would keep what is typed from the caller until Enter.
  bool changed = ImGui::InputTextWithHint("##field", hint, text);
  if (entered) *entered = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  const bool active = ImGui::IsItemActive();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (active) list->AddRect(at, {at.x + width, at.y + height}, color(Role::Accent), px(6), 1);
  if (!text->empty()) {
    ImGui::SetCursorScreenPos({at.x + width - px(26), at.y});
    const bool clear = ImGui::InvisibleButton("clear", {px(26), height});
    draw_icon(list, {at.x + width - px(14), at.y + height / 2}, px(12), Icon::Close,
              color(ImGui::IsItemHovered() ? Role::Text : Role::Quiet));
    if (clear) text->clear();
    changed |= clear;
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  return changed;
}

}  // namespace cutaway::inspector
