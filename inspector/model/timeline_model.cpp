#include "inspector/model/timeline_model.h"

#include <algorithm>
#include <filesystem>

namespace cutaway::inspector {

TimelineModel make_timeline_model(const Session& session, size_t from, size_t to, size_t buckets) {
  TimelineModel model;
  model.events = session.trace().size();
  model.time = session.time();
  from = std::max<size_t>(from, 1);
  to = std::min(to, model.events);
  if (from > to || buckets == 0) return model;
  const size_t span = to - from + 1;
  std::array<size_t, trace::kLanes> bucket_of;
  bucket_of.fill(SIZE_MAX);
  for (size_t number = from; number <= to; ++number) {
    const auto lane = static_cast<size_t>(trace::lane_of(session.trace().event(number).kind));
    const size_t bucket = span <= buckets ? number : (number - from) * buckets / span;
    auto& blocks = model.lanes[lane];
    if (bucket_of[lane] == bucket) {
      blocks.back().last = number;
      ++blocks.back().count;
      continue;
    }
    bucket_of[lane] = bucket;
    blocks.push_back({number, number, 1});
  }
  return model;
}

EventRow event_row(const Session& session, size_t number) {
  const auto& event = session.trace().event(number);
  EventRow row;
  row.number = number;
  row.kind = trace::to_string(event.kind);
  row.sentence = session.trace().describe(number, &session.world());
  if (event.span != trace::kNone) row.op = session.trace().spans()[event.span].call;
  const auto& source = session.trace().source_line(event.source);
  if (!source.file.empty())
    row.source = std::filesystem::path(source.file).filename().string() + ":" + std::to_string(source.line);
  return row;
}

}  // namespace cutaway::inspector
