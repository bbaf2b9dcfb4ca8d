#include "io/mapped_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "io/file_error.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

TEST_CASE("a file gives any range of its bytes, read or mapped") {
  std::string bytes(20'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  const TempFile file("a.bin", bytes);
  const auto mapped = MappedFile::open(file.path());
  CHECK(mapped->size() == bytes.size());
  CHECK(mapped->bytes_read() == 0);
  CHECK(mapped->read_text(0, bytes.size()) == bytes);
  CHECK(mapped->read_text(4095, 3) == bytes.substr(4095, 3));
  CHECK(mapped->read_text(bytes.size(), 0).empty());
  CHECK(mapped->bytes_read() == bytes.size() + 3);

  const MappedRange range = mapped->map(5001, 9000);  // begins inside a page
  REQUIRE(range.size() == 9000);
  CHECK(std::memcmp(range.data(), bytes.data() + 5001, 9000) == 0);
  CHECK(mapped->map(17, 0).size() == 0);
}

TEST_CASE("a mapped range outlives its file object, and can be moved") {
  const TempFile file("a.bin", "0123456789");
  MappedRange kept;
  {
    MappedRange range = MappedFile::open(file.path())->map(2, 4);
    kept = std::move(range);
  }
  CHECK(std::string(reinterpret_cast<const char*>(kept.data()), kept.size()) == "2345");
}

TEST_CASE("a range outside the file is an error that names the file, the byte and both sizes") {
  const TempFile file("short.bin", "0123456789");
  const auto mapped = MappedFile::open(file.path());
  struct Range {
    uint64_t offset;
    uint64_t length;
  };
  for (const Range range : {Range{8, 3}, Range{11, 0}, Range{UINT64_MAX, 1}, Range{1, UINT64_MAX}}) {
    CAPTURE(range.offset);
    CHECK_THROWS_AS(mapped->read_text(range.offset, range.length), FileError);
    CHECK_THROWS_AS(mapped->map(range.offset, range.length), FileError);
  }
  const std::string message = error_of([&] { mapped->read_text(8, 3); });
  CHECK(contains(message, "short.bin'"));
  CHECK(contains(message, "at byte 8"));
  CHECK(contains(message, "3 bytes are needed from here and the file has 10"));
}

TEST_CASE("what is no readable file is refused, each kind in its own words") {
  const TempFile file("empty.bin", "");
  CHECK(contains(error_of([&] { MappedFile::open(file.path()); }), "it is empty"));
  CHECK(contains(error_of([&] { MappedFile::open(file.folder()); }), "it is a directory"));
  CHECK(
      contains(error_of([&] { MappedFile::open(file.folder() + "/nothing.npy"); }), "there is no such file"));
  CHECK(contains(error_of([&] { MappedFile::open("/dev/null"); }), "it is a device"));
  const std::string pipe = file.folder() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(contains(error_of([&] { MappedFile::open(pipe); }), "it is a pipe"));
  if (::geteuid() != 0) {  // root may read everything
    file.write("secret");
    REQUIRE(::chmod(file.path().c_str(), 0) == 0);
    CHECK(contains(error_of([&] { MappedFile::open(file.path()); }), "permission denied"));
  }
}

TEST_CASE("a file that becomes shorter while it is open gives an error, not a signal") {
  const TempFile file("shrinks.bin", std::string(100'000, 'x'));
  const auto mapped = MappedFile::open(file.path());
  REQUIRE(::truncate(file.path().c_str(), 5'000) == 0);
  CHECK(mapped->read_text(0, 5'000).size() == 5'000);
  CHECK(contains(error_of([&] { mapped->read_text(4'000, 50'000); }),
                 "has become shorter since it was opened"));
  CHECK(contains(error_of([&] { mapped->read_text(50'000, 10); }), "has become shorter"));
  CHECK(contains(error_of([&] { mapped->map(4'000, 50'000); }), "has become shorter"));
}

TEST_CASE("long reads ask whether to go on, and stop") {
  const TempFile file("long.bin", std::string(40u << 20, 'x'));
  const auto mapped = MappedFile::open(file.path());
  std::string out(mapped->size(), '\0');
  int calls = 0;
  const bool finished = mapped->read(0, out.size(), out.data(), [&](uint64_t done, uint64_t total) {
    CHECK(total == out.size());
    CHECK(done <= total);
    return ++calls < 2;
  });
  CHECK(!finished);
  CHECK(calls == 2);
  CHECK(mapped->bytes_read() < out.size());
}

}  // namespace cutaway::io
