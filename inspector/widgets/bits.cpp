#include "inspector/widgets/bits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/rows.h"
#include "inspector/widgets/stamps.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {

int bit_row(std::span<const Bit> bits) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, side = std::round(px(14)),
              step = side + std::round(px(3));
  const auto across = std::max(static_cast<int>((width + px(3)) / step), 1);
  const int count = static_cast<int>(bits.size()), rows = (count + across - 1) / across;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::Dummy({width, static_cast<float>(rows) * step});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  int pointed = -1;
  for (int i = 0; i < count; ++i) {
    const ImVec2 min{std::floor(at.x) + static_cast<float>(i % across) * step,
                     std::floor(at.y) + static_cast<float>(i / across) * step};
    const ImVec2 max{min.x + side, min.y + side};
    const Bit& bit = bits[static_cast<size_t>(i)];
    stamp_fill(list, min, max, bit.on ? view_color(bit.view, 0.9f) : color(Role::Raised));
    if (ImGui::IsItemHovered() && mouse.x >= min.x && mouse.x < min.x + step && mouse.y >= min.y &&
        mouse.y < min.y + step) {
      pointed = i;
      stamp_frame(list, min, max, color(Role::Text));
    }
  }
  return pointed;
}

namespace {

const BitField* field_of(std::span<const BitField> fields, int bit) {
  for (const BitField& field : fields)
    if (bit >= field.first && bit <= field.last) return &field;
  return nullptr;
}

// A byte: its two digits, and below them its bits, the highest at the left as numbers are written.
void draw_byte(ImDrawList* list, ImVec2 at, float side, uint8_t byte, int index,
               std::span<const BitField> fields) {
  const float width = side * 8 + px(2) * 7;
  char text[4];
  std::snprintf(text, sizeof(text), "%02x", byte);
  const TextStyle style = mono(kSmall);
  draw_text(list, {at.x + (width - text_size(text, style).x) / 2, at.y}, text, style);
  for (int i = 0; i < 8; ++i) {
    const int bit = 7 - i;
    const ImVec2 min{std::round(at.x + static_cast<float>(i) * (side + px(2))), std::round(at.y + px(20))},
        max{min.x + side, min.y + side + px(4)};
    const BitField* field = field_of(fields, index * 8 + bit);
    const bool on = byte >> bit & 1;
    stamp_fill(list, min, max,
               field ? view_color(field->view, on ? 0.85f : 0.22f) : color(on ? Role::Quiet : Role::Raised));
    const TextStyle digit = mono(10, on ? Role::Plate : Role::Quiet);
    draw_text(
        list,
        {(min.x + max.x) / 2 - text_size("0", digit).x / 2, (min.y + max.y - text_size("0", digit).y) / 2},
        on ? "1" : "0", digit);
  }
}

}  // namespace

void byte_chips(std::span<const uint8_t> bytes, std::span<const BitField> fields) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float side = std::round(px(11)), wide = side * 8 + px(2) * 7 + px(12), tall = px(42);
  const float width = ImGui::GetContentRegionAvail().x;
  const auto across = std::max(static_cast<size_t>((width + px(12)) / wide), size_t{1});
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < bytes.size(); ++i) {
    const ImVec2 at{start.x + static_cast<float>(i % across) * wide,
                    start.y + static_cast<float>(i / across) * tall};
    draw_byte(list, at, side, bytes[i], static_cast<int>(i), fields);
  }
  ImGui::Dummy({width, static_cast<float>((bytes.size() + across - 1) / across) * tall});
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, px(14));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float box = std::round(px(10));
    stamp_fill(list, {std::floor(at.x), std::floor(at.y + px(4))},
               {std::floor(at.x) + box, std::floor(at.y + px(4)) + box}, view_color(fields[i].view, 0.85f));
    draw_text(list, {at.x + box + px(5), at.y + px(1)}, fields[i].name, words(kRuler, Role::Quiet));
    ImGui::Dummy({box + px(5) + text_size(fields[i].name, words(kRuler)).x, px(18)});
  }
}

}  // namespace cutaway::inspector
