// The Timeline: lanes of blocks at the left, the list of events at the right. Both are the same events; pointing at one
// frames it in the other.

#include <algorithm>
#include <cmath>

#include "inspector/model/timeline_model.h"
#include "inspector/model/value_text.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/lanes.h"

namespace cutaway::inspector {
namespace {

constexpr float kRowHeight = 22, kIndent = 14;

// Alloc is neutral; the others have the hues of look and legend.
constexpr int kLaneColors[trace::kLanes] = {-1, 2, 1, 4, 5, 0, 3};

struct ListedEvent {
  EventRow row;
  std::string number;
  int lane = 0;
  int depth = 0;
};

struct Memory {
  LanesState state;
  LanesInput lanes;
  // What the lanes were folded for.
  size_t events = SIZE_MAX;
  size_t buckets = 0;
  double from = 0, to = 0;
  // The events on the screen, and where the list stands.
  std::vector<ListedEvent> listed;
  size_t first_listed = 0;
  uint64_t listed_revision = UINT64_MAX;
  size_t shown_at = SIZE_MAX;
};

void fold(const Session& session, size_t buckets, Memory& memory) {
  const size_t events = session.trace().size();
  if (memory.events == events && memory.buckets == buckets && memory.from == memory.state.from &&
      memory.to == memory.state.to)
    return;
  memory.events = events;
  memory.buckets = buckets;
  memory.from = memory.state.from;
  memory.to = memory.state.to;
  const bool all = memory.to <= memory.from;
  const size_t first = all ? 1 : static_cast<size_t>(std::max(memory.from, 0.0)) + 1;
  const size_t last = all ? events : std::min(static_cast<size_t>(std::ceil(memory.to)), events);
  const TimelineModel model = make_timeline_model(session, first, last, buckets);
  const TimelineModel whole = all ? model : make_timeline_model(session, 1, events, 1);
  memory.lanes.rows.clear();
  for (int lane = 0; lane < trace::kLanes; ++lane) {
    const auto at = static_cast<size_t>(lane);
    // A lane that is empty for good takes no room.
    if (whole.lanes[at].empty() && model.lanes[at].empty()) continue;
    LaneRow row{trace::to_string(static_cast<trace::Lane>(lane)), kLaneColors[lane], {}};
    for (const TimelineBlock& block : model.lanes[at])
      row.blocks.push_back({block.first, block.last, block.count});
    memory.lanes.rows.push_back(std::move(row));
  }
}

void event_tooltip(const Session& session, size_t number) {
  const EventRow row = event_row(session, number);
  ImGui::BeginTooltip();
  put_text("event " + grouped(number), mono(kRuler, Role::Accent));
  ImGui::PushTextWrapPos(px(420));
  put_text(row.sentence, words(kSmall));
  ImGui::PopTextWrapPos();
  if (!row.source.empty()) put_text(row.source, words(kRuler, Role::Quiet));
  ImGui::EndTooltip();
}

void draw_lane_side(PanelContext& context, Memory& memory, float height) {
  Session& session = context.session;
  fold(session, lane_buckets(), memory);
  LanesInput& input = memory.lanes;
  input.events = session.trace().size();
  input.time = session.time();
  input.hovered = session.hovered_event();
  input.height = height;
  const auto marks = session.trace().marks();
  if (input.marks.size() != marks.size()) input.marks.assign(marks.begin(), marks.end());
  if (input.bookmarks != session.bookmarks()) input.bookmarks = session.bookmarks();
  const LanesOutput output = draw_lanes(input, memory.state);
  if (output.seek) session.seek(*output.seek);
  if (output.hovered) {
    session.hover_event(output.hovered);
    event_tooltip(session, output.hovered);
  } else if (ImGui::IsWindowHovered()) {
    session.hover_event(0);
  }
}

ListedEvent listed_event(const Session& session, size_t number) {
  ListedEvent event{event_row(session, number), std::to_string(number), 0, 0};
  const auto& e = session.trace().event(number);
  event.lane = static_cast<int>(trace::lane_of(e.kind));
  if (e.span != trace::kNone) {
    const bool bracket = e.kind == trace::EventKind::OpBegin || e.kind == trace::EventKind::OpEnd;
    event.depth = session.trace().spans()[e.span].depth + (bracket ? 0 : 1);
  }
  return event;
}

void listed_row(Session& session, const ListedEvent& event, size_t number, bool* any_hovered) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(kRowHeight);
  ImGui::PushID(static_cast<int>(number));
  if (ImGui::InvisibleButton("event", {std::max(width, 1.0f), height})) session.seek(number);
  ImGui::PopID();
  const bool hovered = ImGui::IsItemHovered(), now = number == session.time(),
             past = number <= session.time();
  if (hovered) {
    session.hover_event(number);
    *any_hovered = true;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (now || hovered || session.hovered_event() == number)
    list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, now ? 1 : 0.6f), px(4));
  if (now) list->AddRectFilled(at, {at.x + px(3), at.y + height}, color(Role::Accent), px(2));
  const float digits = px(10) + static_cast<float>(std::to_string(session.trace().size()).size()) * px(8);
  draw_right(list, at.x + digits, at.y + px(3), event.number, mono(kRuler, now ? Role::Accent : Role::Faint));
  const int hue = kLaneColors[event.lane];
  const float dot = at.x + digits + px(14) + px(kIndent) * static_cast<float>(event.depth);
  list->AddRectFilled({dot, at.y + height / 2 - px(4)}, {dot + px(8), at.y + height / 2 + px(4)},
                      hue < 0 ? color(Role::Quiet, past ? 1 : 0.4f) : view_color(hue, past ? 0.9f : 0.35f),
                      px(2));
  const float x = dot + px(16), right = at.x + width - px(10);
  const float source = text_size(event.row.source, words(kRuler)).x;
  const bool room = right - x - source > px(160);
  if (room) draw_right(list, right, at.y + px(4), event.row.source, words(kRuler, Role::Faint));
  draw_fitted(list, {x, at.y + px(3)}, event.row.sentence, words(kSmall, past ? Role::Text : Role::Quiet),
              right - x - (room ? source + px(16) : 0));
}

void draw_list_side(PanelContext& context, Memory& memory) {
  Session& session = context.session;
  const float row_height = px(kRowHeight);
  // The list follows the current event when that moves.
  if (memory.shown_at != session.time()) {
    memory.shown_at = session.time();
    const float room = ImGui::GetContentRegionAvail().y;
    ImGui::SetScrollY(
        std::max(0.0f, std::floor(row_height * (static_cast<float>(session.time()) - 0.5f) - room / 2)));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(std::min<size_t>(session.trace().size(), INT32_MAX)), row_height);
  bool any_hovered = false;
  while (clipper.Step()) {
    const auto first = static_cast<size_t>(clipper.DisplayStart),
               end = static_cast<size_t>(clipper.DisplayEnd);
    if (memory.listed_revision != session.content_revision() || memory.first_listed != first ||
        memory.listed.size() != end - first) {
      memory.listed_revision = session.content_revision();
      memory.first_listed = first;
      memory.listed.clear();
      for (size_t i = first; i < end; ++i) memory.listed.push_back(listed_event(session, i + 1));
    }
    for (size_t i = first; i < end; ++i) listed_row(session, memory.listed[i - first], i + 1, &any_hovered);
  }
  ImGui::PopStyleVar();
  if (!any_hovered && ImGui::IsWindowHovered()) session.hover_event(0);
}

}  // namespace

void draw_timeline(PanelContext& context) {
  if (context.session.trace().size() == 0)
    return empty_state("Every event, in lanes, with the current one marked.",
                       "Open a trace or a file: ./cutaway show TRACE, ./cutaway open FILE.");
  Memory& memory = context.memory.of<Memory>();
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float left = room.x > px(760) ? std::floor(room.x * 0.64f) : room.x;
  ImGui::BeginChild("lanes", {left, 0}, 0, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_lane_side(context, memory, room.y);
  ImGui::EndChild();
  if (left >= room.x) return;
  ImGui::GetWindowDrawList()->AddLine({at.x + left + px(8), at.y - px(4)},
                                      {at.x + left + px(8), at.y + room.y + px(4)}, color(Role::Line));
  ImGui::SameLine(0, px(17));
  ImGui::BeginChild("events", {0, 0});
  draw_list_side(context, memory);
  ImGui::EndChild();
}

}  // namespace cutaway::inspector
