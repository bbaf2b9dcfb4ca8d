#include "inspector/model/timeline_model.h"

#include <algorithm>
#include <filesystem>

namespace cutaway::inspector {
namespace {

constexpr auto kOpLane = static_cast<size_t>(trace::Lane::Op);

struct LaneSpan {
  uint32_t first = 0;
  uint32_t last = 0;
};

// What the blocks are found in. Grows with the trace.
struct LaneIndex {
  const trace::Trace* trace = nullptr;
  size_t events = 0;                                         // of the trace that are in it
  std::array<std::vector<uint32_t>, trace::kLanes> numbers;  // not of operators
  std::vector<LaneSpan> operators;                           // outermost ones of all threads, by first
  bool operators_ascend = true;                              // also by last: they do on one thread

  void follow(const trace::Trace& now) {
    if (trace != &now) *this = {&now, 0, {}, {}, true};
    if (events == now.size()) return;
    for (size_t number = events + 1; number <= now.size(); ++number) {
      const auto lane = static_cast<size_t>(trace::lane_of(now.event(number).kind));
      if (lane != kOpLane) numbers[lane].push_back(static_cast<uint32_t>(number));
    }
    events = now.size();
    operators.clear();
    operators_ascend = true;
    for (const trace::OpSpan& span : now.spans()) {
      if (span.depth != 0) continue;
      const auto last = static_cast<uint32_t>(std::min(span.last, events));
      operators_ascend &= operators.empty() || operators.back().last <= last;
      operators.push_back({static_cast<uint32_t>(span.first), last});
    }
  }
};

// Which picture column an event falls into, and the last event of a column.
struct Scale {
  size_t from = 1;
  size_t span = 1;
  size_t buckets = 1;

  size_t bucket(size_t number) const {
    return span <= buckets ? number - from : (number - from) * buckets / span;
  }
  size_t last_of(size_t bucket) const {
    return span <= buckets ? from + bucket : from + ((bucket + 1) * span + buckets - 1) / buckets - 1;
  }
};

std::vector<TimelineBlock> blocks_of(const std::vector<uint32_t>& numbers, const Scale& scale, size_t to) {
  std::vector<TimelineBlock> blocks;
  auto at = std::lower_bound(numbers.begin(), numbers.end(), scale.from);
  while (at != numbers.end() && *at <= to) {
    const size_t last = std::min(scale.last_of(scale.bucket(*at)), to);
    const auto next = std::upper_bound(at, numbers.end(), last);
    blocks.push_back({*at, *std::prev(next), static_cast<size_t>(next - at)});
    at = next;
  }
  return blocks;
}

// Operators that begin and end in one column fold; a longer one is a block of its own.
std::vector<TimelineBlock> operator_blocks(const LaneIndex& index, const Scale& scale, size_t to) {
  std::vector<TimelineBlock> blocks;
  const std::vector<LaneSpan>& all = index.operators;
  const auto ends_before = [](const LaneSpan& span, size_t number) { return span.last < number; };
  auto at = index.operators_ascend ? std::lower_bound(all.begin(), all.end(), scale.from, ends_before)
                                   : all.begin();
  while (at != all.end() && at->first <= to) {
    const size_t first = std::max<size_t>(at->first, scale.from), last = std::min<size_t>(at->last, to);
    if (at->last < scale.from) {
      ++at;
      continue;
    }
    const size_t column_end = std::min(scale.last_of(scale.bucket(first)), to);
    if (last > column_end || scale.span <= scale.buckets) {
      blocks.push_back({first, last, 1});
      ++at;
      continue;
    }
    const auto begins_after = [](size_t number, const LaneSpan& span) { return number < span.first; };
    auto next = std::upper_bound(at, all.end(), column_end, begins_after);
    if (next != all.begin() && std::prev(next) != at && std::prev(next)->last > column_end)
      --next;  // that one is long
    blocks.push_back({first, std::max<size_t>(std::min<size_t>(std::prev(next)->last, to), first),
                      static_cast<size_t>(next - at)});
    at = next;
  }
  return blocks;
}

bool concerns(const Session& session, const trace::Event& event) {
  const Selection& selection = session.selection();
  if (event.object && (event.object == selection.tensor || event.object == selection.storage)) return true;
  if (event.kind == trace::EventKind::Write)
    return session.trace().write(event.detail).tensor == selection.tensor && selection.tensor;
  return event.kind == trace::EventKind::ViewMade && selection.tensor &&
         session.trace().view_record(event.detail).source == selection.tensor;
}

}  // namespace

TimelineModel make_timeline_model(const Session& session, size_t from, size_t to, size_t buckets) {
  TimelineModel model;
  model.events = session.trace().size();
  model.time = session.time();
  from = std::max<size_t>(from, 1);
  to = std::min(to, model.events);
  if (from > to || buckets == 0) return model;
  LaneIndex& index = session.memo<LaneIndex>();
  index.follow(session.trace());
  const Scale scale{from, to - from + 1, buckets};
  for (size_t lane = 0; lane < model.lanes.size(); ++lane)
    model.lanes[lane] =
        lane == kOpLane ? operator_blocks(index, scale, to) : blocks_of(index.numbers[lane], scale, to);
  return model;
}

EventRow event_row(const Session& session, size_t number) {
  const auto& event = session.trace().event(number);
  EventRow row;
  row.number = number;
  row.kind = trace::to_string(event.kind);
  row.lane = trace::lane_of(event.kind);
  row.sentence = session.trace().describe(number, &session.world());
  row.touches_selection = concerns(session, event);
  if (event.span != trace::kNone) {
    const trace::OpSpan& span = session.trace().spans()[event.span];
    const bool its_own = event.kind == trace::EventKind::OpBegin || event.kind == trace::EventKind::OpEnd;
    row.op = span.call;
    row.depth = span.depth + (its_own ? 0 : 1);
  }
  const auto& source = session.trace().source_line(event.source);
  if (!source.file.empty())
    row.source = std::filesystem::path(source.file).filename().string() + ":" + std::to_string(source.line);
  return row;
}

}  // namespace cutaway::inspector
