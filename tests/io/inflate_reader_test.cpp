#include "io/inflate_reader.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include "io/limits.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

namespace {

std::string deflated(const std::string& data, int level = 1) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

ZipMember member_of(const std::string& data, const std::string& packed) {
  ZipMember member;
  member.name = "m";
  member.method = kZipDeflated;
  member.crc32 = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
  member.packed_nbytes = packed.size();
  member.unpacked_nbytes = data.size();
  return member;
}

// Text that packs to about a third, different everywhere.
std::string words(size_t length) {
  std::string text;
  for (uint32_t i = 1; text.size() < length; ++i) text += std::to_string(i * 2654435761u) + " ";
  text.resize(length);
  return text;
}

std::string read_error(const std::string& packed, const ZipMember& member) {
  const TempFile file("x.bin", packed);
  InflateReader reader(MappedFile::open(file.path()), member);
  std::string out(member.unpacked_nbytes, '\0');
  return error_of([&] { reader.read(0, out.size(), out.data()); });
}

}  // namespace

TEST_CASE("inflate: going back starts at a restart point, not at the start") {
  const std::string data = words(12u << 20);
  const std::string packed = deflated(data);
  const TempFile file("x.bin", packed);
  const auto mapped = MappedFile::open(file.path());
  InflateReader reader(mapped, member_of(data, packed));
  REQUIRE(reader.verify());
  CHECK(reader.restart_points() > 8);
  CHECK(mapped->bytes_read() <= packed.size());
  const uint64_t before = mapped->bytes_read();
  char out[100];
  REQUIRE(reader.read(data.size() - 3'000'000, 100, out));
  CHECK(std::string(out, 100) == data.substr(data.size() - 3'000'000, 100));
  CHECK(mapped->bytes_read() - before < packed.size() / 5);
}

TEST_CASE("inflate: the number of restart points stays bounded, and all of them work") {
  const std::string data = words(24u << 20);
  const std::string packed = deflated(data);
  const TempFile file("x.bin", packed);
  constexpr uint64_t kSpacing = 32u << 10;  // 768 points if all were kept
  InflateReader reader(MappedFile::open(file.path()), member_of(data, packed), kSpacing);
  REQUIRE(reader.verify());
  CHECK(reader.restart_points() <= kMaxRestartPoints);
  CHECK(reader.restart_points() > kMaxRestartPoints / 3);
  char out[64];
  for (uint64_t at = 0; at + 64 < data.size(); at += 777'777) {
    REQUIRE(reader.read(at, 64, out));
    CHECK(std::string_view(out, 64) == std::string_view(data).substr(at, 64));
  }
}

TEST_CASE("inflate: a stream that is damaged, too short or too long is an error") {
  const std::string data = words(600'000);
  const std::string packed = deflated(data);
  CHECK(read_error(packed, member_of(data, packed)) == "");

  ZipMember wrong = member_of(data, packed);
  wrong.crc32 ^= 1;
  CHECK(contains(read_error(packed, wrong), "fails its checksum"));

  ZipMember longer = member_of(data, packed);
  longer.unpacked_nbytes += 1;
  CHECK(contains(read_error(packed, longer), "unpacks to 600000 bytes instead of 600001"));

  ZipMember shorter = member_of(data, packed);
  shorter.unpacked_nbytes -= 1;
  CHECK(contains(read_error(packed, shorter), "unpacks to more than the 599999 bytes it claims"));

  ZipMember cut = member_of(data, packed);
  cut.packed_nbytes -= 100;
  CHECK(contains(read_error(packed, cut), "the deflate stream ends too early"));

  std::string flipped = packed;
  flipped[0] |= 6;  // a block of a kind that does not exist
  CHECK(contains(read_error(flipped, member_of(data, flipped)),
                 "the deflate stream is damaged (invalid block type)"));
}

TEST_CASE("inflate: blocks that unpack to nothing end") {
  std::string packed;
  for (int i = 0; i < 100'000; ++i) packed.append("\0\0\0\xff\xff", 5);  // stored blocks of no bytes
  packed.append("\1\1\0\xfe\xffx", 6);                                   // the last, of one byte
  CHECK(read_error(packed, member_of("x", packed)) == "");
}

}  // namespace cutaway::io
