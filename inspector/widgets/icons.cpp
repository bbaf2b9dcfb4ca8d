#include "inspector/widgets/icons.h"

#include <algorithm>
#include <cmath>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

// A drawing on a board of 16 x 16, scaled to the size asked for.
struct Board {
  ImDrawList* list;
  ImVec2 corner;
  float unit;
  ImU32 color;

  ImVec2 at(float x, float y) const { return {corner.x + x * unit, corner.y + y * unit}; }
  void bar(float x0, float y0, float x1, float y1) const {
    list->AddRectFilled(at(x0, y0), at(x1, y1), color);
  }
  void triangle(float x, float y, float direction) const {
    // Corners a little inside, so that pairs of them do not touch.
    list->AddTriangleFilled(at(x - 4 * direction, y - 5), at(x - 4 * direction, y + 5),
                            at(x + 4.5f * direction, y), color);
  }
  void line(float x0, float y0, float x1, float y1) const {
    list->AddLine(at(x0, y0), at(x1, y1), color, std::max(1.6f * unit, 1.0f));
  }
};

}  // namespace

void draw_icon(ImDrawList* list, ImVec2 centre, float size, Icon icon, ImU32 color) {
  const Board board{
      list, {std::floor(centre.x - size / 2), std::floor(centre.y - size / 2)}, size / 16, color};
  budget().weight += 2 * Budget::kLine;
  switch (icon) {
    case Icon::First:
      board.bar(2, 3, 4, 13);
      board.triangle(9, 8, -1);
      break;
    case Icon::Back: board.triangle(8, 8, -1); break;
    case Icon::Play:
    case Icon::Next: board.triangle(8, 8, 1); break;
    case Icon::Last:
      board.triangle(7, 8, 1);
      board.bar(12, 3, 14, 13);
      break;
    case Icon::Pause:
      board.bar(4, 3, 7, 13);
      board.bar(9, 3, 12, 13);
      break;
    case Icon::Search:
      list->AddCircle(board.at(7, 7), 4.2f * board.unit, color, 0, std::max(1.6f * board.unit, 1.0f));
      board.line(10.2f, 10.2f, 13.5f, 13.5f);
      break;
    case Icon::Close:
      board.line(4, 4, 12, 12);
      board.line(12, 4, 4, 12);
      break;
    case Icon::Plus:
      board.bar(3.5f, 7.2f, 12.5f, 8.8f);
      board.bar(7.2f, 3.5f, 8.8f, 12.5f);
      break;
    case Icon::Minus: board.bar(3.5f, 7.2f, 12.5f, 8.8f); break;
    case Icon::Check:
      board.line(3.5f, 8.5f, 6.8f, 11.8f);
      board.line(6.8f, 11.8f, 13, 4.5f);
      break;
    case Icon::Bookmark:
      board.bar(5, 3, 11, 10);
      list->AddTriangleFilled(board.at(5, 10), board.at(8, 10), board.at(5, 13), color);
      list->AddTriangleFilled(board.at(8, 10), board.at(11, 10), board.at(11, 13), color);
      break;
    case Icon::Pin:
      list->AddCircleFilled(board.at(8, 6), 3.2f * board.unit, color);
      board.line(8, 9, 8, 14);
      break;
  }
}

bool icon_button(const char* id, const IconButton& button) {
  const ImVec2 at = ImGui::GetCursorScreenPos(),
               size{std::round(px(button.width)), std::round(px(button.height))};
  ImGui::BeginDisabled(!button.enabled);
  const bool clicked = ImGui::InvisibleButton(id, size);
  ImGui::EndDisabled();
  const bool over = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 plain = color(over ? Role::Line : Role::Raised);
  const ImU32 ground = button.strong ? color(Role::Accent, held ? 0.75f : over ? 0.88f : 1) : plain;
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ground, px(6));
  const Role ink = !button.enabled ? Role::Faint : button.strong ? Role::OnAccent : Role::Text;
  draw_icon(list, {at.x + size.x / 2, at.y + size.y / 2}, std::round(px(16)), button.icon, color(ink));
  if (ImGui::IsItemFocused())
    list->AddRect(at, {at.x + size.x, at.y + size.y}, color(Role::Text), px(6), px(1.5f));
  budget().weight += Budget::kRounded;
  if (!button.tip.empty()) tip(button.tip);
  return clicked;
}

bool word_button(const char* id, std::string_view text, bool strong_fill, bool enabled) {
  const TextStyle style = words(kSmall, !enabled ? Role::Faint : strong_fill ? Role::OnAccent : Role::Text);
  const ImVec2 at = ImGui::GetCursorScreenPos(), inner = text_size(text, style);
  const ImVec2 size{std::round(inner.x + px(20)), std::round(px(28))};
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(id, size);
  ImGui::EndDisabled();
  const bool over = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                      strong_fill && enabled ? color(Role::Accent, over ? 0.88f : 1)
                                             : color(over ? Role::Line : Role::Raised),
                      px(6));
  draw_text(list, {at.x + px(10), at.y + (size.y - inner.y) / 2}, text, style);
  if (ImGui::IsItemFocused())
    list->AddRect(at, {at.x + size.x, at.y + size.y}, color(Role::Text), px(6), px(1.5f));
  budget().weight += Budget::kRounded;
  return clicked;
}

float draw_key(ImDrawList* list, float right, float y, std::string_view key) {
  const TextStyle style = mono(11, Role::Quiet);
  const ImVec2 size = text_size(key, style);
  const float width = std::round(size.x + px(10)), height = std::round(px(18));
  list->AddRect({right - width, y}, {right, y + height}, color(Role::Line), px(4), 1);
  draw_text(list, {right - width + px(5), y + (height - size.y) / 2}, key, style);
  budget().weight += Budget::kBorder;
  return width;
}

void tip(std::string_view text, std::string_view key) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  put_text(text, words(kSmall));
  if (!key.empty()) {
    ImGui::SameLine(0, px(10));
    put_text(key, mono(kRuler, Role::Quiet));
  }
  ImGui::EndTooltip();
}

}  // namespace cutaway::inspector
