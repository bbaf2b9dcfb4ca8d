#include "trace/builder.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/io/temp_file.h"
#include "trace/text_pool.h"

namespace cutaway::trace {
namespace {

using io::contains;
using io::error_of;

StorageFacts storage_of(ObjectId id, uint64_t nbytes) {
  StorageFacts f;
  f.storage = id;
  f.nbytes = nbytes;
  f.allocator = "cpu";
  return f;
}

// A tensor whose sizes and strides live here.
struct Shape {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  TensorFacts of(ObjectId tensor, ObjectId storage) const {
    TensorFacts f;
    f.tensor = tensor;
    f.storage = storage;
    f.sizes = sizes;
    f.strides = strides;
    f.storage_offset = offset;
    f.dtype = ScalarType::Float;
    return f;
  }
};

WriteFacts write_of(ObjectId storage, uint64_t begin, uint64_t end, ObjectId tensor = 0) {
  WriteFacts f;
  f.storage = storage;
  f.begin = begin;
  f.end = end;
  f.tensor = tensor;
  return f;
}

TEST_CASE("events that contradict those before are refused, and leave the trace as it was") {
  TraceBuilder b;
  const Shape shape{{2, 3}, {3, 1}};
  b.storage_allocated(storage_of(1, 24));
  b.tensor_made(shape.of(2, 1));
  b.storage_allocated(storage_of(3, 8));
  b.storage_freed(3);
  b.tensor_made(shape.of(4, 1));
  b.tensor_released(4);
  const size_t size = b.trace()->size();
  const uint64_t hash = b.trace()->world_at(size).hash();
  const auto refuses = [&](auto event, const char* why) {
    CAPTURE(why);
    const std::string message = error_of([&] { event(); });
    CHECK(contains(message, why));
    CHECK(b.trace()->size() == size);
    CHECK(b.trace()->world_at(size).hash() == hash);
  };
  refuses([&] { b.storage_allocated(storage_of(1, 24)); }, "object #1 is made twice");
  refuses([&] { b.storage_allocated(storage_of(2, 24)); }, "object #2 is made twice");
  refuses([&] { b.storage_allocated(storage_of(0, 24)); }, "without an id");
  refuses([&] { b.storage_allocated(storage_of(9, 1ull << 60)); }, "claims 1152921504606846976 bytes");
  refuses([&] { b.storage_freed(3); }, "storage #3, which ended at event 4");
  refuses([&] { b.storage_freed(2); }, "names a storage that was never made");
  refuses([&] { b.storage_freed(77); }, "storage #77, which was never made");
  refuses([&] { b.storage_resized(3, storage_of(3, 9)); }, "ended at event");
  refuses([&] { b.tensor_made(shape.of(2, 1)); }, "made twice");
  refuses([&] { b.tensor_made(shape.of(9, 77)); }, "storage #77");
  refuses([&] { b.tensor_changed(shape.of(77, 1)); }, "tensor #77");
  refuses([&] { b.tensor_changed(shape.of(4, 1)); }, "tensor #4, which ended");
  refuses([&] { b.tensor_released(4); }, "tensor #4, which ended");
  refuses([&] { b.tensor_named(77, "x"); }, "tensor #77");
  refuses([&] { b.tensor_named(1, "x"); }, "names a tensor that was never made");
  refuses([&] { b.counts_changed(77, 1, 1); }, "object #77");
  refuses([&] { b.version_changed(2, 1); }, "names a version counter that was never made");
  refuses([&] { b.written(write_of(1, 0, 25), 0, {}); }, "bytes 0 to 25 of a storage that has 24");
  refuses([&] { b.written(write_of(1, 9, 8), 0, {}); }, "bytes 9 to 8");
  refuses([&] { b.written(write_of(3, 0, 1), 0, {}); }, "storage #3, which ended");
  refuses([&] { b.written(write_of(1, 0, 1, 77), 0, {}); }, "tensor #77");
  const std::byte bytes[3] = {};
  refuses([&] { b.written(write_of(1, 0, 4), 0, bytes); }, "a write of 4 bytes carries 3");
  refuses([&] { b.storage_allocated(storage_of(9, 2), bytes); }, "a storage of 2 bytes begins with 3");
  refuses([&] { b.op_end(); }, "ends that never began");
  ViewFacts view;
  view.result = 2;
  view.source = 77;
  refuses([&] { b.view_made(view); }, "tensor #77");
}

TEST_CASE("shapes on which arithmetic would overflow are refused") {
  TraceBuilder b;
  b.storage_allocated(storage_of(1, 24));
  ObjectId id = 1;
  const auto refuses = [&](const Shape& shape) {
    CHECK_THROWS_AS(b.tensor_made(shape.of(++id, 1)), ValueError);
    CHECK(b.trace()->size() == 1);
  };
  refuses({{-1}, {1}});
  refuses({{1}, {-1}});
  refuses({{1}, {1}, -1});
  refuses({{1, 2}, {1}});
  refuses({{INT64_MAX}, {1}});
  refuses({{1ll << 40, 1ll << 40}, {0, 0}});
  refuses({{2}, {INT64_MAX}});
  refuses({{3, 3}, {INT64_MAX / 2, INT64_MAX / 2}});
  refuses({{1}, {1}, INT64_MAX});
  refuses({std::vector<int64_t>(65, 1), std::vector<int64_t>(65, 1)});
  // An empty tensor reaches nothing, and a dimension of size 1 takes no step.
  b.tensor_made(Shape{{0}, {5}}.of(100, 1));
  b.tensor_made(Shape{{1}, {INT64_MAX}}.of(101, 1));
  b.tensor_made(Shape{{1ll << 59}, {0}}.of(102, 1));
  const World world = b.trace()->world_at(4);
  CHECK(world.tensor(100)->in_bounds);
  CHECK(world.tensor(101)->in_bounds);
  CHECK(world.tensor(102)->in_bounds);
}

TEST_CASE("a tensor that reaches beyond its storage is told as such") {
  TraceBuilder b;
  b.storage_allocated(storage_of(1, 24));
  b.tensor_made(Shape{{2, 3}, {3, 1}}.of(2, 1));
  CHECK(b.trace()->world_at(2).tensor(2)->in_bounds);
  b.storage_resized(1, storage_of(1, 23));
  CHECK_FALSE(b.trace()->world_at(3).tensor(2)->in_bounds);
  CHECK(b.trace()->world_at(2).tensor(2)->in_bounds);
}

TEST_CASE("operators nest by thread, and one still open at the end ends there") {
  TraceBuilder b;
  b.set_thread(0);
  b.op_begin("outer", "outer(1)");
  b.set_thread(1);
  b.op_begin("other", "");
  b.set_thread(0);
  b.op_begin("inner", "inner(2)");
  b.mark("in inner");
  b.set_thread(1);
  b.mark("in other");
  b.op_end();
  b.set_thread(0);
  b.op_end();
  const Trace& trace = *b.trace();
  const auto spans = trace.spans();
  REQUIRE(spans.size() == 3);
  CHECK(spans[1].call == "other");
  CHECK(spans[1].parent == kNone);
  CHECK(spans[1].thread == 1);
  CHECK(spans[2].parent == 0);
  CHECK(spans[2].depth == 1);
  CHECK(spans[2].first == 3);
  CHECK(spans[2].last == 7);
  CHECK(trace.event(4).span == 2);
  CHECK(trace.event(5).span == 1);
  CHECK(spans[0].last == OpSpan::kOpen);
  b.finish();
  CHECK(b.trace()->spans()[0].last == 7);
  CHECK(std::vector<size_t>(trace.marks().begin(), trace.marks().end()) == std::vector<size_t>{4, 5});
}

TEST_CASE("the world knows who looks at a storage, and chains of views know their root") {
  TraceBuilder b;
  b.storage_allocated(storage_of(1, 24));
  b.storage_allocated(storage_of(2, 24));
  const Shape shape{{6}, {1}};
  for (const ObjectId tensor : {10, 11, 12}) b.tensor_made(shape.of(tensor, 1));
  ViewFacts view;
  view.result = 11;
  view.source = 10;
  view.op = "t";
  b.view_made(view);
  view.result = 12;
  view.source = 11;
  b.view_made(view);
  b.tensor_changed(shape.of(11, 2));
  b.tensor_released(10);
  const Trace& trace = *b.trace();
  CHECK(trace.world_at(3).tensors_on(1) == std::vector<ObjectId>{10});
  CHECK(trace.world_at(7).tensors_on(1) == std::vector<ObjectId>{10, 11, 12});
  CHECK(trace.world_at(8).tensors_on(1) == std::vector<ObjectId>{10, 12});
  CHECK(trace.world_at(8).tensors_on(2) == std::vector<ObjectId>{11});
  CHECK(trace.world_at(9).tensors_on(1) == std::vector<ObjectId>{12});
  CHECK(trace.world_at(9).tensors_ever_on(1) == std::vector<ObjectId>{10, 11, 12});
  CHECK(trace.world_at(8).tensors_ever_on(2) == std::vector<ObjectId>{11});
  std::vector<ObjectId> visited;
  trace.world_at(9).visit_living_tensors([&](const TensorGlance& glance) {
    visited.push_back(glance.id);
    CHECK(glance.storage == (glance.id == 11 ? 2 : 1));
    CHECK(glance.storage_nbytes == 24);
    CHECK(glance.sizes == IntArrayRef(shape.sizes));
    CHECK(glance.is_view);
  });
  CHECK(visited == std::vector<ObjectId>{11, 12});
  CHECK(trace.world_at(9).tensors() == std::vector<ObjectId>{10, 11, 12});
  CHECK(trace.world_at(9).storages() == std::vector<ObjectId>{1, 2});
  CHECK_FALSE(trace.world_at(9).alive(10));
  CHECK(trace.world_at(8).alive(10));
  CHECK_FALSE(trace.world_at(2).alive(10));
  CHECK(trace.world_at(9).tensor(12)->root == 10);
  CHECK(trace.world_at(9).tensor(12)->source == 11);
  CHECK(trace.world_at(9).tensor(10)->root == 0);
  CHECK(trace.world_at(9).tensor(11)->changed == 8);
  CHECK(trace.world_at(7).tensor(11)->changed == 0);
  CHECK_FALSE(trace.world_at(9).tensor(1).has_value());
  CHECK_FALSE(trace.world_at(9).storage(10).has_value());
  CHECK(trace.events_touching(1) == std::vector<size_t>{1, 3, 4, 5});
  CHECK(trace.events_touching(11) == std::vector<size_t>{4, 6, 7, 8});
  CHECK(trace.events_touching(77).empty());
  b.mark("later");
  b.tensor_named(11, "late");
  CHECK(trace.events_touching(11) == std::vector<size_t>{4, 6, 7, 8, 11});
}

TEST_CASE("versions belong to counters that tensors share, and never fall") {
  TraceBuilder b;
  b.storage_allocated(storage_of(1, 24));
  const Shape shape{{6}, {1}};
  TensorFacts tensor = shape.of(2, 1);
  tensor.version_counter = 3;
  tensor.version = 5;
  b.tensor_made(tensor);
  tensor.tensor = 4;
  b.tensor_made(tensor);
  b.version_changed(3, 7);
  b.version_changed(3, 6);
  const Trace& trace = *b.trace();
  CHECK(trace.world_at(2).version(3) == 5);
  CHECK(trace.world_at(1).version(3) == 0);
  CHECK(trace.world_at(4).tensor(2)->version == 7);
  CHECK(trace.world_at(5).tensor(4)->version == 7);
  CHECK(trace.event(4).old_value == 5);
  CHECK(trace.event(5).new_value == 7);
}

TEST_CASE("ids may be any numbers") {
  TraceBuilder b;
  const ObjectId ids[] = {~ObjectId{0}, 1, 1ull << 40, 70'000, 2, 1'000'000, 65'535, 65'536};
  for (const ObjectId id : ids) b.storage_allocated(storage_of(id, id % 1000));
  for (const ObjectId id : ids) CHECK(b.trace()->world_at(8).storage(id)->nbytes == id % 1000);
  for (ObjectId id = 100'000; id < 130'000; ++id) b.storage_allocated(storage_of(id, id % 1000));
  const World world = b.trace()->world_at(b.trace()->size());
  for (const ObjectId id : ids) CHECK(world.storage(id)->nbytes == id % 1000);
  CHECK(world.storage(129'999)->nbytes == 999);
  CHECK_FALSE(world.storage(130'000).has_value());
}

TEST_CASE("texts are kept once and made fit to be shown") {
  CHECK(clean_text("plain, \xc3\xa9 and \xe2\x82\xac and \xf0\x9f\x99\x82\n\tok") ==
        "plain, \xc3\xa9 and \xe2\x82\xac and \xf0\x9f\x99\x82\n\tok");
  const std::string bad = "\xef\xbf\xbd";
  for (const std::string& odd :
       {std::string("\x1b"), std::string(1, '\0'), std::string("\x7f"), std::string("\xff"),
        std::string("\xc0\xaf"), std::string("\xe2\x82"), std::string("\xed\xa0\x80"),
        std::string("\xf5\x80\x80\x80"), std::string("\xc2\x9b")}) {
    CAPTURE(odd.size());
    CHECK_FALSE(is_clean_text(odd));
    CHECK(is_clean_text(clean_text(odd)));
    CHECK(contains(clean_text("a" + odd + "b"), bad));
  }
  const std::string huge(3u << 20, 'x');
  CHECK(clean_text(huge).size() <= kMostTextBytes);
  CHECK(contains(clean_text(huge), "[...]"));
  TextPool pool;
  const TableIndex first = pool.add("add_");
  CHECK(pool.add("mul_") != first);
  CHECK(pool.add("add_") == first);
  CHECK(pool.add(huge) == pool.add(huge));
  CHECK(pool.size() == 3);
}

}  // namespace
}  // namespace cutaway::trace
