#include "trace/recorder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "core/error.h"
#include "core/warning.h"
#include "kernels/ops.h"
#include "tests/io/temp_file.h"
#include "trace/trace_file.h"

namespace cutaway::trace {
namespace {

using io::contains;
using io::error_of;
using io::TempFile;

// The events without reference counts, as "kind" or "kind detail".
std::vector<std::string> story(const Trace& trace) {
  std::vector<std::string> lines;
  for (size_t number = 1; number <= trace.size(); ++number) {
    const Event& event = trace.event(number);
    std::string line = to_string(event.kind);
    if (event.kind == EventKind::OpBegin) line += " " + trace.spans()[event.detail].op;
    if (event.kind == EventKind::TensorNamed) line += " " + trace.text(event.detail);
    lines.push_back(line);
  }
  return lines;
}

template <class T>
std::vector<T> elements_at(const Trace& trace, size_t t, ObjectId storage, size_t n) {
  std::vector<T> values(n);
  std::vector<ByteState> known(n * sizeof(T));
  trace.bytes_at(t, storage, 0, std::as_writable_bytes(std::span(values)), known);
  REQUIRE(std::count(known.begin(), known.end(), ByteState::Known) == static_cast<ptrdiff_t>(known.size()));
  return values;
}

TEST_CASE("a small program on real tensors is recorded event by event, with its bytes") {
  Recording recording;
  const auto trace = recording.trace();
  const Tensor x = arange(4);
  name(x, "x");
  const size_t made = trace->size();
  CUTAWAY_STEP(Tensor y = transpose(view(x, {2, 2}), 0, 1));
  CUTAWAY_STEP(add_(y, 10));
  set_source_line({});
  recording.stop();
  CHECK(story(*trace) == std::vector<std::string>{"op begins arange",
                                                  "op begins empty",
                                                  "storage allocated",
                                                  "tensor made",
                                                  "op ends",
                                                  "write",
                                                  "op ends",
                                                  "tensor named x",  //
                                                  "op begins view",
                                                  "tensor made",
                                                  "view made",
                                                  "op ends",  //
                                                  "op begins transpose",
                                                  "tensor made",
                                                  "view made",
                                                  "op ends",
                                                  "tensor released",  //
                                                  "op begins add_",
                                                  "version",
                                                  "write",
                                                  "op ends"});
  const ObjectId storage = x.storage()->id();
  CHECK(elements_at<int64_t>(*trace, made, storage, 4) == std::vector<int64_t>{0, 1, 2, 3});
  CHECK(elements_at<int64_t>(*trace, trace->size(), storage, 4) == std::vector<int64_t>{10, 11, 12, 13});
  const World world = trace->world_at(trace->size());
  const auto state = world.tensor(y.id());
  REQUIRE(state.has_value());
  CHECK(state->root == x.id());
  CHECK(state->made_by == "transpose(0, 1)");
  CHECK(state->strides == std::vector<int64_t>{1, 2});
  CHECK(state->version == 1);
  CHECK(world.tensor(x.id())->version == 1);
  const Event& write = trace->event(trace->size() - 1);
  CHECK(trace->write(write.detail).version_before == 0);
  CHECK(trace->write(write.detail).version_after == 1);
  CHECK(trace->write(write.detail).tensor == y.id());
  CHECK(trace->source_line(write.source).text == "add_(y, 10);");
  CHECK(contains(trace->source_line(write.source).file, "recorder_test.cpp"));
  CHECK(trace->notes().empty());
}

TEST_CASE("nothing is recorded after the end, and reference counts only on request") {
  RecorderOptions options;
  SUBCASE("without") {}
  SUBCASE("with") { options.counts = true; }
  Recording recording(options);
  {
    const Tensor x = zeros({3});
    const Tensor same = x;  // NOLINT: a second handle
  }
  recording.stop();
  const auto lines = story(*recording.trace());
  CHECK((std::count(lines.begin(), lines.end(), "counts changed") > 0) == options.counts);
  const size_t size = recording.trace()->size();
  const Tensor late = zeros({3});
  CHECK(recording.trace()->size() == size);
  recording.stop();
}

TEST_CASE("an error is recorded inside its operator, and the file is complete when it leaves the recording") {
  const TempFile file("t.trace");
  CHECK_THROWS_AS(
      {
        const Recording recording(file.path());
        const Tensor x = zeros({2, 3});
        view(transpose(x, 0, 1), {6});
      },
      Error);
  const LoadedTrace loaded = read_trace(file.path());
  CHECK(loaded.problems.empty());
  size_t errors = 0;
  for (size_t number = 1; number <= loaded.trace->size(); ++number) {
    const Event& event = loaded.trace->event(number);
    if (event.kind != EventKind::Error) continue;
    ++errors;
    CHECK(contains(loaded.trace->text(event.detail), "view size is not compatible"));
    REQUIRE(event.span != kNone);
    CHECK(loaded.trace->spans()[event.span].op == "view");
  }
  CHECK(errors == 1);
}

TEST_CASE("tensors from before appear as far as they show, and what cannot be told is noted") {
  const Tensor old = arange(10);
  const Tensor nameless = zeros({2});
  Recording recording;
  const Tensor v = slice(old, 0, 2, 6);
  add_(v, 1);
  name(nameless, "never seen");
  recording.stop();
  const Trace& trace = *recording.trace();
  const World world = trace.world_at(trace.size());
  const auto storage = world.storage(old.storage()->id());
  REQUIRE(storage.has_value());
  CHECK(storage->partial);
  CHECK(storage->nbytes == 6 * 8);
  CHECK(world.tensor(v.id())->source == 0);
  CHECK_FALSE(world.tensor(nameless.id()).has_value());
  std::vector<std::byte> out(48);
  std::vector<ByteState> known(48);
  trace.bytes_at(trace.size(), old.storage()->id(), 0, out, known);
  CHECK(known[0] == ByteState::NotRecorded);
  CHECK(known[16] == ByteState::Known);
  int64_t value = 0;
  std::memcpy(&value, &out[16], 8);
  CHECK(value == 3);
  REQUIRE(trace.notes().size() == 1);
  CHECK(contains(trace.notes()[0], "Left out"));
}

TEST_CASE("what changed unseen is known from the next write, whose old bytes come along") {
  Recording recording;
  const Tensor x = zeros({4});
  const ObjectId storage = x.storage()->id();
  static_cast<float*>(x.mutable_data_ptr())[2] = 42;  // behind the observer's back
  add_(x, 1);
  recording.stop();
  const Trace& trace = *recording.trace();
  const size_t write = trace.last_write_to(trace.size(), storage, 0, 16);
  CHECK(elements_at<float>(trace, write - 1, storage, 4) == std::vector<float>{0, 0, 42, 0});
  CHECK(elements_at<float>(trace, write, storage, 4) == std::vector<float>{1, 1, 43, 1});
}

TEST_CASE("foreign memory is taken along when it is small enough") {
  float numbers[4] = {1, 2, 3, 4};
  RecorderOptions options;
  SUBCASE("small") {}
  SUBCASE("too large") { options.byte_cap = 15; }
  Recording recording(options);
  const Tensor x = from_blob(numbers, {4});
  recording.stop();
  std::vector<std::byte> out(16);
  std::vector<ByteState> known(16);
  recording.trace()->bytes_at(recording.trace()->size(), x.storage()->id(), 0, out, known);
  const bool small = options.byte_cap > 15;
  CHECK(known[0] == (small ? ByteState::Known : ByteState::NotRecorded));
  CHECK((std::memcmp(out.data(), numbers, 16) == 0) == small);
}

TEST_CASE("one recording at a time") {
  Recording first;
  CHECK(contains(error_of([] { Recording second; }), "a recording is already running"));
  const Tensor x = zeros({1});
  first.stop();
  CHECK(first.trace()->size() > 0);
  Recording third;
  third.stop();
}

TEST_CASE("a recording ends at its limit and says so, and the program goes on") {
  const TempFile file("t.trace");
  RecorderOptions options;
  options.most_events = 100;
  Recording recording(file.path(), options);
  for (int i = 0; i < 50; ++i) CHECK_NOTHROW(zeros({2}));
  CHECK(recording.trace()->size() == 100);
  CHECK(contains(error_of([&] { recording.stop(); }), "The recording ended after 100 events, its limit."));
  const LoadedTrace loaded = read_trace(file.path());
  CHECK(loaded.trace->size() == 100);
  CHECK(contains(loaded.problems.at(0), "its limit"));
}

std::string last_warning;

TEST_CASE("a full disk ends the recording, not the program") {
  const WarningHandler before =
      set_warning_handler([](const std::string& message) { last_warning = message; });
  {
    Recording recording("/dev/full");
    for (int i = 0; i < 1000; ++i) zeros({2});
    mark("flushed");
  }
  CHECK(contains(last_warning, "the recording is not complete: cannot write '/dev/full'"));
  set_warning_handler(before);
  CHECK_THROWS_AS(Recording("no/such/folder/t.trace"), TraceFileError);
  CHECK(observer() == nullptr);
}

TEST_CASE("a program that is killed leaves a file that is whole up to its last chunk") {
  const TempFile file("t.trace"), copy("copy.trace");
  Recording recording(file.path());
  for (int i = 0; i < 300; ++i) zeros({2});
  copy.write(file.read());
  recording.stop();
  const LoadedTrace loaded = read_trace(copy.path(), {true});
  CHECK(loaded.cut_off);
  CHECK(loaded.trace->size() % 1024 == 0);
  CHECK(loaded.trace->size() + 1024 > recording.trace()->size() - 1024);
  CHECK(contains(loaded.problems.at(0), "the file ends without an end mark"));
}

// Makes tensors, writes through views of them, checks nothing.
void busy_program(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const Tensor x = arange(20);
    add_(slice(x, 0, 3, 9), 1);
    try {
      view(transpose(view(x, {4, 5}), 0, 1), {20});
    } catch (const Error&) {
      mark("refused");
    }
  }
}

TEST_CASE("threads record at once, each with a number, operators and bytes of its own") {
  const TempFile file("t.trace");
  RecorderOptions options;
  options.counts = true;
  Recording recording(file.path(), options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { busy_program(60); });
  for (std::thread& thread : threads) thread.join();
  recording.stop();
  const LoadedTrace loaded = read_trace(file.path());
  const Trace& trace = *loaded.trace;
  CHECK(loaded.problems.empty());
  uint16_t most = 0;
  for (size_t number = 1; number <= trace.size(); ++number) {
    const Event& event = trace.event(number);
    most = std::max(most, event.thread);
    if (event.span != kNone) REQUIRE(trace.spans()[event.span].thread == event.thread);
  }
  CHECK(most == 3);
  for (const OpSpan& span : trace.spans()) {
    REQUIRE(span.last != OpSpan::kOpen);
    if (span.parent != kNone) REQUIRE(trace.spans()[span.parent].last > span.last);
  }
  const World world = trace.world_at(trace.size());
  for (const ObjectId storage : world.storages()) {
    CHECK_FALSE(world.alive(storage));
    const auto values = elements_at<int64_t>(trace, trace.size(), storage, 20);
    for (int64_t i = 0; i < 20; ++i) REQUIRE(values[static_cast<size_t>(i)] == i + (i >= 3 && i < 9));
  }
}

TEST_CASE("recordings may start and stop while other threads run") {
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      while (!done) busy_program(1);
    });
  for (int i = 0; i < 30; ++i) {
    Recording recording;
    busy_program(2);
    recording.stop();
    CHECK(recording.trace()->size() > 0);
    recording.trace()->world_at(recording.trace()->size()).hash();
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cutaway::trace
