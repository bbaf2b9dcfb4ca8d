// The lists: tensors with their filter, events with theirs, lanes of the timeline.
#include <doctest/doctest.h>

#include <random>
#include <set>

#include "inspector/model/explorer_model.h"
#include "inspector/model/filter.h"
#include "inspector/model/timeline_model.h"
#include "tests/inspector/model/small_document.h"
#include "tests/io/temp_file.h"

using namespace cutaway;
using namespace cutaway::inspector;
using cutaway::io::contains;
using cutaway::io::error_of;

namespace {

std::vector<std::string> names_of(const ExplorerModel& model) {
  std::vector<std::string> names;
  for (const TensorRow& row : model.tensors) names.push_back(row.name);
  return names;
}

using Names = std::vector<std::string>;

Session four_tensors() {
  Session session(counting_document({4, 6}));
  session.add_view("x[1:3]");
  session.add_view("x.clone()");
  session.add_view("x[1:3].t()");
  return session;
}

std::vector<size_t> numbers_of(const EventList& list) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < list.size(); ++i) numbers.push_back(list.number(i));
  return numbers;
}

}  // namespace

TEST_CASE("filter: every word, alone, negated and together") {
  const Session session = four_tensors();
  const auto with = [&](const std::string& filter) {
    const ExplorerModel model = make_explorer_model(session, filter);
    CHECK(model.filter_error == "");
    CHECK(model.tensors_in_all == 4);
    return names_of(model);
  };
  const Names all{"x", "x[1:3]", "x.clone()", "x[1:3].t()"};
  CHECK(with("") == all);
  CHECK(with("  ") == all);
  CHECK(with("CLONE") == Names{"x.clone()"});
  CHECK(with("x -clone") == Names{"x", "x[1:3]", "x[1:3].t()"});
  CHECK(with("dtype:f32") == all);
  CHECK(with("dtype:float32 -dtype:f64") == all);
  CHECK(with("dtype:int8") == Names{});
  CHECK(with("size>12") == Names{"x", "x.clone()"});
  CHECK(with("size<24 size=12") == Names{"x[1:3]", "x[1:3].t()"});
  CHECK(with("bytes:96") == all);
  CHECK(with("rank=2 -rank=3") == all);
  CHECK(with("shares:x") == Names{"x", "x[1:3]", "x[1:3].t()"});
  CHECK(with("shares:x.clone()") == Names{"x.clone()"});
  CHECK(with("view:yes") == Names{"x[1:3]", "x[1:3].t()"});
  CHECK(with("view:no") == Names{"x", "x.clone()"});
  CHECK(with("leaf:yes") == all);
  CHECK(with("-changed:here") == all);
  CHECK(with("\"1:3\"") == Names{"x[1:3]", "x[1:3].t()"});
  CHECK(with("-\"1:3\"") == Names{"x", "x.clone()"});
}

TEST_CASE("filter: changed:here follows the event") {
  Session session(recorded_document());
  size_t writes = 0;
  for (session.seek(1); session.time() < session.trace().size(); session.step(1)) {
    CAPTURE(session.time());
    const trace::Event& event = session.trace().event(session.time());
    const bool write = event.kind == trace::EventKind::Write,
               field = event.kind == trace::EventKind::TensorChanged;
    // A write changes what every tensor over that storage reads; a name changes none.
    size_t expected = 0;
    for (const TensorRow& row : make_explorer_model(session, "").tensors)
      expected += (write && row.storage == event.object) || (field && row.tensor == event.object);
    size_t shown = 0;
    for (const TensorRow& row : make_explorer_model(session, "changed:here").tensors) {
      CHECK(row.changed);
      ++shown;
    }
    CHECK(shown == expected);
    writes += write && shown > 0;
  }
  CHECK(writes > 0);
}

TEST_CASE("filter: what is not understood names the word and lets everything through") {
  const Session session = four_tensors();
  const auto error = [&](const std::string& filter) {
    const ExplorerModel model = make_explorer_model(session, filter);
    CHECK(model.tensors.size() == 4);
    return model.filter_error;
  };
  CHECK(contains(error("colour:red"), "'colour:red': there are dtype:, size>"));
  CHECK(contains(error("size>many"), "'size>many': expected a number after >"));
  CHECK(contains(error("size>"), "expected something after >"));
  CHECK(contains(error("dtype:f7"), "'dtype:f7': there are bool, uint8"));
  CHECK(contains(error("dtype>f32"), "expected dtype:something"));
  CHECK(contains(error("view:maybe"), "expected yes or no"));
  CHECK(contains(error("changed:there"), "expected changed:here"));
  CHECK(contains(error("shares:nobody"), "no tensor has that name"));
  CHECK(contains(error("\"open"), "a quotation mark is not closed"));
}

TEST_CASE("the list keeps its order, and finds its selection") {
  Session session = four_tensors();
  CHECK(names_of(make_explorer_model(session, "", ExplorerOrder::Name)) ==
        Names{"x", "x.clone()", "x[1:3]", "x[1:3].t()"});
  CHECK(names_of(make_explorer_model(session, "", ExplorerOrder::Bytes)) ==
        Names{"x", "x.clone()", "x[1:3]", "x[1:3].t()"});
  session.select_tensor(session.tensor_named("x.clone()"));
  ExplorerModel model = make_explorer_model(session);
  CHECK(model.selected_tensor == 2);
  CHECK(model.selected_storage == 1);
  CHECK(model.tensors[2].selected);
  CHECK(model.storages[0].tensors == 3);
  CHECK(make_explorer_model(session, "view:yes").selected_tensor == SIZE_MAX);
}

TEST_CASE("events: the filter picks by kind, operator, tensor, storage, number and text") {
  Session session(recorded_document());
  const auto with = [&](const std::string& filter) {
    const EventList list = make_event_list(session, filter);
    CHECK(list.filter_error() == "");
    return numbers_of(list);
  };
  CHECK(with("").size() == session.trace().size());
  for (size_t number : with("kind:write"))
    CHECK(session.trace().event(number).kind == trace::EventKind::Write);
  CHECK(with("kind:write").size() + with("-kind:write").size() == session.trace().size());
  const auto reshaped = with("op:reshape");
  CHECK(reshaped.size() > 3);
  for (size_t number : reshaped)
    CHECK(contains(session.trace().spans()[session.trace().event(number).span].call, "reshape"));
  CHECK(with("op:RESHAPE") == reshaped);
  for (size_t number : with("tensor:z kind:view"))
    CHECK(session.trace().event(number).kind == trace::EventKind::ViewMade);
  CHECK(with("tensor:z kind:view").size() == 1);
  CHECK(with("at>3 at<6") == std::vector<size_t>{4, 5});
  CHECK(with("at:7") == std::vector<size_t>{7});
  CHECK(with("refers").size() == 1);
  CHECK(with("kind:error").size() == 2);
  CHECK(with("kept kind:mark").size() == 1);
  session.seek(session.trace().size());
  for (size_t number : with("touches:here")) CHECK(number > 0);
  CHECK(contains(make_event_list(session, "kind:dance").filter_error(), "no kind of event is called so"));
  CHECK(contains(make_event_list(session, "op>3").filter_error(), "expected op:something"));
  CHECK(make_event_list(session, "kind:dance").size() == session.trace().size());
}

TEST_CASE("events: the row of an event, filtered or not") {
  const Session session(recorded_document());
  const EventList all = make_event_list(session), writes = make_event_list(session, "kind:write");
  CHECK(all.row_of(0) == all.size());
  CHECK(all.row_of(1) == 0);
  CHECK(all.row_of(5) == 4);
  for (size_t number = 1; number <= session.trace().size(); ++number) {
    size_t row = writes.size();
    for (size_t i = 0; i < writes.size(); ++i)
      if (writes.number(i) <= number) row = i;
    CHECK(writes.row_of(number) == row);
  }
}

TEST_CASE(
    "timeline: blocks hold every event of a lane once, in at most as many blocks as there are columns") {
  Session session(recorded_document());
  const size_t events = session.trace().size();
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    const size_t from = 1 + random() % events, to = from + random() % (events - from + 1),
                 buckets = 1 + random() % 40;
    CAPTURE(from);
    CAPTURE(to);
    CAPTURE(buckets);
    const TimelineModel model = make_timeline_model(session, from, to, buckets);
    for (size_t lane = 0; lane < model.lanes.size(); ++lane) {
      const bool operators = lane == static_cast<size_t>(trace::Lane::Op);
      size_t counted = 0, last = 0;
      if (to - from + 1 > buckets && !operators) CHECK(model.lanes[lane].size() <= buckets);
      for (const TimelineBlock& block : model.lanes[lane]) {
        CHECK(block.first >= from);
        CHECK(block.first <= block.last);
        CHECK(block.last <= to);
        CHECK(block.first > last);
        last = block.last;
        counted += block.count;
      }
      size_t wanted = 0;
      if (operators) {
        for (const trace::OpSpan& span : session.trace().spans())
          wanted += span.depth == 0 && span.first <= to && span.last >= from;
      } else {
        for (size_t number = from; number <= to; ++number)
          wanted += static_cast<size_t>(trace::lane_of(session.trace().event(number).kind)) == lane;
      }
      CHECK(counted == wanted);
    }
  }
  CHECK(make_timeline_model(session, 5, 4, 10).lanes[0].empty());
}
