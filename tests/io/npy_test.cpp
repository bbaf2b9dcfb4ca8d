#include "io/npy.h"

#include <doctest/doctest.h>

#include "io/file_error.h"
#include "io/limits.h"
#include "io/npy_header.h"
#include "tests/io/sample_tensors.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

namespace {

std::string npy_bytes(std::string_view dict, std::string_view data, int major = 1) {
  std::string text(dict);
  std::string bytes(kNpyMagic);
  bytes += static_cast<char>(major);
  bytes += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return bytes + text + std::string(data);
}

std::string dict_of(std::string_view descr, std::string_view shape, std::string_view fortran = "False") {
  return "{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + "}";
}

// Returns: the only entry of an .npy with these bytes.
TensorEntry entry_of(std::string_view bytes) {
  const TempFile file("x.npy", bytes);
  const auto opened = open_tensor_file(file.path());
  CHECK(opened->format() == FileFormat::Npy);
  REQUIRE(opened->entries().size() == 1);
  return opened->entries()[0];
}

std::string error_of_bytes(std::string_view bytes) {
  const TempFile file("x.npy", bytes);
  return error_of([&] { open_tensor_file(file.path()); });
}

}  // namespace

TEST_CASE("npy: every dtype and shape survives writing and reading, in both orders") {
  for (const MemoryOrder order : {MemoryOrder::C, MemoryOrder::Fortran}) {
    for (SampleTensor& tensor : sample_tensors(false)) {
      CAPTURE(tensor.name);
      const TempFile file(tensor.name + ".npy");
      tensor.order = order;
      write_npy(file.path(), tensor.packed());
      const auto opened = open_tensor_file(file.path());
      CHECK(difference(*opened, tensor) == "same");
      CHECK(opened->notes().empty());
      CHECK(opened->entries()[0].file_begin % 64 == 0);
      CHECK(opened->entries()[0].file_end == opened->file_size());
    }
  }
}

TEST_CASE("npy: big-endian numbers arrive little-endian, whatever range is asked for") {
  const std::string data{"\x01\x02\x03\x04\x11\x12\x13\x14\x21\x22\x23\x24", 12};
  const std::string swapped{"\x04\x03\x02\x01\x14\x13\x12\x11\x24\x23\x22\x21", 12};
  const TempFile file("big.npy", npy_bytes(dict_of("'>i4'", "(3,)"), data));
  const auto opened = open_tensor_file(file.path());
  CHECK(opened->entries()[0].byte_order == ByteOrder::Big);
  for (uint64_t begin = 0; begin <= 12; ++begin) {
    for (uint64_t length = 0; begin + length <= 12; ++length) {
      CAPTURE(begin);
      CAPTURE(length);
      std::string out(length, '?');
      REQUIRE(opened->read_bytes(0, begin, length, out.data()));
      CHECK(out == swapped.substr(begin, length));
    }
  }
  CHECK_THROWS_AS(opened->map_bytes(0), ValueError);
}

TEST_CASE("npy: versions 2.0 and 3.0, old integers and other byte-order signs are understood") {
  CHECK(entry_of(npy_bytes(dict_of("'<f8'", "(2,)"), std::string(16, 'x'), 2)).reason == "");
  CHECK(entry_of(npy_bytes(dict_of("'<f8'", "(2,)"), std::string(16, 'x'), 3)).reason == "");
  CHECK(entry_of(npy_bytes(dict_of("'<f8'", "(2L, 1L)"), std::string(16, 'x'))).sizes ==
        std::vector<int64_t>{2, 1});
  CHECK(entry_of(npy_bytes(dict_of("'=f4'", "()"), "xxxx")).dtype == ScalarType::Float);
  CHECK(entry_of(npy_bytes(dict_of("'f4'", "()"), "xxxx")).dtype == ScalarType::Float);
  CHECK(entry_of(npy_bytes(dict_of("'>u1'", "()"), "x")).byte_order == ByteOrder::None);
}

TEST_CASE("npy: a header over 65,535 bytes is written as version 2.0") {
  const std::vector<int64_t> sizes(kMaxRank, 1);
  CHECK(make_npy_header(ScalarType::Float, sizes, MemoryOrder::C)[6] == 1);
  const std::vector<int64_t> many(30'000, 1);  // more than any reader takes, only to see the version
  const std::string header = make_npy_header(ScalarType::Float, many, MemoryOrder::C);
  CHECK(header[6] == 2);
  CHECK(header.size() % 64 == 0);
}

TEST_CASE("npy: strides follow the order, and sizes of 0 count as 1 in them") {
  const auto strides = [](std::string_view shape, std::string_view fortran) {
    return entry_of(npy_bytes(dict_of("'<i2'", shape, fortran), std::string(48, 'x'))).strides;
  };
  CHECK(strides("(2, 3, 4)", "False") == std::vector<int64_t>{12, 4, 1});
  CHECK(strides("(2, 3, 4)", "True") == std::vector<int64_t>{1, 2, 6});
  CHECK(strides("(2, 0, 4)", "False") == std::vector<int64_t>{4, 4, 1});
  CHECK(strides("()", "True").empty());
}

TEST_CASE("npy: dtypes we lack are listed with the reason, and their bytes can be looked at") {
  struct Case {
    const char* descr;
    uint64_t itemsize;
    const char* reason;
  };
  for (const Case& one :
       {Case{"'<u2'", 2, "uint16"}, Case{"'>u8'", 8, "uint64"}, Case{"'<c8'", 8, "complex64"},
        Case{"'<f16'", 16, "float128"}, Case{"'<U3'", 12, "text of 3 characters"},
        Case{"'|S5'", 5, "strings of 5 bytes"}, Case{"'<V2'", 2, "bfloat16"}, Case{"'<M8[ns]'", 8, "dates"},
        Case{"'<m8[us]'", 8, "time differences"},
        Case{"[('x', '<f4'), ('y', '>i2', (3,))]", 10, "records of 2 fields"},
        Case{"('<f4', (2, 3))", 24, "a tuple"}}) {
    CAPTURE(one.descr);
    const TempFile file("x.npy", npy_bytes(dict_of(one.descr, "(2,)"), std::string(2 * one.itemsize, 'x')));
    const auto opened = open_tensor_file(file.path());
    const TensorEntry& entry = opened->entries()[0];
    CHECK(!entry.dtype);
    CHECK(entry.itemsize == one.itemsize);
    CHECK(entry.storage_nbytes == 2 * one.itemsize);
    CHECK(entry.sizes == std::vector<int64_t>{2});
    CHECK(contains(entry.reason, one.reason));
    CHECK(opened->read_all(0).size() == 2 * one.itemsize);
  }
}

TEST_CASE("npy: complex numbers are swapped by halves and text by characters") {
  const TempFile file("c.npy", npy_bytes(dict_of("'>c8'", "(1,)"), "abcdefgh"));
  const auto opened = open_tensor_file(file.path());
  std::string out(8, '?');
  opened->read_bytes(0, 0, 8, out.data());
  CHECK(out == "dcbahgfe");
}

TEST_CASE("npy: object arrays are listed and never unpickled") {
  const std::string pickle = "\x80\x04cos\nsystem\n(S'touch PWNED'\ntR.";
  const TempFile file("o.npy", npy_bytes(dict_of("'|O'", "(1,)"), pickle));
  const auto opened = open_tensor_file(file.path());
  CHECK(contains(opened->entries()[0].reason, "never opened"));
  CHECK(!opened->entries()[0].has_bytes);
  CHECK(contains(error_of([&] { opened->read_all(0); }), "Python objects"));
  CHECK(
      contains(entry_of(npy_bytes(dict_of("[('a', '|O')]", "(1,)"), pickle)).reason, "records of 1 fields"));
}

TEST_CASE("npy: dtypes that mean nothing become reasons") {
  for (const char* descr :
       {"'hello'", "''", "'<'", "'<f'", "'<f3'", "'<b2'", "'<x4'", "'<f4 '", "'<f99999999999'", "'<f4[ns]'",
        "[]", "()", "7", "None", "[('x',)]", "[('x', '<f4', -1)]"}) {
    CAPTURE(descr);
    const TensorEntry entry = entry_of(npy_bytes(dict_of(descr, "(2,)"), std::string(64, 'x')));
    CHECK(!entry.reason.empty());
    CHECK(!entry.dtype);
  }
}

TEST_CASE("npy: a broken header is an error with the place, and a caret where there is text") {
  CHECK(contains(error_of_bytes(npy_bytes("{'descr' x'<f4'}", "")),
                 "at byte 19: expected ':' after a key, got 'x'"));
  CHECK(contains(error_of_bytes(npy_bytes("{'descr' x'<f4'}", "")),
                 "\n  {'descr' x'<f4'}\n           ^\nSave it again"));
  CHECK(contains(error_of_bytes(npy_bytes("[1]", "")), "expected a dict, got a list"));
  CHECK(contains(error_of_bytes(npy_bytes("{'descr': '<f4'}", "")), "the key 'fortran_order' is missing"));
  CHECK(contains(error_of_bytes(npy_bytes("{'a': 1}", "")), "expected the keys 'descr'"));
  CHECK(contains(error_of_bytes(npy_bytes("{'shape': (), 'shape': ()}", "")), "'shape' is there twice"));
  CHECK(contains(error_of_bytes(npy_bytes(dict_of("'<f4'", "3"), "")), "must be a tuple, got an integer"));
  CHECK(contains(error_of_bytes(npy_bytes(dict_of("'<f4'", "(True,)"), "")),
                 "a size must be an integer, got a bool"));
  CHECK(contains(error_of_bytes(npy_bytes(dict_of("'<f4'", "(-1,)"), "")), "a size may not be negative"));
  CHECK(contains(error_of_bytes(npy_bytes(dict_of("'<f4'", "(9223372036854775808,)"), "")), "63 bits"));
  CHECK(contains(error_of_bytes(npy_bytes(dict_of("'<f4'", "()", "0"), "")),
                 "must be True or False, got an integer"));
  CHECK(contains(error_of_bytes(npy_bytes("{'descr': '\xff'}", "", 3)), "must be UTF-8"));
}

TEST_CASE("npy: the fixed part is checked before its numbers are used") {
  CHECK(contains(error_of_bytes("\x93NUMPY"), "at byte 6: the file ends inside"));
  CHECK(contains(error_of_bytes(std::string("\x93NUMPY\x04\x00\x10\x00{}", 12)),
                 "at byte 6: the format version is 4.0"));
  CHECK(contains(error_of_bytes(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)),
                 "claims 65535 bytes and only 2 follow"));
  CHECK(contains(error_of_bytes(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)),
                 "claims 4294967295 bytes"));
  CHECK(contains(error_of_bytes(std::string("\x93NUMPY\x02\x00\x01\x02", 10)), "inside the length"));
  std::string large = npy_bytes("{}" + std::string(kMaxNpyHeaderBytes, ' '), "", 2);
  CHECK(contains(error_of_bytes(large), "at most 1048576 are read"));
}

TEST_CASE("npy: an array that is cut off or too large is listed with the reason") {
  const TensorEntry cut = entry_of(npy_bytes(dict_of("'<f4'", "(3,)"), "0123456789"));
  CHECK(contains(cut.reason, "needs 12 bytes and only 10 are there"));
  CHECK(!cut.has_bytes);
  CHECK(cut.dtype == ScalarType::Float);
  CHECK(contains(entry_of(npy_bytes(dict_of("'<f8'", "(4294967296, 4294967296)"), "")).reason, "63 bits"));
  CHECK(contains(entry_of(npy_bytes(dict_of("'<f8'", "(2305843009213693952,)"), "")).reason,
                 "more bytes than 63 bits"));
  CHECK(contains(entry_of(npy_bytes(dict_of("'<f8'", "(0, 9223372036854775807, 9)"), "")).reason, "63 bits"));
}

TEST_CASE("npy: what follows the array is remarked on and otherwise ignored") {
  const TempFile file("x.npy", npy_bytes(dict_of("'<f4'", "()"), "abcdEXTRA"));
  const auto opened = open_tensor_file(file.path());
  REQUIRE(opened->notes().size() == 1);
  CHECK(contains(opened->notes()[0], "5 bytes follow the array"));
  CHECK(opened->read_all(0).size() == 4);
}

TEST_CASE("npy: writing refuses what cannot be written, and leaves an old file alone") {
  const TempFile file("x.npy", "old");
  SampleTensor tensor = sample_tensor("x", ScalarType::BFloat16, {2}, 1);
  CHECK(contains(error_of([&] { write_npy(file.path(), tensor.packed()); }), "no dtype for bfloat16"));
  tensor.dtype = ScalarType::Float;
  CHECK(contains(error_of([&] { write_npy(file.path(), tensor.packed()); }), "needs 8 bytes, got 4"));
  CHECK(file.read() == "old");
  CHECK(contains(error_of([&] {
                   write_npy(file.folder() + "/no/x.npy",
                             sample_tensor("x", ScalarType::Int, {2}, 1).packed());
                 }),
                 "cannot write"));
  CHECK(std::distance(std::filesystem::directory_iterator(file.folder()), {}) ==
        1);  // no part file stays behind
}

TEST_CASE("npy: reading outside the tensor is an IndexError") {
  const TempFile file("x.npy", npy_bytes(dict_of("'<f4'", "(2,)"), "abcdefgh"));
  const auto opened = open_tensor_file(file.path());
  char out[16];
  CHECK_THROWS_AS(opened->read_bytes(1, 0, 1, out), IndexError);
  CHECK_THROWS_AS(opened->read_bytes(0, 8, 1, out), IndexError);
  CHECK_THROWS_AS(opened->read_bytes(0, 4, 5, out), IndexError);
  CHECK_THROWS_AS(opened->read_bytes(0, UINT64_MAX, 2, out), IndexError);
  CHECK(opened->read_bytes(0, 8, 0, out));
}

}  // namespace cutaway::io
