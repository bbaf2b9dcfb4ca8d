#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "core/error.h"
#include "tests/trace/random_trace.h"

namespace cutaway::trace {
namespace {

// Compares a range of a storage at time t with the model.
void check_range(const RandomTrace& random, ObjectId storage, size_t t, uint64_t begin, uint64_t end) {
  const ModelBytes& model = random.bytes_at(storage, t);
  std::vector<std::byte> out(end - begin);
  std::vector<ByteState> known(end - begin);
  random.trace()->bytes_at(t, storage, begin, out, known);
  size_t writer = 0;
  for (uint64_t i = begin; i < end; ++i) {
    const bool inside = i < model.bytes.size();
    const ByteState state = inside ? model.known[i] : ByteState::NotRecorded;
    REQUIRE(known[i - begin] == state);
    REQUIRE(out[i - begin] == (state == ByteState::Known ? model.bytes[i] : std::byte{0}));
    if (inside) writer = std::max(writer, model.writer[i]);
  }
  REQUIRE(random.trace()->last_write_to(t, storage, begin, end) == writer);
}

void check_against_model(uint64_t seed, uint64_t largest, size_t steps, int queries) {
  CAPTURE(seed);
  CAPTURE(largest);
  RandomTrace random(seed, largest);
  random.steps(steps);
  const auto storages = random.storages();
  for (int i = 0; i < queries; ++i) {
    const ObjectId storage = storages[random.below(storages.size())];
    const size_t t = random.below(random.trace()->size() + 1);
    const uint64_t size = random.bytes_at(storage, t).bytes.size() + 5;
    const uint64_t begin = random.below(size);
    const uint64_t end =
        begin + (random.below(2) ? random.below(size - begin + 1) : std::min<uint64_t>(8, size - begin));
    CAPTURE(storage);
    CAPTURE(t);
    CAPTURE(begin);
    CAPTURE(end);
    check_range(random, storage, t, begin, end);
  }
}

TEST_CASE("bytes at every moment equal a brute-force model: small storages") {
  for (uint64_t seed = 100; seed < 110; ++seed) check_against_model(seed, 300, 1500, 1500);
}

TEST_CASE("bytes at every moment equal a brute-force model: storages of several pages") {
  for (uint64_t seed = 200; seed < 204; ++seed) check_against_model(seed, 20'000, 700, 500);
}

TEST_CASE("bytes at every moment equal a brute-force model: storages of several levels of pages") {
  for (uint64_t seed = 300; seed < 302; ++seed) check_against_model(seed, 300'000, 200, 150);
}

TEST_CASE("all bytes of all storages at every moment, forward and backward") {
  RandomTrace random(400, 9000);
  random.steps(250);
  for (const bool backward : {false, true})
    for (size_t i = 0; i <= random.trace()->size(); ++i) {
      const size_t t = backward ? random.trace()->size() - i : i;
      for (const ObjectId storage : random.storages())
        check_range(random, storage, t, 0, random.bytes_at(storage, t).bytes.size());
    }
}

StorageFacts storage_facts(ObjectId id, uint64_t nbytes, bool initialised = false) {
  StorageFacts f;
  f.storage = id;
  f.nbytes = nbytes;
  f.allocator = "cpu";
  f.initialised = initialised;
  return f;
}

WriteFacts write_facts(ObjectId storage, uint64_t begin, uint64_t end) {
  WriteFacts f;
  f.storage = storage;
  f.begin = begin;
  f.end = end;
  return f;
}

// Returns: the one state of all bytes of the range.
ByteState state_of(const Trace& trace, size_t t, ObjectId storage, uint64_t begin, uint64_t end) {
  std::vector<std::byte> out(end - begin);
  std::vector<ByteState> known(end - begin);
  trace.bytes_at(t, storage, begin, out, known);
  CHECK(std::count(known.begin(), known.end(), known[0]) == static_cast<ptrdiff_t>(known.size()));
  return known[0];
}

TEST_CASE("hundreds of writes to one page are read exactly, and each is found as the last of its bytes") {
  TraceBuilder builder;
  builder.storage_allocated(storage_facts(1, 4096));
  std::vector<std::byte> model(4096);
  for (uint64_t i = 0; i < 4096; i += 8) {
    const std::vector<std::byte> bytes(8, static_cast<std::byte>(i / 8));
    builder.written(write_facts(1, i, i + 8), 0, bytes);
    std::copy(bytes.begin(), bytes.end(), model.begin() + static_cast<ptrdiff_t>(i));
  }
  const Trace& trace = *builder.trace();
  std::vector<std::byte> out(4096);
  std::vector<ByteState> known(4096);
  trace.bytes_at(trace.size(), 1, 0, out, known);
  CHECK(out == model);
  CHECK(std::count(known.begin(), known.end(), ByteState::Known) == 4096);
  CHECK(trace.last_write_to(trace.size(), 1, 0, 8) == 2);
  CHECK(trace.last_write_to(trace.size(), 1, 800, 816) == 2 + 101);
  CHECK(trace.last_write_to(50, 1, 800, 816) == 0);
}

TEST_CASE("beyond the cap contents are not recorded, and what was recorded stays exact") {
  TraceBuilder builder;
  builder.set_byte_cap(3 * 4096 + 100);
  builder.storage_allocated(storage_facts(1, 64 * 4096));
  std::vector<std::byte> pages(64 * 4096);
  for (size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<std::byte>(i / 4096 + i);
  builder.written(write_facts(1, 0, pages.size()), 0, pages);
  const Trace& trace = *builder.trace();
  CHECK_FALSE(trace.write(trace.event(2).detail).bytes_recorded);
  CHECK(state_of(trace, 2, 1, 0, 3 * 4096) == ByteState::Known);
  CHECK(state_of(trace, 2, 1, 3 * 4096, 64 * 4096) == ByteState::NotRecorded);
  CHECK(trace.bytes_kept() == 3 * 4096);
  builder.written(write_facts(1, 0, 100), 0, std::span(pages).first(100));
  builder.written(write_facts(1, 0, 1), 0, std::span(pages).first(1));
  CHECK(state_of(trace, 3, 1, 0, 100) == ByteState::Known);
  CHECK(state_of(trace, 4, 1, 0, 1) == ByteState::NotRecorded);
  CHECK(state_of(trace, 3, 1, 0, 1) == ByteState::Known);
}

TEST_CASE("equal pages are kept once") {
  TraceBuilder builder;
  builder.storage_allocated(storage_facts(1, 1 << 20));
  const std::vector<std::byte> zeros(1 << 20);
  for (int i = 0; i < 100; ++i) builder.written(write_facts(1, 0, zeros.size()), 0, zeros);
  CHECK(builder.trace()->bytes_kept() == 4096);
  CHECK(state_of(*builder.trace(), 101, 1, 0, 1 << 20) == ByteState::Known);
}

TEST_CASE("a storage of many gigabytes costs nothing until its bytes are written") {
  TraceBuilder builder;
  constexpr uint64_t kHuge = 40ull << 40;
  builder.storage_allocated(storage_facts(1, kHuge));
  const std::byte byte{42};
  builder.written(write_facts(1, kHuge - 1, kHuge), 0, {&byte, 1});
  builder.written(write_facts(1, 0, kHuge / 2), 0, {});
  const Trace& trace = *builder.trace();
  CHECK(state_of(trace, 3, 1, kHuge - 1, kHuge) == ByteState::Known);
  CHECK(state_of(trace, 3, 1, kHuge - 100, kHuge - 1) == ByteState::Uninitialised);
  CHECK(state_of(trace, 3, 1, kHuge / 2 - 10, kHuge / 2) == ByteState::NotRecorded);
  CHECK(state_of(trace, 2, 1, kHuge / 2 - 10, kHuge / 2 + 10) == ByteState::Uninitialised);
  CHECK(trace.last_write_to(3, 1, 0, kHuge) == 3);
  CHECK(trace.last_write_to(3, 1, kHuge / 2, kHuge) == 2);
}

TEST_CASE("a provider answers for the bytes that are not in the trace, in as few runs as there are") {
  TraceBuilder builder;
  builder.storage_allocated(storage_facts(7, 100'000, true));
  std::vector<std::pair<uint64_t, size_t>> asked;
  const auto provide = [&](ObjectId storage, uint64_t begin, std::span<std::byte> out) {
    CHECK(storage == 7);
    asked.emplace_back(begin, out.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>((begin + i) % 251);
  };
  CHECK(state_of(*builder.trace(), 1, 7, 0, 100'000) == ByteState::NotRecorded);
  SUBCASE("of that storage") { builder.set_provider(7, provide); }
  SUBCASE("of all storages") { builder.set_provider(provide); }
  const std::byte changed[] = {std::byte{1}, std::byte{2}};
  builder.written(write_facts(7, 50'000, 50'002), 0, changed);
  std::vector<std::byte> out(60'000);
  std::vector<ByteState> known(60'000);
  builder.trace()->bytes_at(2, 7, 20'000, out, known);
  CHECK(std::count(known.begin(), known.end(), ByteState::Known) == 60'000);
  CHECK(asked == std::vector<std::pair<uint64_t, size_t>>{{20'000, 30'000}, {50'002, 29'998}});
  CHECK(out[0] == static_cast<std::byte>(20'000 % 251));
  CHECK(out[30'000] == changed[0]);
  CHECK(out[30'001] == changed[1]);
  CHECK(out[30'002] == static_cast<std::byte>(50'002 % 251));
  builder.trace()->bytes_at(1, 7, 50'000, std::span(out).first(2), std::span(known).first(2));
  CHECK(out[0] == static_cast<std::byte>(50'000 % 251));
  CHECK_THROWS_AS(builder.set_provider(8, provide), ValueError);
}

TEST_CASE("memory that changed unseen shows its old bytes from the event before the next write on") {
  TraceBuilder builder;
  const std::byte first[] = {std::byte{1}, std::byte{1}, std::byte{1}, std::byte{1}};
  builder.storage_allocated(storage_facts(1, 4, true), first);
  builder.mark("between");
  const std::byte old[] = {std::byte{1}, std::byte{9}, std::byte{1}, std::byte{1}};
  const std::byte now[] = {std::byte{5}, std::byte{5}, std::byte{5}, std::byte{5}};
  builder.written(write_facts(1, 0, 4), 0, now, old);
  std::byte out[4];
  ByteState known[4];
  const auto at = [&](size_t t) {
    builder.trace()->bytes_at(t, 1, 0, out, known);
    return static_cast<int>(out[1]);
  };
  CHECK(at(1) == 1);
  CHECK(at(2) == 9);
  CHECK(at(3) == 5);
  CHECK(builder.trace()->last_write_to(2, 1, 0, 4) == 0);
}

TEST_CASE("bytes may be read on other threads while the trace grows") {
  RandomTrace random(500, 20'000);
  random.steps(300);
  const auto trace = random.trace();
  const size_t t = trace->size();
  const auto storages = random.storages();
  std::vector<ModelBytes> expected;
  for (const ObjectId storage : storages) expected.push_back(random.bytes_at(storage, t - 1));
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&] {
      while (!done)
        for (size_t s = 0; s < storages.size(); ++s) {
          std::vector<std::byte> out(expected[s].bytes.size());
          std::vector<ByteState> known(out.size());
          trace->bytes_at(t - 1, storages[s], 0, out, known);
          CHECK(known == expected[s].known);
          trace->last_write_to(t - 1, storages[s], 0, out.size());
        }
    });
  random.steps(3000);
  done = true;
  for (std::thread& reader : readers) reader.join();
}

TEST_CASE("bytes of nobody's storage are not recorded") {
  TraceBuilder builder;
  builder.mark("alone");
  CHECK(state_of(*builder.trace(), 1, 99, 0, 10) == ByteState::NotRecorded);
  CHECK(builder.trace()->last_write_to(1, 99, 0, 10) == 0);
}

}  // namespace
}  // namespace cutaway::trace
