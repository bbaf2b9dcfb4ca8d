#include "trace/replay.h"

#include <doctest/doctest.h>

#include <thread>

#include "core/error.h"
#include "tests/trace/random_trace.h"

namespace cutaway::trace {
namespace {

TEST_CASE("the state at every event is the same stepping out, stepping back, and from a fresh replay") {
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    CAPTURE(seed);
    RandomTrace random(seed);
    random.steps(600);
    const auto trace = random.trace();
    std::vector<uint64_t> out;
    Replay replay(*trace);
    out.push_back(replay.world().hash());
    while (replay.time() < trace->size()) {
      replay.step_forward();
      out.push_back(replay.world().hash());
    }
    for (size_t t = trace->size(); t > 0; --t) {
      REQUIRE(replay.world().hash() == out[t]);
      replay.step_back();
    }
    CHECK(replay.world().hash() == out[0]);
    for (size_t t = 0; t <= trace->size(); ++t) {
      Replay fresh(*trace);
      while (fresh.time() < t) fresh.step_forward();
      REQUIRE(fresh.world().hash() == out[t]);
    }
  }
}

TEST_CASE("every event that changes the state changes its hash") {
  RandomTrace random(11);
  random.steps(500);
  const auto trace = random.trace();
  for (size_t number = 1; number <= trace->size(); ++number) {
    const Event& event = trace->event(number);
    const uint64_t before = trace->world_at(number - 1).hash(), after = trace->world_at(number).hash();
    CAPTURE(trace->describe(number));
    switch (event.kind) {
      case EventKind::OpBegin:
      case EventKind::OpEnd:
      case EventKind::Error:
      case EventKind::Mark: CHECK(before == after); break;
      case EventKind::StorageAllocated:
      case EventKind::StorageFreed:
      case EventKind::TensorMade:
      case EventKind::TensorChanged:
      case EventKind::TensorReleased:
      case EventKind::Write: CHECK(before != after); break;
      default: break;  // a name, count or version may be what it was
    }
  }
}

TEST_CASE("seeking over many keyframes reaches what stepping reaches") {
  const uint64_t seed = 21;
  CAPTURE(seed);
  RandomTrace random(seed);
  random.steps(13'000);
  const auto trace = random.trace();
  REQUIRE(trace->size() > 3 * 4096);
  std::vector<uint64_t> hashes{trace->world_at(0).hash()};
  Replay steps(*trace);
  while (steps.time() < trace->size()) {
    steps.step_forward();
    hashes.push_back(steps.time() % 7 == 0 || steps.time() % 4096 < 2 ? steps.world().hash() : 0);
  }
  Replay replay(*trace);
  for (int i = 0; i < 300; ++i) {
    const size_t t = random.below(4) == 0 ? random.below(4) * 4096 : random.below(trace->size()) / 7 * 7;
    replay.seek(t);
    CHECK(replay.time() == t);
    REQUIRE(replay.world().hash() == hashes[t]);
    REQUIRE(trace->world_at(t).hash() == hashes[t]);
  }
}

TEST_CASE("a world stays as it was taken while the replay moves on and the trace grows") {
  RandomTrace random(31);
  random.steps(300);
  Replay replay(*random.trace());
  replay.seek(200);
  const World world = replay.world();
  const uint64_t hash = world.hash();
  replay.seek(0);
  replay.seek(random.trace()->size());
  random.steps(5000);
  replay.seek(random.trace()->size());
  CHECK(world.hash() == hash);
  CHECK(world.time() == 200);
  CHECK(random.trace()->world_at(200).hash() == hash);
}

TEST_CASE("worlds may be read and dropped on other threads while a replay moves") {
  RandomTrace random(41);
  random.steps(3000);
  const auto trace = random.trace();
  const uint64_t expected = trace->world_at(1500).hash();
  Replay replay(*trace);
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    replay.seek(1500);
    readers.emplace_back([world = replay.world(), expected] { CHECK(world.hash() == expected); });
    for (int step = 0; step < 50; ++step) replay.step_back();
  }
  for (std::thread& reader : readers) reader.join();
}

TEST_CASE("a replay refuses to leave the trace") {
  RandomTrace random(51);
  random.steps(10);
  const auto trace = random.trace();
  Replay replay(*trace);
  CHECK_THROWS_AS(replay.step_back(), IndexError);
  CHECK_THROWS_AS(replay.seek(trace->size() + 1), IndexError);
  replay.seek(trace->size());
  CHECK_THROWS_AS(replay.step_forward(), IndexError);
  CHECK_THROWS_AS(trace->event(0), IndexError);
  CHECK_THROWS_AS(trace->event(trace->size() + 1), IndexError);
}

}  // namespace
}  // namespace cutaway::trace
