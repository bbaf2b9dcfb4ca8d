#include "inspector/widgets/lanes.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

constexpr float kLabelWidth = 78, kRight = 12, kHead = 18, kLeastRow = 12, kMostRow = 26, kLeastBlock = 3;

struct Lanes {
  const LanesInput& input;
  LanesState& state;
  ImVec2 at;
  float width, left, span, row;

  double from() const { return state.to > state.from ? state.from : 0; }
  double to() const { return state.to > state.from ? state.to : static_cast<double>(input.events); }
  float x_of(double event) const {
    return left + static_cast<float>((event - from()) / (to() - from())) * span;
  }
  float top() const { return at.y + px(kHead); }
  float bottom() const {
    return std::min(at.y + input.height, top() + row * static_cast<float>(input.rows.size()));
  }
  double event_at(float x) const { return from() + static_cast<double>((x - left) / span) * (to() - from()); }
};

void move(Lanes& lanes) {
  const ImGuiIO& io = ImGui::GetIO();
  const double events = static_cast<double>(lanes.input.events);
  if (ImGui::IsItemHovered() && (io.MouseWheel != 0 || io.MouseWheelH != 0)) {
    double from = lanes.from(), to = lanes.to();
    if (io.KeyCtrl) {
      const double middle = std::clamp(lanes.event_at(io.MousePos.x), from, to);
      const double wanted = std::clamp((to - from) * std::pow(0.8, static_cast<double>(io.MouseWheel)),
                                       std::min(8.0, events), events);
      const double share = (middle - from) / (to - from);
      from = middle - share * wanted;
      to = from + wanted;
    } else if (io.KeyShift || io.MouseWheelH != 0) {
      const double by = -static_cast<double>(io.MouseWheel + io.MouseWheelH) * (to - from) / 12;
      from += by;
      to += by;
    } else {
      lanes.state.scroll -= io.MouseWheel * lanes.row * 2;
    }
    const double length = std::min(to - from, events);
    from = std::clamp(from, 0.0, events - length);
    lanes.state.from = from;
    lanes.state.to = length < events ? from + length : from;
    if (length >= events) lanes.state.from = lanes.state.to = 0;
  }
  const float hidden = lanes.top() + lanes.row * static_cast<float>(lanes.input.rows.size()) -
                       (lanes.at.y + lanes.input.height);
  lanes.state.scroll = std::clamp(lanes.state.scroll, 0.0f, std::max(hidden, 0.0f));
}

// Numbers of events at round steps.
void draw_ruler(ImDrawList* list, const Lanes& lanes) {
  const double per_label = (lanes.to() - lanes.from()) * px(90) / lanes.span;
  double step = std::pow(10, std::floor(std::log10(std::max(per_label, 1.0))));
  for (const double more : {2.0, 2.5, 2.0})
    if (step < per_label) step *= more;
  step = std::max(std::floor(step), 1.0);
  const TextStyle style = mono(11, Role::Faint);
  for (double event = std::ceil(lanes.from() / step) * step; event <= lanes.to(); event += step) {
    char text[24];
    const auto length = static_cast<size_t>(std::snprintf(text, sizeof(text), "%.0f", event));
    const float x = std::round(lanes.x_of(event));
    const float half = text_size({text, length}, style).x / 2;
    list->AddRectFilled({x, lanes.top() - px(3)}, {x + 1, lanes.bottom()}, color(Role::Line, 0.5f));
    budget().weight += Budget::kQuad;
    const float left = std::clamp(x - half, lanes.left, lanes.left + lanes.span - 2 * half);
    // The playhead's handle would lie on the number.
    const float head = lanes.x_of(static_cast<double>(lanes.input.time));
    if (left < head + px(9) && left + 2 * half > head - px(9)) continue;
    draw_text(list, {left, lanes.at.y}, {text, length}, style);
  }
}

void draw_row(ImDrawList* list, const Lanes& lanes, const LaneRow& row, float y) {
  const float label = text_size(row.label, words(kRuler)).y;
  draw_fitted(list, {lanes.at.x, y + (lanes.row - label) / 2}, row.label, words(kRuler, Role::Quiet),
              px(kLabelWidth - 8));
  list->AddRectFilled({lanes.left, y + lanes.row - 1}, {lanes.left + lanes.span, y + lanes.row},
                      color(Role::Line, 0.6f));
  const float inset = std::round(lanes.row * 0.14f), least = px(2), right = lanes.left + lanes.span;
  const ImU32 past = row.color < 0 ? color(Role::Quiet, 0.8f) : view_color(row.color, 0.85f);
  const ImU32 future = row.color < 0 ? color(Role::Quiet, 0.3f) : view_color(row.color, 0.32f);
  for (const LaneBlock& block : row.blocks) {
    float x0 = lanes.x_of(static_cast<double>(block.first) - 1),
          x1 = lanes.x_of(static_cast<double>(block.last));
    if (x1 < lanes.left || x0 > right) continue;
    x0 = std::max(x0, lanes.left);
    x1 = std::min(std::max(x1 - px(1.5f), x0 + least), right);
    list->AddRectFilled({x0, y + inset}, {x1, y + lanes.row - inset},
                        block.first <= lanes.input.time ? past : future, x1 - x0 > px(5) ? px(3) : 0);
    budget().weight += x1 - x0 > px(5) ? Budget::kRounded : Budget::kQuad;
  }
  budget().weight += Budget::kQuad;
}

void draw_marks(ImDrawList* list, const Lanes& lanes) {
  const float y = lanes.top();
  for (size_t mark : lanes.input.marks) {
    const float x = lanes.x_of(static_cast<double>(mark) - 0.5);
    if (x < lanes.left || x > lanes.left + lanes.span) continue;
    const ImU32 ink = color(mark <= lanes.input.time ? Role::Accent : Role::Faint);
    list->AddTriangleFilled({x - px(4), y - px(6)}, {x + px(4), y - px(6)}, {x, y}, ink);
  }
  for (size_t mark : lanes.input.bookmarks) {
    const float x = lanes.x_of(static_cast<double>(mark) - 0.5);
    if (x < lanes.left || x > lanes.left + lanes.span) continue;
    list->AddRectFilled({x - px(1), y - px(6)}, {x + px(1), lanes.bottom()}, view_color(1, 0.9f));
  }
  budget().weight +=
      static_cast<int>(lanes.input.marks.size() + lanes.input.bookmarks.size()) * Budget::kQuad;
}

void draw_playhead(ImDrawList* list, const Lanes& lanes) {
  const float x = std::round(lanes.x_of(static_cast<double>(lanes.input.time)));
  if (x < lanes.left - 1 || x > lanes.left + lanes.span + 1) return;
  const float half = std::max(std::round(px(1)), 1.0f);
  list->AddRectFilled({x - half, lanes.at.y + px(6)}, {x + half, lanes.bottom()}, color(Role::Text));
  list->AddTriangleFilled({x - px(6), lanes.at.y}, {x + px(6), lanes.at.y}, {x, lanes.at.y + px(9)},
                          color(Role::Text));
  budget().weight += 2 * Budget::kQuad;
}

void draw_pointed(ImDrawList* list, const Lanes& lanes, size_t event) {
  if (event == 0) return;
  const float x0 = std::max(lanes.x_of(static_cast<double>(event) - 1), lanes.left),
              x1 = std::max(lanes.x_of(static_cast<double>(event)), x0 + px(2));
  if (x1 < lanes.left || x0 > lanes.left + lanes.span) return;
  list->AddRectFilled({x0, lanes.top()}, {x1, lanes.bottom()}, color(Role::Text, 0.14f));
  budget().weight += Budget::kQuad;
}

}  // namespace

size_t lane_buckets() {
  const float width = ImGui::GetContentRegionAvail().x - px(kLabelWidth + kRight);
  return static_cast<size_t>(std::max(width / px(kLeastBlock), 1.0f));
}

LanesOutput draw_lanes(const LanesInput& input, LanesState& state) {
  LanesOutput output;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0f), height = std::max(input.height, 1.0f);
  ImGui::InvisibleButton("lanes", {width, height});
  if (input.events == 0 || input.rows.empty()) return output;
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  const float row = std::floor(std::clamp((height - px(kHead + 2)) / static_cast<float>(input.rows.size()),
                                          px(kLeastRow), px(kMostRow)));
  Lanes lanes{input,
              state,
              at,
              width,
              std::floor(at.x + px(kLabelWidth)),
              std::max(width - px(kLabelWidth + kRight), px(20)),
              row};
  move(lanes);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(at, {at.x + width, at.y + height}, true);
  draw_ruler(list, lanes);
  list->PushClipRect({at.x, lanes.top()}, {at.x + width, at.y + height}, true);
  for (size_t i = 0; i < input.rows.size(); ++i) {
    const float y = lanes.top() + row * static_cast<float>(i) - state.scroll;
    if (y + row >= lanes.top() && y <= at.y + height) draw_row(list, lanes, input.rows[i], y);
  }
  list->PopClipRect();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsItemHovered() && mouse.x >= lanes.left && mouse.x <= lanes.left + lanes.span;
  if (over) {
    output.hovered = static_cast<size_t>(
        std::clamp(std::ceil(lanes.event_at(mouse.x)), 1.0, static_cast<double>(input.events)));
    const int lane = static_cast<int>((mouse.y - lanes.top() + state.scroll) / row);
    if (mouse.y >= lanes.top() && lane < static_cast<int>(input.rows.size())) output.lane = lane;
  }
  draw_pointed(list, lanes, input.hovered ? input.hovered : output.hovered);
  draw_marks(list, lanes);
  draw_playhead(list, lanes);
  list->PopClipRect();
  if (ImGui::IsItemActive()) {
    const double event = std::clamp(lanes.event_at(mouse.x), 0.0, static_cast<double>(input.events));
    output.seek = static_cast<size_t>(std::llround(event));
  }
  return output;
}

}  // namespace cutaway::inspector
