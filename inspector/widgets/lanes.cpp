#include "inspector/widgets/lanes.h"

#include <algorithm>
#include <cmath>

#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

constexpr float kLabelWidth = 76, kLeastBlock = 3;

}  // namespace

size_t lane_buckets() {
  const float width = ImGui::GetContentRegionAvail().x - px(kLabelWidth + 16);
  return static_cast<size_t>(std::max(width / px(kLeastBlock), 1.0f));
}

std::optional<size_t> draw_lanes(const LanesInput& input) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float left = at.x + px(kLabelWidth), span = std::max(width - px(kLabelWidth + 16), px(20));
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::InvisibleButton("lanes", {std::max(width, 1.0f), std::max(input.height, 1.0f)});
  if (input.events == 0 || input.rows.empty()) return std::nullopt;
  const float row_height = std::clamp((input.height - px(14)) / static_cast<float>(input.rows.size()), px(10), px(24));
  // Event k fills the place from k - 1 to k.
  const auto x_of = [&](double event) { return left + static_cast<float>(event / static_cast<double>(input.events)) * span; };
  float y = at.y + px(12);
  for (const LaneRow& row : input.rows) {
    draw_text(list, {at.x, y + row_height / 2 - px(8)}, row.label, words(kRuler, Role::Quiet));
    list->AddLine({left, y + row_height}, {left + span, y + row_height}, color(Role::Line, 0.6f));
    for (const LaneBlock& block : row.blocks) {
      const bool past = block.first <= input.time;
      const float x0 = x_of(static_cast<double>(block.first) - 1), x1 = std::max(x_of(static_cast<double>(block.last)) - px(1), x0 + px(2));
      list->AddRectFilled({x0, y + px(3)}, {x1, y + row_height - px(3)}, view_color(row.color, past ? 0.85f : 0.35f), px(2));
      budget().weight += 2;
    }
    y += row_height;
  }
  for (size_t mark : input.marks) {
    const float x = x_of(static_cast<double>(mark) - 0.5);
    list->AddTriangleFilled({x - px(4), at.y + px(2)}, {x + px(4), at.y + px(2)}, {x, at.y + px(8)}, color(mark <= input.time ? Role::Accent : Role::Faint));
  }
  const float head = x_of(static_cast<double>(input.time));
  list->AddLine({head, at.y + px(6)}, {head, y}, color(Role::Text), px(2));
  list->AddTriangleFilled({head - px(5), at.y}, {head + px(5), at.y}, {head, at.y + px(8)}, color(Role::Text));
  if (!ImGui::IsItemActive()) return std::nullopt;
  const double share = std::clamp((ImGui::GetIO().MousePos.x - left) / span, 0.0f, 1.0f);
  return static_cast<size_t>(std::llround(share * static_cast<double>(input.events)));
}

}  // namespace cutaway::inspector
