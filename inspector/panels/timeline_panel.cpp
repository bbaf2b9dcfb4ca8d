#include <algorithm>

#include "inspector/model/timeline_model.h"
#include "inspector/model/value_text.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/lanes.h"

namespace cutaway::inspector {
namespace {

void lanes(PanelContext& context, float height) {
  Session& session = context.session;
  const TimelineModel model = make_timeline_model(session, 1, session.trace().size(), lane_buckets());
  static constexpr int kColors[trace::kLanes] = {0, 2, 1, 4, 5, 0, 3};
  LanesInput input;
  for (int lane = 0; lane < trace::kLanes; ++lane) {
    if (model.lanes[lane].empty()) continue;
    LaneRow row{trace::to_string(static_cast<trace::Lane>(lane)), kColors[lane], {}};
    for (const TimelineBlock& block : model.lanes[lane]) row.blocks.push_back({block.first, block.last});
    input.rows.push_back(std::move(row));
  }
  input.events = model.events;
  input.time = model.time;
  const auto marks = session.trace().marks();
  input.marks.assign(marks.begin(), marks.end());
  input.height = height;
  if (const auto to = draw_lanes(input)) session.seek(*to);
}

void event_list(PanelContext& context) {
  Session& session = context.session;
  const float row_height = px(22);
  // The list follows the current event when it moves.
  static size_t shown_at = SIZE_MAX;
  const float spacing = row_height;
  if (shown_at != session.time()) {
    shown_at = session.time();
    const float middle = ImGui::GetWindowHeight() / 2;
    ImGui::SetScrollY(std::max(0.0f, spacing * static_cast<float>(session.time()) - middle));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(session.trace().size()), row_height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto number = static_cast<size_t>(i) + 1;
      const EventRow row = event_row(session, number);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width = ImGui::GetContentRegionAvail().x;
      ImGui::PushID(i);
      if (ImGui::InvisibleButton("event", {std::max(width, 1.0f), row_height})) session.seek(number);
      ImGui::PopID();
      ImDrawList* list = ImGui::GetWindowDrawList();
      const bool now = number == session.time();
      if (now || ImGui::IsItemHovered()) list->AddRectFilled(at, {at.x + width, at.y + row_height}, color(Role::Raised), px(4));
      const std::string count = std::to_string(number);
      draw_text(list, {at.x + px(40) - text_size(count, mono(kRuler)).x, at.y + px(3)}, count, mono(kRuler, now ? Role::Accent : Role::Faint));
      const Role role = number <= session.time() ? Role::Text : Role::Quiet;
      draw_text(list, {at.x + px(54), at.y + px(3)}, fitted(row.sentence, words(kSmall), width - px(60)), words(kSmall, role));
    }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_timeline(PanelContext& context) {
  if (context.session.trace().size() == 0)
    return empty_state("Every event, in lanes, with the current one marked.", "A trace or file brings events.");
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetContentRegionAvail().y;
  ImGui::BeginChild("lanes", {width * 0.62f, 0});
  lanes(context, height);
  ImGui::EndChild();
  ImGui::SameLine(0, px(12));
  ImGui::BeginChild("events", {0, 0});
  event_list(context);
  ImGui::EndChild();
}

}  // namespace cutaway::inspector
