#include "io/npz.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "io/limits.h"
#include "tests/io/sample_tensors.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

TEST_CASE(
    "npz: every dtype, shape and order survives writing and reading, stored and deflated, 32 and 64 bit") {
  std::vector<SampleTensor> tensors = sample_tensors(false);
  tensors.push_back(sample_tensor("folder/of fortran", ScalarType::Short, {4, 5}, 77, MemoryOrder::Fortran));
  tensors.push_back(sample_tensor("poids.\u00e9t\u00e9", ScalarType::Half, {3}, 78));
  for (const bool deflate : {false, true}) {
    for (const bool zip64 : {false, true}) {
      CAPTURE(deflate);
      CAPTURE(zip64);
      const TempFile file("x.npz");
      write_npz(file.path(), packed(tensors), {deflate, 6, zip64});
      const auto opened = open_tensor_file(file.path());
      CHECK(opened->format() == FileFormat::Npz);
      REQUIRE(opened->entries().size() == tensors.size());
      for (size_t i = 0; i < tensors.size(); ++i) {
        CHECK(opened->entries()[i].name == tensors[i].name);
        CHECK(opened->entries()[i].compressed == deflate);
        CHECK(difference(*opened, tensors[i]) == "same");
      }
    }
  }
}

TEST_CASE("npz: stored arrays begin at multiples of 64, so they can be mapped in place") {
  const std::vector<SampleTensor> tensors = sample_tensors(false);
  for (const bool zip64 : {false, true}) {
    const TempFile file("x.npz");
    write_npz(file.path(), packed(tensors), {false, 6, zip64});
    const auto opened = open_tensor_file(file.path());
    for (size_t i = 0; i < tensors.size(); ++i) {
      CHECK(opened->entries()[i].file_begin % 64 == 0);
      const MappedRange range = opened->map_bytes(i);
      REQUIRE(range.size() == tensors[i].bytes.size());
      if (range.size() > 0) CHECK(std::memcmp(range.data(), tensors[i].bytes.data(), range.size()) == 0);
    }
  }
}

TEST_CASE("npz: the same tensors give the same bytes") {
  const std::vector<SampleTensor> tensors = sample_tensors(false);
  const TempFile a("x.npz");
  const TempFile b("x.npz");
  write_npz(a.path(), packed(tensors), {true});
  write_npz(b.path(), packed(tensors), {true});
  CHECK(a.read() == b.read());
}

TEST_CASE("npz: more members than 16 bits can count") {
  const TempFile file("many.npz");
  const SampleTensor tensor = sample_tensor("x", ScalarType::Byte, {1}, 1);
  constexpr int kMembers = 70'000;
  NpzWriter writer(file.path());
  PackedTensor one = tensor.packed();
  for (int i = 0; i < kMembers; ++i) {
    one.name = "t" + std::to_string(i);
    writer.add(one);
  }
  writer.finish();
  const auto opened = open_tensor_file(file.path());
  REQUIRE(opened->entries().size() == kMembers);
  CHECK(opened->entries().back().name == "t69999");
  CHECK(opened->entries().back().reason == "");
}

TEST_CASE("npz: any range of a large deflated member equals the array, in any order") {
  const uint32_t seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  SampleTensor tensor = sample_tensor("x", ScalarType::Byte, {20 << 20}, 5);
  for (size_t i = 0; i < tensor.bytes.size(); ++i) {  // half of it packs well, so that blocks differ in size
    if (i / 300'000 % 2 == 0) tensor.bytes[i] = static_cast<std::byte>(i / 1000);
  }
  const TempFile file("x.npz");
  write_npz(file.path(), {tensor.packed()}, {true, 1});
  const auto opened = open_tensor_file(file.path());
  for (int i = 0; i < 300; ++i) {
    const uint64_t begin = random() % tensor.bytes.size();
    const uint64_t length =
        random() % std::min<uint64_t>(tensor.bytes.size() - begin, i % 10 == 0 ? 2 << 20 : 5'000);
    std::vector<std::byte> out(length);
    REQUIRE(opened->read_bytes(0, begin, length, out.data()));
    CAPTURE(begin);
    REQUIRE(std::equal(out.begin(), out.end(), tensor.bytes.begin() + static_cast<std::ptrdiff_t>(begin)));
  }
  CHECK(difference(*opened, tensor) == "same");
}

TEST_CASE("npz: several threads may read one deflated member") {
  const SampleTensor tensor = sample_tensor("x", ScalarType::Int, {1 << 20}, 5);
  const TempFile file("x.npz");
  write_npz(file.path(), {tensor.packed()}, {true, 1});
  const auto opened = open_tensor_file(file.path());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 40; ++i) {
        const uint64_t begin = random() % (tensor.bytes.size() - 1000);
        std::byte out[1000];
        opened->read_bytes(0, begin, 1000, out);
        wrong += std::memcmp(out, tensor.bytes.data() + begin, 1000) != 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("npz: unpacking can be stopped, and goes on from there later") {
  const SampleTensor tensor = sample_tensor("x", ScalarType::Int, {1 << 20}, 5);
  const TempFile file("x.npz");
  write_npz(file.path(), {tensor.packed()}, {true, 1});
  const auto opened = open_tensor_file(file.path());
  char out[4];
  int calls = 0;
  uint64_t last = 0;
  const auto stop_early = [&](uint64_t done, uint64_t total) {
    CHECK(done >= last);
    CHECK(done <= total);
    last = done;
    return ++calls < 3;
  };
  CHECK(!opened->read_bytes(0, tensor.bytes.size() - 4, 4, out, stop_early));
  CHECK(calls == 3);
  CHECK(opened->read_bytes(0, tensor.bytes.size() - 4, 4, out));
  CHECK(std::memcmp(out, tensor.bytes.data() + tensor.bytes.size() - 4, 4) == 0);
}

TEST_CASE("npz: listing reads headers only") {
  const SampleTensor tensor = sample_tensor("x", ScalarType::Int, {4 << 20}, 5);
  for (const bool deflate : {false, true}) {
    const TempFile file("x.npz");
    write_npz(file.path(), {tensor.packed()}, {deflate, 1});
    const auto opened = open_tensor_file(file.path());
    CHECK(opened->file_size() > 10'000'000);
    CHECK(opened->bytes_read() < 10'000);
  }
}

TEST_CASE("npz: a corrupt byte is found by the checksum when all of a member is read") {
  const SampleTensor tensor = sample_tensor("x", ScalarType::Int, {300'000}, 5);
  for (const bool deflate : {false, true}) {
    CAPTURE(deflate);
    const TempFile file("x.npz");
    write_npz(file.path(), {tensor.packed()}, {deflate, 1});
    std::string bytes = file.read();
    bytes[bytes.size() / 2] ^= 1;
    file.write(bytes);
    const auto opened = open_tensor_file(file.path());
    REQUIRE(opened->entries()[0].reason == "");
    const std::string message = error_of([&] { opened->read_all(0); });
    const bool told =
        contains(message, "fails its checksum") || contains(message, "deflate stream is damaged");
    CHECK(told);
    CHECK(contains(message, "x.npz"));
    if (deflate) CHECK(error_of([&] { opened->read_all(0); }) != "");  // and again
    std::byte first[4];
    if (!deflate) CHECK(opened->read_bytes(0, 0, 4, first));  // a range is given as it is
  }
}

TEST_CASE("npz: names must be usable and unique when writing") {
  const TempFile file("x.npz");
  SampleTensor tensor = sample_tensor("", ScalarType::Int, {2}, 5);
  CHECK_THROWS_AS(write_npz(file.path(), {tensor.packed()}), ValueError);
  tensor.name = "\xff";
  CHECK_THROWS_AS(write_npz(file.path(), {tensor.packed()}), ValueError);
  tensor.name = "x";
  CHECK(contains(error_of([&] {
                   write_npz(file.path(), {tensor.packed(), tensor.packed()});
                 }),
                 "'x' is used twice"));
  CHECK(!std::filesystem::exists(file.path()));
  write_npz(file.path(), {});
  CHECK(open_tensor_file(file.path())->entries().empty());
}

}  // namespace cutaway::io
