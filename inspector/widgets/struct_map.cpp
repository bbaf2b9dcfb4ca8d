#include "inspector/widgets/struct_map.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inspector/widgets/stamps.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

constexpr size_t kLine = 64;

}  // namespace

int struct_map(std::span<const StructField> fields, size_t total) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, ruler = px(30),
              room = std::max(width - ruler, px(64));
  const float row = std::round(px(24)), gap = std::round(px(2));
  const size_t rows = (total + kLine - 1) / kLine;
  ImGui::Dummy({width, row * static_cast<float>(rows)});
  const bool over = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t line = 0; line < rows; ++line) {
    char text[16];
    const auto length = static_cast<size_t>(std::snprintf(text, sizeof(text), "%zu", line * kLine));
    draw_right(list, start.x + ruler - px(8), start.y + row * static_cast<float>(line) + px(4),
               {text, length}, mono(11, Role::Faint));
  }
  const auto x_of = [&](size_t byte) {
    return std::round(start.x + ruler + room * static_cast<float>(byte) / static_cast<float>(kLine));
  };
  int pointed = -1;
  for (size_t i = 0; i < fields.size(); ++i) {
    const StructField& field = fields[i];
    for (size_t byte = field.offset; byte < field.offset + field.size;) {
      const size_t line = byte / kLine, end = std::min(field.offset + field.size, (line + 1) * kLine);
      const float y = std::round(start.y + row * static_cast<float>(line));
      const ImVec2 min{x_of(byte % kLine), y}, max{x_of(end - line * kLine) - gap, y + row - gap};
      const bool here =
          over && mouse.x >= min.x && mouse.x < max.x + gap && mouse.y >= min.y && mouse.y < min.y + row;
      if (here) pointed = static_cast<int>(i);
      stamp_fill(list, min, max, view_color(field.group, here ? 0.55f : 0.3f));
      const TextStyle style = mono(10, Role::Text);
      const ImVec2 size = text_size(field.name, style);
      if (size.x + px(6) <= max.x - min.x)
        draw_text(list, {min.x + px(4), (min.y + max.y - size.y) / 2}, field.name, style);
      byte = end;
    }
  }
  return pointed;
}

}  // namespace cutaway::inspector
