#include "inspector/widgets/knob.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/icons.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

constexpr float kHeight = 28, kLabel = 58, kField = 70, kStep = 24;

bool is_legal(const Knob& knob) { return knob.value >= knob.least && knob.value <= knob.most; }

std::optional<int64_t> field(const Knob& knob) {
  ImGui::PushFont(mono_font(), kSmall);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(6), px(4)});
  ImGui::PushStyleColor(ImGuiCol_Text, color(is_legal(knob) ? Role::Text : Role::Wrong));
  ImGui::SetNextItemWidth(px(kField));
  ImS64 typed = knob.value;
  ImGui::InputScalar("##value", ImGuiDataType_S64, &typed, nullptr, nullptr, nullptr,
                     ImGuiInputTextFlags_AutoSelectAll);
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  const bool over = ImGui::IsItemHovered();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (done && typed != knob.value) return typed;
  const float wheel = ImGui::GetIO().MouseWheel;
  if (over && wheel != 0) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    return knob.value + (wheel > 0 ? 1 : -1);
  }
  return std::nullopt;
}

// Where a value lies between two pixels; illegal ones stand at the ends.
float place(const Knob& knob, float left, float right) {
  const auto range = static_cast<double>(knob.most - knob.least);
  const double share = range > 0 ? static_cast<double>(knob.value - knob.least) / range : 0;
  return left + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (right - left);
}

std::optional<int64_t> track(const Knob& knob, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  char least[24], most[24];
  const auto least_length =
      static_cast<size_t>(std::snprintf(least, sizeof(least), "%lld", static_cast<long long>(knob.least)));
  const auto most_length =
      static_cast<size_t>(std::snprintf(most, sizeof(most), "%lld", static_cast<long long>(knob.most)));
  const TextStyle ruler = mono(11, Role::Faint);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = at.y + px(kHeight - 4) / 2, text_y = y - text_size("0", ruler).y / 2;
  draw_text(list, {at.x, text_y}, {least, least_length}, ruler);
  const float left = at.x + text_size({least, least_length}, ruler).x + px(8);
  const float right =
      at.x + width - draw_right(list, at.x + width, text_y, {most, most_length}, ruler) - px(8);
  if (right - left < px(16)) {
    ImGui::Dummy({width, px(kHeight - 4)});
    return std::nullopt;
  }
  ImGui::SetCursorScreenPos({left - px(4), at.y});
  ImGui::InvisibleButton("track", {right - left + px(8), px(kHeight - 4)}, ImGuiButtonFlags_None);
  const bool held = ImGui::IsItemActive(), over = ImGui::IsItemHovered();
  const float x = std::round(place(knob, left, right)), thick = std::max(std::round(px(3)), 1.0f);
  const Role ink = is_legal(knob) ? Role::Accent : Role::Wrong;
  list->AddRectFilled({left, y - thick / 2}, {right, y + thick / 2}, color(Role::Line), px(2));
  list->AddRectFilled({left, y - thick / 2}, {x, y + thick / 2}, color(ink, 0.7f), px(2));
  // A mark for each value where there is room for them.
  const int64_t values = knob.most - knob.least;
  if (values > 0 && (right - left) / static_cast<float>(values) >= px(6))
    for (int64_t i = 0; i <= values; ++i) {
      const float mark =
          std::round(left + (right - left) * static_cast<float>(i) / static_cast<float>(values));
      list->AddRectFilled({mark, y + px(5)}, {mark + 1, y + px(8)}, color(Role::Faint));
    }
  list->AddCircleFilled({x, y}, px(held || over ? 6 : 5), color(ink));
  budget().weight += 4 * Budget::kRounded;
  if (!held || values <= 0) return std::nullopt;
  const double share = std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.0f, 1.0f);
  const int64_t dragged = knob.least + std::llround(share * static_cast<double>(values));
  return dragged == knob.value ? std::nullopt : std::optional(dragged);
}

}  // namespace

float knob_height() { return std::round(px(kHeight)); }

std::optional<int64_t> knob_row(const Knob& knob) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, px(200));
  ImGui::PushID(knob.id);
  ImGui::BeginGroup();
  draw_text(ImGui::GetWindowDrawList(), {at.x, at.y + px(3)}, knob.label, words(kSmall, Role::Quiet));
  std::optional<int64_t> turned;
  float x = at.x + px(kLabel);
  const auto step = [&](const char* id, Icon icon, int64_t by) {
    ImGui::SetCursorScreenPos({x, at.y});
    if (icon_button(id, {icon, false, true, kStep, kHeight - 4, {}})) turned = knob.value + by;
    x += px(kStep + 3);
  };
  step("less", Icon::Minus, -1);
  ImGui::SetCursorScreenPos({x, at.y});
  if (const auto typed = field(knob)) turned = typed;
  x += px(kField + 3);
  step("more", Icon::Plus, 1);
  x += px(8);
  ImGui::SetCursorScreenPos({x, at.y});
  if (const auto dragged = track(knob, at.x + width - x)) turned = dragged;
  ImGui::EndGroup();
  ImGui::SetCursorScreenPos({at.x, at.y + knob_height()});
  ImGui::Dummy({0, 0});
  ImGui::PopID();
  return turned;
}

}  // namespace cutaway::inspector
