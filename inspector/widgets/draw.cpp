#include "inspector/widgets/draw.h"

#include <algorithm>
#include <cmath>

namespace cutaway::inspector {
namespace {

ImFont* font_of(const TextStyle& style) { return style.font ? style.font : words_font(); }

}  // namespace

ImVec2 text_size(std::string_view text, const TextStyle& style, float wrap) {
  return font_of(style)->CalcTextSizeA(px(style.size), FLT_MAX, wrap, text.data(), text.data() + text.size());
}

void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, float wrap) {
  budget().weight += static_cast<int>(text.size());
  list->AddText(font_of(style), px(style.size), {std::floor(at.x), std::floor(at.y)}, color(style.role), text.data(),
                text.data() + text.size(), wrap);
}

void draw_text(ImDrawList* list, ImVec2 at, std::string_view text, const TextStyle& style, ImU32 tint) {
  budget().weight += static_cast<int>(text.size());
  list->AddText(font_of(style), px(style.size), {std::floor(at.x), std::floor(at.y)}, tint, text.data(),
                text.data() + text.size());
}

std::string fitted(std::string_view text, const TextStyle& style, float width) {
  if (text_size(text, style).x <= width) return std::string(text);
  std::string shorter(text);
  while (!shorter.empty()) {
    // A whole character, not a byte of one.
    do shorter.pop_back();
    while (!shorter.empty() && (static_cast<unsigned char>(shorter.back()) & 0xc0) == 0x80);
    if (text_size(shorter + "…", style).x <= width) break;
  }
  return shorter + "…";
}

void put_text(std::string_view text, const TextStyle& style, bool wrap) {
  const float width = wrap ? ImGui::GetContentRegionAvail().x : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = text_size(text, style, width);
  draw_text(ImGui::GetWindowDrawList(), at, text, style, width);
  ImGui::Dummy({size.x, size.y});
}

void heading(const char* text) {
  ImGui::Dummy({0, px(2)});
  put_text(text, strong(kRuler, Role::Quiet));
  ImGui::Dummy({0, px(1)});
}

namespace {

void hatch_lines(ImDrawList* list, ImVec2 min, ImVec2 max, float direction, ImU32 ink) {
  const float step = px(6), height = max.y - min.y;
  list->PushClipRect(min, max, true);
  for (float x = min.x - height; x < max.x; x += step) {
    const ImVec2 low{x, direction > 0 ? max.y : min.y}, high{x + height, direction > 0 ? min.y : max.y};
    list->AddLine(low, high, ink, px(1));
    budget().weight += 4;
  }
  list->PopClipRect();
}

void hatch_marks(ImDrawList* list, ImVec2 min, ImVec2 max, int view, ImU32 ink) {
  const float step = px(6);
  for (float y = min.y + step / 2; y < max.y; y += step)
    for (float x = min.x + step / 2; x < max.x; x += step) {
      if (view == 3) list->AddRectFilled({x - px(0.8f), y - px(0.8f)}, {x + px(0.8f), y + px(0.8f)}, ink);
      if (view == 4) list->AddRectFilled({x - px(2), y - px(0.5f)}, {x + px(2), y + px(0.5f)}, ink);
      if (view == 5) {
        list->AddRectFilled({x - px(2), y - px(0.5f)}, {x + px(2), y + px(0.5f)}, ink);
        list->AddRectFilled({x - px(0.5f), y - px(2)}, {x + px(0.5f), y + px(2)}, ink);
      }
      budget().weight += 1;
    }
}

}  // namespace

void fill_view(ImDrawList* list, ImVec2 min, ImVec2 max, int view, float alpha, float rounding) {
  view %= kViewColors;
  list->AddRectFilled(min, max, view_color(view, alpha), px(rounding));
  budget().weight += 2;
  const ImU32 ink = view_color(view, std::min(1.0f, alpha * 1.9f));
  if (view == 1) hatch_lines(list, min, max, 1, ink);
  if (view == 2) hatch_lines(list, min, max, -1, ink);
  if (view >= 3) hatch_marks(list, min, max, view, ink);
}

void swatch(int view) {
  const float side = px(14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  fill_view(list, at, {at.x + side, at.y + side}, view, 0.45f);
  list->AddRect(at, {at.x + side, at.y + side}, view_color(view), px(3));
  ImGui::Dummy({side, side});
}

bool list_row(const ListRow& row, bool* hovered) {
  const float width = ImGui::GetContentRegionAvail().x, pad = px(8);
  const bool two = !row.second.empty();
  const float height = px(two ? 46 : 30);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(row.id, {std::max(width, 1.0f), height});
  const bool over = ImGui::IsItemHovered();
  if (hovered) *hovered = over;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (row.selected || over)
    list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, row.selected ? 1 : 0.6f), px(6));
  float x = at.x + pad;
  if (row.view >= 0) {
    const float side = px(14), y = at.y + px(8);
    fill_view(list, {x, y}, {x + side, y + side}, row.view, 0.45f);
    list->AddRect({x, y}, {x + side, y + side}, view_color(row.view), px(3));
    x += side + px(10);
  }
  float right = at.x + width - pad;
  if (!row.tag.empty()) {
    const ImVec2 size = text_size(row.tag, words(kRuler));
    draw_text(list, {right - size.x, at.y + px(8)}, row.tag, words(kRuler, Role::Quiet));
    right -= size.x + px(8);
  }
  const TextStyle title = row.selected ? strong(kBody) : words(kBody, row.dim ? Role::Faint : Role::Text);
  draw_text(list, {x, at.y + px(5)}, fitted(row.title, title, right - x), title);
  if (two) draw_text(list, {x, at.y + px(26)}, fitted(row.second, words(kRuler), at.x + width - pad - x), words(kRuler, Role::Quiet));
  return clicked;
}

bool key_value(const char* label, const std::string& value, const std::string& old_value, bool link) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = std::min(px(116), width * 0.42f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, at, label, words(kSmall, Role::Quiet));
  const TextStyle style = mono(kSmall, link ? Role::Accent : Role::Text);
  const float wrap = std::max(width - column, px(40));
  const ImVec2 size = text_size(value, style, wrap);
  draw_text(list, {at.x + column, at.y}, value, style, wrap);
  float height = std::max(size.y, px(16));
  if (!old_value.empty()) {
    const std::string was = "was " + old_value;
    draw_text(list, {at.x + column, at.y + height + px(1)}, was, mono(kRuler, Role::Accent), wrap);
    height += px(1) + text_size(was, mono(kRuler), wrap).y;
  }
  ImGui::PushID(label);
  const bool clicked = ImGui::InvisibleButton("value", {std::max(width, 1.0f), height + px(4)}) && link;
  ImGui::PopID();
  return clicked;
}

void chip(const std::string& text, Role role) {
  const TextStyle style = mono(kRuler, role);
  const ImVec2 size = text_size(text, style), at = ImGui::GetCursorScreenPos();
  const ImVec2 box{size.x + px(16), size.y + px(10)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + box.x, at.y + box.y}, color(Role::Raised), px(6));
  draw_text(list, {at.x + px(8), at.y + px(5)}, text, style);
  ImGui::Dummy(box);
}

namespace {

constexpr float kCardPad = 16;

}  // namespace

float card_height(const Card& card, float width) {
  const float wrap = width - px(2 * kCardPad + 4);
  float height = px(2 * kCardPad - 4) + text_size(card.title, strong(kBody), wrap).y;
  if (!card.message.empty()) height += px(6) + text_size(card.message, mono(kRuler), wrap).y;
  if (!card.body.empty()) height += px(6) + text_size(card.body, words(14), wrap).y;
  return height;
}

void draw_card(ImDrawList* list, ImVec2 at, float width, const Card& card) {
  const float height = card_height(card, width), wrap = width - px(2 * kCardPad + 4);
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, 0.75f), px(6));
  list->AddRectFilled(at, {at.x + px(3), at.y + height}, color(card.bar), px(2));
  ImVec2 pen{at.x + px(kCardPad + 4), at.y + px(kCardPad - 2)};
  draw_text(list, pen, card.title, strong(kBody), wrap);
  pen.y += text_size(card.title, strong(kBody), wrap).y + px(6);
  if (!card.message.empty()) {
    draw_text(list, pen, card.message, mono(kRuler, Role::Wrong), wrap);
    pen.y += text_size(card.message, mono(kRuler), wrap).y + px(6);
  }
  if (!card.body.empty()) draw_text(list, pen, card.body, words(14), wrap);
}

void empty_state(const char* what, const char* how) {
  const ImVec2 region = ImGui::GetContentRegionAvail();
  ImGui::Dummy({0, std::max(0.0f, region.y * 0.3f)});
  put_text(what, words(kBody, Role::Quiet), true);
  put_text(how, words(kSmall, Role::Faint), true);
}

Budget& budget() {
  static Budget frame;
  return frame;
}

}  // namespace cutaway::inspector
