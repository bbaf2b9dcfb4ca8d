#include "inspector/model/session.h"

#include <doctest/doctest.h>

#include "inspector/model/details_model.h"
#include "inspector/model/json.h"
#include "inspector/model/text.h"
#include "tests/inspector/model/small_document.h"
#include "tests/io/temp_file.h"

using namespace cutaway;
using namespace cutaway::inspector;
using cutaway::io::contains;
using cutaway::io::error_of;

namespace {

// Everything that is shown at this moment.
std::string whole_frame(const Session& session) {
  std::string all = frame_json(session);
  for (const std::string& panel : panel_names()) all += panel_text(session, panel);
  return all + panel_text(session, "status");
}

}  // namespace

TEST_CASE("the frame at an event is the same whichever way one came: forward, back, or at once") {
  Session session(recorded_document());
  std::vector<std::string> forward;
  for (session.seek(0);; session.step(1)) {
    forward.push_back(whole_frame(session));
    if (session.time() == session.trace().size()) break;
  }
  for (size_t t = session.trace().size() + 1; t-- > 0; session.step(-1)) {
    CAPTURE(t);
    CHECK(session.time() == t);
    CHECK(whole_frame(session) == forward[t]);
  }
  for (size_t t = 0; t <= session.trace().size(); t += 7) {
    Session fresh(recorded_document());
    fresh.seek(t);
    // The ids of a second recording are others; what does not name them is the same.
    CHECK(make_details_model(fresh).step_title == [&] {
      session.seek(t);
      return make_details_model(session).step_title;
    }());
  }
}

TEST_CASE("a trace without marks opens where its last storage is still alive") {
  const auto builder = std::make_shared<trace::TraceBuilder>();
  StorageFacts storage;
  storage.storage = 1;
  storage.nbytes = 16;
  builder->storage_allocated(storage);
  TensorFacts tensor;
  tensor.tensor = 2;
  tensor.storage = 1;
  tensor.version_counter = 3;
  tensor.sizes = {4};
  tensor.strides = {1};
  builder->tensor_made(tensor);
  builder->tensor_named(2, "x");
  builder->tensor_released(2);
  builder->storage_freed(1);
  const Session session(Document::of(builder, "short.trace"));
  CHECK(session.time() == 3);
  CHECK(session.world().name(session.selection().tensor) == "x");
}

TEST_CASE("a chosen tensor comes back when one steps back to where it lives") {
  Session session(recorded_document());
  session.seek(session.trace().size());
  const ObjectId kept = session.selection().tensor;
  CHECK(session.world().name(kept) == "kept");
  size_t alive_at = 0;
  for (size_t t = 1; t <= session.trace().size() && !alive_at; ++t) {
    session.seek(t);
    if (session.tensor_named("z")) alive_at = t;
  }
  const ObjectId z = session.tensor_named("z");
  session.select_tensor(z);
  session.select_element(5);
  session.seek(session.trace().size());
  CHECK(session.selection().tensor == kept);
  session.seek(alive_at);
  CHECK(session.selection().tensor == z);
  CHECK(session.selection().element == 5);
}

TEST_CASE("looking back and forward goes over tensors, not over time") {
  Session session(counting_document({4, 6}));
  session.add_view("x[1]");
  session.add_view("x[2]");
  const size_t time = session.time();
  const ObjectId second = session.selection().tensor;
  session.look_back();
  const ObjectId first = session.selection().tensor;
  CHECK(session.world().name(first) == "x[1]");
  session.look_back();
  CHECK(session.world().name(session.selection().tensor) == "x");
  session.look_back();
  CHECK(session.world().name(session.selection().tensor) == "x");
  session.look_forward();
  session.look_forward();
  CHECK(session.selection().tensor == second);
  session.look_forward();
  CHECK(session.selection().tensor == second);
  CHECK(session.time() == time);
}

TEST_CASE("steps: operators, marks, bookmarks, what touches the selection") {
  Session session(recorded_document());
  session.seek(0);
  std::vector<size_t> stops;
  while (session.time() < session.trace().size()) {
    session.step_operator(1);
    stops.push_back(session.time());
  }
  CHECK(stops.size() > 8);
  for (size_t i = 0; i + 1 < stops.size(); ++i)
    CHECK(session.trace().event(stops[i]).kind == trace::EventKind::OpEnd);
  for (size_t i = stops.size() - 1; i-- > 0;) {
    session.step_operator(-1);
    CHECK(session.time() == stops[i]);
  }
  session.seek(0);
  session.step_operator(-1);
  CHECK(session.time() == 0);
  for (size_t mark : session.trace().marks()) {
    session.step_mark(1);
    CHECK(session.time() == mark);
  }
  session.step_mark(1);
  CHECK(session.time() == session.trace().marks().back());
  session.seek(10);
  session.toggle_bookmark();
  session.seek(20);
  session.toggle_bookmark();
  session.next_bookmark();
  CHECK(session.time() == 10);
  session.next_bookmark();
  CHECK(session.time() == 20);
  session.toggle_bookmark();
  session.next_bookmark();
  CHECK(session.time() == 10);
  session.seek(1000000);
  CHECK(session.time() == session.trace().size());
  session.step(-1000000);
  CHECK(session.time() == 0);
}

TEST_CASE("hovering changes what is drawn, but not what is worked out") {
  Session session(counting_document({4, 6}));
  const uint64_t drawn = session.revision(), content = session.content_revision();
  session.hover_element(3);
  CHECK(session.revision() != drawn);
  CHECK(session.content_revision() == content);
  session.hover_element(3);
  const uint64_t hovered = session.revision();
  session.hover_element(3);
  CHECK(session.revision() == hovered);
  session.select_element(3);
  CHECK(session.content_revision() != content);
}

namespace {

// The first event at which a tensor of that name lives.
size_t first_with(Session& session, const std::string& name) {
  for (size_t t = 1; t <= session.trace().size(); ++t) {
    session.seek(t);
    if (session.tensor_named(name)) return t;
  }
  return 0;
}

}  // namespace

TEST_CASE("a view asked for in the middle of a trace makes a branch, and leaving it brings the trace back") {
  const io::TempFile file("small.trace");
  record_program(file.path());
  Session session(Document::open_trace(file.path(), false));
  const size_t middle = first_with(session, "flat"), whole = session.trace().size();
  const std::string before = whole_frame(session);
  session.add_view("z[1:3].t()");
  CHECK(session.branched_at() == middle);
  CHECK(session.trace().size() < whole);
  CHECK(session.time() == session.trace().size());
  CHECK(session.world().name(session.selection().tensor) == "z[1:3].t()");
  CHECK(contains(panel_text(session, "status"), "branch at event"));
  // A second one goes to the end of the branch, also from within it.
  session.step(-2);
  session.add_view("x.view(-1)");
  CHECK(session.branched_at() == middle);
  CHECK(session.tensor_named("z[1:3].t()") != 0);
  // The events in front are those of the trace.
  session.seek(middle);
  CHECK(session.tensor_named("z[1:3]") == 0);
  CHECK(contains(error_of([&] { session.add_view("nothing[0]"); }), "no tensor is called"));
  session.leave_branch();
  CHECK_FALSE(session.branched_at());
  CHECK(session.trace().size() == whole);
  CHECK(session.time() == middle);
  CHECK(session.tensor_named("z[1:3].t()") == 0);
  session.select_tensor(session.tensor_named("flat"));
  CHECK(whole_frame(session) == before);
}

TEST_CASE("a branch that cannot be made leaves the session as it was") {
  Session session(recorded_document());
  first_with(session, "flat");
  const std::string before = whole_frame(session);
  // The file of this trace is gone.
  CHECK(contains(error_of([&] { session.add_view("z.view(-1)"); }), "small.trace"));
  CHECK_FALSE(session.branched_at());
  CHECK(whole_frame(session) == before);
}
