#include "trace/trace_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "tests/io/temp_file.h"
#include "tests/trace/random_trace.h"

namespace cutaway::trace {
namespace {

using io::contains;
using io::error_of;
using io::TempFile;

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Returns: the file that write_trace makes.
std::string written(const Trace& trace) {
  const TempFile file("t.trace");
  write_trace(trace, file.path());
  return file.read();
}

LoadedTrace read(const std::string& bytes, bool partial = false) {
  return read_trace(bytes_of(bytes), "t.trace", {partial});
}

// A handful of events of every kind.
void tell_small(TraceBuilder& builder) {
  builder.set_source(builder.source_index("demo.cpp", 12, "Tensor x = arange(6);"));
  builder.op_begin("arange", "arange(6)");
  StorageFacts storage;
  storage.storage = 1;
  storage.nbytes = 24;
  storage.allocator = "cpu";
  builder.storage_allocated(storage);
  const int64_t sizes[] = {2, 3}, strides[] = {3, 1};
  TensorFacts tensor;
  tensor.tensor = 2;
  tensor.storage = 1;
  tensor.version_counter = 3;
  tensor.sizes = {sizes, 2};
  tensor.strides = {strides, 2};
  tensor.dtype = ScalarType::Float;
  builder.tensor_made(tensor);
  WriteFacts write;
  write.storage = 1;
  write.tensor = 2;
  write.end = 24;
  const std::vector<std::byte> bytes(24, std::byte{7});
  builder.written(write, 0, bytes);
  builder.op_end();
  builder.tensor_named(2, "x");
  builder.counts_changed(2, 1, 1);
  builder.version_changed(3, 1);
  tensor.tensor = 4;
  builder.tensor_made(tensor);
  ViewFacts view;
  view.result = 4;
  view.source = 2;
  view.op = "detach";
  builder.view_made(view);
  builder.tensor_changed(tensor);
  builder.error("RuntimeError", "no");
  builder.mark("End\nof it");
  storage.nbytes = 48;
  builder.storage_resized(1, storage);
  builder.tensor_released(2);
  builder.storage_freed(1);
}

std::string small_file() {
  TraceBuilder builder;
  tell_small(builder);
  builder.add_note("Left out nothing.");
  return written(*builder.trace());
}

void check_equal(const Trace& a, const Trace& b) {
  REQUIRE(a.size() == b.size());
  for (size_t number = 1; number <= a.size(); ++number) {
    const Event &x = a.event(number), &y = b.event(number);
    CAPTURE(number);
    REQUIRE(x.kind == y.kind);
    REQUIRE(x.thread == y.thread);
    REQUIRE(x.span == y.span);
    REQUIRE(x.object == y.object);
    REQUIRE(a.describe(number) == b.describe(number));
    REQUIRE(a.source_line(x.source).text == b.source_line(y.source).text);
    REQUIRE(a.source_line(x.source).line == b.source_line(y.source).line);
    REQUIRE(a.world_at(number).hash() == b.world_at(number).hash());
  }
  CHECK(std::equal(a.marks().begin(), a.marks().end(), b.marks().begin(), b.marks().end()));
  REQUIRE(a.spans().size() == b.spans().size());
  for (size_t i = 0; i < a.spans().size(); ++i) {
    CHECK(a.spans()[i].call == b.spans()[i].call);
    CHECK(a.spans()[i].first == b.spans()[i].first);
    CHECK(a.spans()[i].last == b.spans()[i].last);
    CHECK(a.spans()[i].parent == b.spans()[i].parent);
    CHECK(a.spans()[i].depth == b.spans()[i].depth);
  }
}

void check_same_bytes(RandomTrace& random, const Trace& other, int queries) {
  const auto storages = random.storages();
  for (int i = 0; i < queries; ++i) {
    const ObjectId storage = storages[random.below(storages.size())];
    const size_t t = random.below(other.size() + 1);
    const uint64_t n = random.bytes_at(storage, t).bytes.size();
    std::vector<std::byte> a(n), b(n);
    std::vector<ByteState> known_a(n), known_b(n);
    random.trace()->bytes_at(t, storage, 0, a, known_a);
    other.bytes_at(t, storage, 0, b, known_b);
    REQUIRE(known_a == known_b);
    REQUIRE(a == b);
    REQUIRE(random.trace()->last_write_to(t, storage, 0, n) == other.last_write_to(t, storage, 0, n));
  }
}

TEST_CASE("a trace comes back from its file equal in every event, state and byte") {
  for (const uint64_t seed : {1, 2, 3}) {
    CAPTURE(seed);
    RandomTrace random(seed, seed == 3 ? 30'000 : 300);
    random.steps(1500);
    random.builder().finish();
    const std::string file = written(*random.trace());
    const LoadedTrace loaded = read(file);
    CHECK(loaded.problems.empty());
    check_equal(*random.trace(), *loaded.trace);
    check_same_bytes(random, *loaded.trace, 300);
    CHECK(written(*loaded.trace) == file);
  }
}

TEST_CASE("equal pages are in the file once, and contents beyond the cap stay unrecorded in it") {
  TraceBuilder builder;
  builder.set_byte_cap(20 * 4096);
  StorageFacts storage;
  storage.storage = 1;
  storage.nbytes = 400 * 4096;
  storage.allocator = "cpu";
  builder.storage_allocated(storage);
  WriteFacts write;
  write.storage = 1;
  write.end = storage.nbytes;
  std::vector<std::byte> bytes(storage.nbytes, std::byte{3});
  for (int i = 0; i < 20; ++i) builder.written(write, 0, bytes);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i % 2 ? i / 4096 : i / 4096 / 256 + 1);
  builder.written(write, 0, bytes);
  const std::string file = written(*builder.trace());
  CHECK(file.size() < 200'000);
  const LoadedTrace loaded = read(file);
  std::vector<std::byte> out(bytes.size());
  std::vector<ByteState> known(bytes.size());
  loaded.trace->bytes_at(22, 1, 0, out, known);
  CHECK(std::count(known.begin(), known.end(), ByteState::Known) == 19 * 4096);
  CHECK(std::equal(out.begin(), out.begin() + 19 * 4096, bytes.begin()));
  loaded.trace->bytes_at(21, 1, 0, out, known);
  CHECK(std::count(out.begin(), out.end(), std::byte{3}) == static_cast<ptrdiff_t>(out.size()));
  CHECK_FALSE(loaded.trace->write(loaded.trace->event(22).detail).bytes_recorded);
  CHECK(loaded.trace->write(loaded.trace->event(21).detail).bytes_recorded);
}

TEST_CASE("the same events give the same file") { CHECK(small_file() == small_file()); }

TEST_CASE(
    "a trace cut off at any byte is an error with its offset, or whole up to its last chunk when asked") {
  RandomTrace random(7);
  random.steps(1100);  // two chunks
  random.builder().finish();
  const std::string file = written(*random.trace());
  size_t readable = 0;
  for (size_t length = 0; length < file.size();
       length += length < 2000 || length + 2000 > file.size() ? 1 : 97) {
    CAPTURE(length);
    const std::string part = file.substr(0, length);
    const std::string message = error_of([&] { read(part); });
    REQUIRE(contains(message, "cannot read 't.trace': at byte " + std::to_string(length) + ": the file "));
    LoadedTrace loaded;
    if (!error_of([&] { loaded = read(part, true); }).empty()) continue;
    ++readable;
    REQUIRE(loaded.cut_off);
    REQUIRE(loaded.problems.size() == 1);
    REQUIRE((loaded.trace->size() == 1024 || loaded.trace->size() == random.trace()->size()));
    REQUIRE(loaded.trace->world_at(loaded.trace->size()).hash() ==
            random.trace()->world_at(loaded.trace->size()).hash());
  }
  CHECK(readable > 1000);
}

TEST_CASE("a flipped bit anywhere in a trace is an error that names a byte in the file") {
  const std::string file = small_file();
  for (size_t at = 0; at < file.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      CAPTURE(at);
      std::string flipped = file;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      bool refused = false;
      try {
        read(flipped);
      } catch (const TraceFileError& error) {
        refused = true;
        REQUIRE(error.offset() <= file.size());
        REQUIRE(contains(error.message(), "at byte " + std::to_string(error.offset())));
      }
      REQUIRE(refused);
    }
}

TEST_CASE("a damaged chunk leaves those in front of it readable when asked") {
  RandomTrace random(9);
  random.steps(2500);
  std::string file = written(*random.trace());
  file[file.size() * 2 / 3] ^= 1;
  const std::string message = error_of([&] { read(file); });
  CHECK(contains(message, "the checksum of the part that begins here does not match"));
  CHECK(contains(message, "The 1024 events before it are whole; --partial shows them."));
  const LoadedTrace loaded = read(file, true);
  CHECK(loaded.trace->size() == 1024);
  CHECK_FALSE(loaded.cut_off);
  REQUIRE(loaded.problems.size() == 1);
  CHECK(contains(loaded.problems[0], "Shown are the 1024 events before it."));
}

TEST_CASE("what is no trace, or a newer one, is refused in words") {
  const std::string file = small_file();
  CHECK(contains(error_of([&] { read("PK\3\4 something else entirely"); }),
                 "at byte 0: this is no Cutaway trace"));
  CHECK(contains(error_of([&] { read("short"); }), "at byte 0: this is no Cutaway trace"));
  CHECK(contains(error_of([&] { read(""); }), "at byte 0: the file is empty"));
  std::string newer = file;
  newer[8] = 9;
  CHECK(
      contains(error_of([&] { read(newer); }),
               "at byte 8: it is a trace of version 9, this program reads version 1. Use a newer Cutaway."));
  std::string flagged = file;
  flagged[13] = 1;
  CHECK(contains(error_of([&] { read(flagged); }), "at byte 12: "));
  CHECK(contains(error_of([&] { read(file + "more"); }), "4 bytes follow the end mark"));
  CHECK(looks_like_trace(bytes_of(file)));
  CHECK_FALSE(looks_like_trace(bytes_of("CUTAWA")));
}

TEST_CASE("a path that cannot be read is refused with the reason") {
  CHECK(contains(error_of([] { read_trace("no/such.trace"); }), "cannot read 'no/such.trace': No such file"));
  const TempFile file("t.trace");
  CHECK(contains(error_of([&] { read_trace(file.folder()); }), "it is a directory"));
  CHECK(contains(error_of([] { read_trace("/dev/null"); }), "it is no regular file"));
  CHECK(contains(error_of([] { TraceWriter("no/such/folder/t.trace"); }),
                 "cannot write 'no/such/folder/t.trace': at byte 0: No such file"));
  CHECK(contains(error_of([&] {
                   RandomTrace random(5);
                   random.steps(200);
                   write_trace(*random.trace(), "/dev/full");
                 }),
                 "No space left on device"));
}

TEST_CASE("reading may stop after so many events, and what follows is not looked at") {
  RandomTrace random(17);
  random.steps(2500);
  random.builder().finish();
  std::string file = written(*random.trace());
  file.back() ^= 1;
  for (const size_t until : {1, 500, 1024, 1500, 2048}) {
    const LoadedTrace loaded = read_trace(bytes_of(file), "t.trace", {false, until});
    CHECK(loaded.trace->size() == until);
    CHECK(loaded.problems.empty());
    CHECK(loaded.trace->world_at(until).hash() == random.trace()->world_at(until).hash());
  }
}

TEST_CASE("notes travel with the file") {
  const LoadedTrace loaded = read(small_file());
  REQUIRE(loaded.trace->notes().size() == 1);
  CHECK(loaded.trace->notes()[0] == "Left out nothing.");
  CHECK(loaded.problems == std::vector<std::string>{"Left out nothing."});
}

TEST_CASE("an opened trace goes on growing") {
  const LoadedTrace loaded = read(small_file());
  const size_t before = loaded.trace->size();
  StorageFacts storage;
  storage.storage = 100;
  storage.nbytes = 10;
  storage.allocator = "cpu";
  const std::vector<std::byte> bytes(10, std::byte{1});
  loaded.builder->storage_allocated(storage, bytes);
  CHECK(loaded.trace->size() == before + 1);
  CHECK(loaded.trace->world_at(before + 1).storage(100)->nbytes == 10);
  CHECK(read(written(*loaded.trace)).trace->size() == before + 1);
}

TEST_CASE("a trace written in parts while it grows reads the same as one written at once") {
  RandomTrace random(13);
  const TempFile file("t.trace");
  TraceWriter writer(file.path());
  for (int i = 0; i < 40; ++i) {
    random.steps(70);
    writer.append(*random.trace(), i % 10 == 0);
    const LoadedTrace so_far = read_trace(file.path(), {true});
    CHECK(so_far.cut_off);
    CHECK(so_far.trace->size() <= random.trace()->size());
    if (i % 10 == 0) CHECK(so_far.trace->size() == random.trace()->size());
  }
  random.builder().finish();
  writer.finish(*random.trace());
  check_equal(*random.trace(), *read_trace(file.path()).trace);
}

}  // namespace
}  // namespace cutaway::trace
