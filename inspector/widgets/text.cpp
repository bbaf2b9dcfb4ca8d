#include "inspector/widgets/text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "inspector/widgets/budget.h"

namespace cutaway::inspector {
namespace {

constexpr std::string_view kEllipsis = "…";

ImFont* font_of(const TextStyle& style) { return style.font ? style.font : words_font(); }

// The longest part of `text` that fits beside an ellipsis, cut between characters.
std::string_view part_that_fits(std::string_view text, const TextStyle& style, float width) {
  const float room = std::max(width - text_size(kEllipsis, style).x, 0.0f);
  const char* end = nullptr;
  font_of(style)->CalcTextSizeA(px(style.size), room, 0, text.data(), text.data() + text.size(), &end);
  std::string_view part = text.substr(0, end ? static_cast<size_t>(end - text.data()) : 0);
  while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
  return part;
}

}  // namespace

ImVec2 text_size(std::string_view text, const TextStyle& style, float wrap) {
  return font_of(style)->CalcTextSizeA(px(style.size), FLT_MAX, wrap, text.data(), text.data() + text.size());
}

void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, float wrap) {
  if (text.empty()) return;
  budget().weight += static_cast<int>(text.size()) * Budget::kGlyph;
  list->AddText(font_of(style), px(style.size), {std::floor(at.x), std::floor(at.y)}, color(style.role),
                text.data(), text.data() + text.size(), wrap);
}

void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, ImU32 tint) {
  if (text.empty()) return;
  budget().weight += static_cast<int>(text.size()) * Budget::kGlyph;
  list->AddText(font_of(style), px(style.size), {std::floor(at.x), std::floor(at.y)}, tint, text.data(),
                text.data() + text.size());
}

float draw_fitted(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, float width) {
  const float whole = text_size(text, style).x;
  if (whole <= width) {
    draw_text(list, at, text, style);
    return whole;
  }
  const std::string_view part = part_that_fits(text, style, width);
  const float used = text_size(part, style).x;
  draw_text(list, at, part, style);
  draw_text(list, {at.x + used, at.y}, kEllipsis, style);
  return used + text_size(kEllipsis, style).x;
}

float draw_right(ImDrawList* list, float right, float y, std::string_view text, const TextStyle& style) {
  const float width = text_size(text, style).x;
  draw_text(list, {right - width, y}, text, style);
  return width;
}

std::string fitted(std::string_view text, const TextStyle& style, float width) {
  if (text_size(text, style).x <= width) return std::string(text);
  return std::string(part_that_fits(text, style, width)).append(kEllipsis);
}

void put_text(std::string_view text, const TextStyle& style, bool wrap) {
  const float width = wrap ? std::max(ImGui::GetContentRegionAvail().x, px(40)) : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ImGui::GetWindowDrawList(), at, text, style, width);
  ImGui::Dummy(text_size(text, style, width));
}

void put_fitted(std::string_view text, const TextStyle& style) {
  const float width = std::max(ImGui::GetContentRegionAvail().x, px(20));
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = text_size(text, style);
  draw_fitted(ImGui::GetWindowDrawList(), at, text, style, width);
  ImGui::Dummy({std::min(size.x, width), size.y});
  if (size.x <= width || !ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(520));
  put_text(text, style);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void heading(std::string_view text) {
  gap(4);
  put_text(text, strong(kRuler, Role::Quiet));
  gap(1);
}

void gap(float points) { ImGui::Dummy({0, px(points)}); }

}  // namespace cutaway::inspector
