#include "inspector/widgets/rows.h"

#include <algorithm>
#include <cmath>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/stamps.h"

namespace cutaway::inspector {
namespace {

constexpr float kRowPad = 8, kOneLine = 30, kTwoLines = 48, kSwatch = 14;

}  // namespace

void fill_view(ImDrawList* list, ImVec2 min, ImVec2 max, int view, float alpha) {
  stamp_hatch(list, min, max, hatch_of_view(view), view_color(view), alpha);
}

void draw_swatch(ImDrawList* list, ImVec2 min, ImVec2 max, int view) {
  fill_view(list, min, max, view, 0.42f);
  stamp_frame(list, min, max, view_color(view));
}

void swatch(int view) {
  const float side = std::round(px(kSwatch));
  const ImVec2 at = ImGui::GetCursorScreenPos(), corner{std::floor(at.x), std::floor(at.y + px(2))};
  draw_swatch(ImGui::GetWindowDrawList(), corner, {corner.x + side, corner.y + side}, view);
  ImGui::Dummy({side, side + px(4)});
}

float list_row_height(bool two_lines) { return std::round(px(two_lines ? kTwoLines : kOneLine)); }

bool list_row(const ListRow& row, bool* hovered) {
  const float width = ImGui::GetContentRegionAvail().x, pad = px(kRowPad);
  const bool two = !row.second.empty();
  const float height = list_row_height(two);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(row.id[0] ? row.id : "row", {std::max(width, 1.0f), height});
  const bool over = ImGui::IsItemHovered();
  if (hovered) *hovered = over;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (row.selected || over)
    list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, row.selected ? 1 : 0.55f),
                        px(6));
  if (row.framed) list->AddRect(at, {at.x + width, at.y + height}, color(Role::Faint), px(6), 1);
  float x = at.x + pad;
  if (row.view >= 0) {
    const float side = std::round(px(kSwatch)), y = std::round(at.y + px(8));
    draw_swatch(list, {std::floor(x), y}, {std::floor(x) + side, y + side}, row.view);
    x += side + px(10);
  }
  float right = at.x + width - pad;
  const TextStyle title = row.selected ? strong(kBody) : words(kBody, row.dim ? Role::Faint : Role::Text);
  // The name comes first: where the two do not fit side by side, the tag stays only if it leaves the name most of the row.
  const float tag = row.tag.empty() ? 0 : text_size(row.tag, words(kRuler)).x + px(8);
  const bool fits = tag > 0 && (text_size(row.title, title).x <= right - x - tag || tag < (right - x) * 0.4f);
  if (fits) right -= draw_right(list, right, at.y + px(8), row.tag, words(kRuler, Role::Quiet)) + px(8);
  draw_fitted(list, {x, at.y + px(6)}, row.title, title, right - x);
  if (two)
    draw_fitted(list, {x, at.y + px(27)}, row.second, words(kRuler, Role::Quiet), at.x + width - pad - x);
  return clicked;
}

namespace {

void strike(ImDrawList* list, ImVec2 at, ImVec2 size) {
  const float y = std::floor(at.y + size.y * 0.55f);
  list->AddRectFilled({at.x, y}, {at.x + size.x, y + std::max(px(1), 1.0f)}, color(Role::Faint));
  budget().weight += Budget::kQuad;
}

}  // namespace

bool key_value(std::string_view label, std::string_view value, std::string_view old_value, bool link) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = std::floor(std::min(px(116), width * 0.42f));
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_fitted(list, {at.x, at.y + px(1)}, label, words(kSmall, Role::Quiet), column - px(8));
  const bool changed = !old_value.empty();
  const TextStyle style = mono(kSmall, link || changed ? Role::Accent : Role::Text),
                  before = mono(kSmall, Role::Quiet);
  const float room = std::max(width - column, px(40));
  ImVec2 pen{at.x + column, at.y + px(1)};
  float height = 0;
  if (changed) {
    const ImVec2 size = text_size(old_value, before, room);
    draw_text(list, pen, old_value, before, room);
    strike(list, pen, {size.x, px(kSmall) * 1.25f});
    // Beside the old value where both fit on the line, else below it.
    const bool fits = size.x + px(10) + text_size(value, style).x <= room;
    if (fits)
      pen.x += size.x + px(10);
    else
      height = size.y, pen.y += size.y;
  }
  const ImVec2 size = text_size(value, style, room);
  draw_text(list, pen, value, style, room);
  height += std::max(size.y, text_size(label, words(kSmall)).y);
  if (!link) {
    ImGui::Dummy({width, height + px(3)});
    return false;
  }
  ImGui::PushID(label.data(), label.data() + label.size());
  ImGui::SetCursorScreenPos({at.x + column, at.y});
  const bool clicked = ImGui::InvisibleButton("link", {std::max(size.x, 1.0f), height + px(3)});
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled({pen.x, pen.y + size.y}, {pen.x + size.x, pen.y + size.y + 1}, color(Role::Accent));
  }
  ImGui::PopID();
  return clicked;
}

namespace {

ImVec2 chip_size(std::string_view text) {
  const ImVec2 size = text_size(text, mono(kRuler));
  return {std::round(size.x + px(16)), std::round(px(24))};
}

}  // namespace

void chip(std::string_view text, Role role) {
  const ImVec2 box = chip_size(text), at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + box.x, at.y + box.y}, color(Role::Raised), px(6));
  budget().weight += Budget::kRounded;
  const float height = text_size(text, mono(kRuler)).y;
  draw_text(list, {at.x + px(8), at.y + (box.y - height) / 2}, text, mono(kRuler, role));
  ImGui::Dummy(box);
}

void chips(std::span<const Chip> row) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Chip& one : row) {
    const float end = ImGui::GetItemRectMax().x + px(6) + chip_size(one.text).x;
    if (!first && end <= right) ImGui::SameLine(0, px(6));
    first = false;
    chip(one.text, one.role);
  }
}

int legend(std::span<const LegendEntry> entries, int* hovered) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float side = std::round(px(kSwatch)), most = px(320), height = std::round(px(20));
  int clicked = -1;
  if (hovered) *hovered = -1;
  for (size_t i = 0; i < entries.size(); ++i) {
    const LegendEntry& entry = entries[i];
    const TextStyle style =
        entry.selected ? strong(kSmall) : words(kSmall, entry.dim ? Role::Faint : Role::Quiet);
    const float width = side + px(6) + std::min(text_size(entry.name, style).x, most);
    if (i > 0 && ImGui::GetItemRectMax().x + px(18) + width <= right) ImGui::SameLine(0, px(18));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("entry", {width, height})) clicked = static_cast<int>(i);
    if (hovered && ImGui::IsItemHovered()) *hovered = static_cast<int>(i);
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 corner{std::floor(at.x), std::floor(at.y + px(3))};
    draw_swatch(list, corner, {corner.x + side, corner.y + side}, entry.view);
    draw_fitted(list, {at.x + side + px(6), at.y + px(2)}, entry.name, style, most);
  }
  return clicked;
}

}  // namespace cutaway::inspector
