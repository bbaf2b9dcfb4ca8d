#include "io/safetensors.h"

#include <doctest/doctest.h>

#include "io/limits.h"
#include "tests/io/sample_tensors.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

namespace {

// Pads the header to a multiple of 8, as the format's writers do.
std::string file_bytes(std::string_view text, std::string_view data) {
  std::string header(text);
  header.resize((text.size() + 7) / 8 * 8, ' ');
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return bytes + header + std::string(data);
}

std::unique_ptr<TensorFile> open_bytes(std::string_view header, std::string_view data) {
  const TempFile file("x.safetensors", file_bytes(header, data));
  return open_tensor_file(file.path());
}

std::string open_error(std::string_view header, std::string_view data = "") {
  return error_of([&] { open_bytes(header, data); });
}

// Returns: the reason of the tensor "w" with this description, beside a good one whose reason must be empty.
std::string reason_of(const std::string& description, std::string_view data = "01234567") {
  const std::string good = R"("good":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  const auto before = open_bytes("{" + good + R"(,"w":)" + description + "}", data);
  const auto after = open_bytes(R"({"w":)" + description + "," + good + "}", data);
  for (const auto* file : {&before, &after}) {
    REQUIRE((*file)->entries().size() == 2);
    CHECK((*file)->entries()[*(*file)->find("good")].reason == "");
  }
  const std::string reason = before->entries()[*before->find("w")].reason;
  CHECK(after->entries()[*after->find("w")].reason == reason);
  return reason;
}

}  // namespace

TEST_CASE("safetensors: every dtype and shape survives writing and reading, with metadata") {
  const std::vector<SampleTensor> tensors = sample_tensors(true);
  const std::vector<MetadataPair> metadata = {{"format", "pt"}, {"quote \"", "line\nbreak"}};
  const TempFile file("x.safetensors");
  write_safetensors(file.path(), packed(tensors), metadata);
  const auto opened = open_tensor_file(file.path());
  CHECK(opened->format() == FileFormat::Safetensors);
  REQUIRE(opened->entries().size() == tensors.size());
  for (const SampleTensor& tensor : tensors) {
    CAPTURE(tensor.name);
    CHECK(difference(*opened, tensor) == "same");
    CHECK(opened->entries()[*opened->find(tensor.name)].file_begin % element_size(tensor.dtype) == 0);
    CHECK(opened->map_bytes(*opened->find(tensor.name)).size() == tensor.bytes.size());
  }
  CHECK(opened->metadata()[0] == MetadataPair{"format", "pt"});
  CHECK(opened->metadata()[1] == MetadataPair{"quote \"", "line\\x0abreak"});
  CHECK(opened->notes().empty());
}

TEST_CASE("safetensors: a file without tensors, and one with odd names") {
  const TempFile file("x.safetensors");
  write_safetensors(file.path(), {});
  CHECK(open_tensor_file(file.path())->entries().empty());
  SampleTensor tensor = sample_tensor("\u4e2d\"\\\n", ScalarType::Int, {1}, 3);
  write_safetensors(file.path(), {tensor.packed()});
  CHECK(open_tensor_file(file.path())->entries()[0].name == "\u4e2d\"\\\\x0a");
}

TEST_CASE("safetensors: dtypes we lack are listed with the reason, and their bytes can be looked at") {
  struct Case {
    const char* dtype;
    int count;
    const char* reason;
  };
  for (const Case& one :
       {Case{"U16", 4, "uint8"}, Case{"U32", 2, "uint8"}, Case{"U64", 1, "uint8"}, Case{"C64", 1, "complex"},
        Case{"F8_E4M3", 8, "8-bit float"}, Case{"F8_E5M2", 8, "8-bit float"},
        Case{"F8_E8M0", 8, "8-bit float"}, Case{"F4", 16, "less than 8 bits"},
        Case{"Q3_K", 5, "the dtype 'Q3_K' is not known"}}) {
    CAPTURE(one.dtype);
    const auto opened = open_bytes(R"({"w":{"dtype":")" + std::string(one.dtype) + R"(","shape":[)" +
                                       std::to_string(one.count) + R"(],"data_offsets":[0,8]}})",
                                   "01234567");
    const TensorEntry& entry = opened->entries()[0];
    CHECK(contains(entry.reason, one.reason));
    CHECK(!entry.dtype);
    CHECK(entry.dtype_text == one.dtype);
    CHECK(entry.numel == one.count);
    CHECK(entry.storage_nbytes == 8);
    CHECK(opened->bytes_read() < 500);
  }
}

TEST_CASE("safetensors: a description that makes no sense spoils its own tensor only") {
  CHECK(reason_of(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})") == "");
  CHECK(reason_of(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8],"new":{"a":[{"b":null}]},"x":1.5})") ==
        "");
  CHECK(reason_of("7") == "its description is a number instead of an object");
  CHECK(reason_of("null") == "its description is null instead of an object");
  CHECK(reason_of(R"([{"dtype":"F32"}])") == "its description is an array instead of an object");
  CHECK(reason_of("{}") == "its description lacks 'dtype'");
  CHECK(reason_of(R"({"dtype":"F32"})") == "its description lacks 'shape'");
  CHECK(reason_of(R"({"dtype":"F32","shape":[]})") == "its description lacks 'data_offsets'");
  CHECK(reason_of(R"({"dtype":7})") == "its 'dtype' is a number instead of a string");
  CHECK(reason_of(R"({"dtype":["F32"]})") == "its 'dtype' is an array instead of a string");
  CHECK(reason_of(R"({"dtype":"F32","shape":1})") == "its 'shape' is a number instead of an array");
  CHECK(reason_of(R"({"dtype":"F32","shape":[-1]})") == "its 'shape' holds a negative number");
  CHECK(reason_of(R"({"dtype":"F32","shape":[1.0]})") ==
        "its 'shape' holds a number that is not an integer of 64 bits");
  CHECK(reason_of(R"({"dtype":"F32","shape":[18446744073709551616]})") ==
        "its 'shape' holds a number that is not an integer of 64 bits");
  CHECK(reason_of(R"({"dtype":"F32","shape":[18446744073709551615]})") ==
        "its 'shape' holds a size beyond 63 bits");
  CHECK(reason_of(R"({"dtype":"F32","shape":[[1]]})") == "its 'shape' holds an array");
  CHECK(reason_of(R"({"dtype":"F32","shape":[{"a":1}]})") == "its 'shape' holds an object");
  CHECK(reason_of(R"({"dtype":"F32","shape":[],"data_offsets":[0]})") ==
        "its 'data_offsets' must be two numbers");
  CHECK(reason_of(R"({"dtype":"F32","shape":[],"data_offsets":[0,1,2]})") ==
        "its 'data_offsets' has more than two numbers");
  CHECK(reason_of(R"({"dtype":"F32","shape":[],"data_offsets":"04"})") ==
        "its 'data_offsets' is a string instead of an array");
  CHECK(reason_of(R"({"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[4,8]})") ==
        "its 'dtype' is there twice");
  CHECK(contains(reason_of(R"({"dtype":"F32","shape":[],"data_offsets":[8,4]})"), "end before they begin"));
  CHECK(contains(reason_of(R"({"dtype":"F32","shape":[],"data_offsets":[4,12]})"),
                 "reach beyond the 8 bytes of data"));
  CHECK(contains(reason_of(R"({"dtype":"F32","shape":[2],"data_offsets":[4,8]})"),
                 "needs 8 bytes, its data_offsets [4, 8) give 4"));
  CHECK(contains(reason_of(R"({"dtype":"F32","shape":[9223372036854775807,3],"data_offsets":[4,8]})"),
                 "63 bits"));
  std::string dims = "1";
  for (size_t i = 0; i < kMaxRank; ++i) dims += ",1";
  CHECK(contains(reason_of(R"({"dtype":"F32","shape":[)" + dims + R"(],"data_offsets":[4,8]})"),
                 "more than 64 dimensions"));
}

TEST_CASE("safetensors: tensors that share bytes or a name are refused, holes are remarked on") {
  const auto shared = open_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                 R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                                 R"("c":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
                                 "0123456789ab");
  CHECK(shared->entries()[0].reason == "its bytes overlap those of 'b'");
  CHECK(shared->entries()[1].reason == "its bytes overlap those of 'a'");
  CHECK(shared->entries()[2].reason == "");

  const auto twice = open_bytes(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                                "01234567");
  CHECK(contains(twice->entries()[0].reason, "another tensor has the same name"));
  CHECK(contains(twice->entries()[1].reason, "another tensor has the same name"));

  const auto holes = open_bytes(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[2,3]},)"
                                R"("b":{"dtype":"F32","shape":[1],"data_offsets":[5,9]},)"
                                R"("e":{"dtype":"F32","shape":[0],"data_offsets":[1,1]}})",
                                "0123456789");
  for (const TensorEntry& entry : holes->entries()) CHECK(entry.reason == "");
  REQUIRE(holes->notes().size() == 5);
  CHECK(contains(holes->notes()[0], "1 bytes before 'e'"));
  CHECK(contains(holes->notes()[1], "1 bytes before 'a'"));
  CHECK(contains(holes->notes()[2], "2 bytes before 'b'"));
  CHECK(contains(holes->notes()[3], "1 bytes at the end"));
  CHECK(contains(holes->notes()[4], "do not begin at a multiple"));
}

TEST_CASE("safetensors: odd metadata is left out with a remark") {
  const auto opened = open_bytes(R"({"__metadata__":{"a":1,"b":"ok","c":{"d":"e"}},)"
                                 R"("w":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                                 "0123");
  CHECK(opened->metadata() == std::vector<MetadataPair>{{"b", "ok"}});
  CHECK(opened->notes().size() == 2);
  CHECK(opened->entries()[0].reason == "");
  CHECK(open_bytes(R"({"__metadata__":7})", "")->notes().size() == 1);
  CHECK(open_bytes(R"({"__metadata__":[{"a":"b"}]})", "")->entries().empty());
}

TEST_CASE("safetensors: a broken header is an error with the place and a caret") {
  const std::string message = open_error(R"({"a": x})");
  CHECK(contains(message, "at byte 14: the JSON is broken"));
  CHECK(contains(message, "\n  {\"a\": x}\n        ^\nSave it again"));
  CHECK(contains(open_error(R"({"a":{"dtype":"F32")"), "the JSON is broken"));
  CHECK(contains(open_error("{\"a\":\"\xff\"}"), "the JSON is broken"));
  CHECK(contains(open_error("{} {}"), "the JSON is broken"));
  CHECK(contains(open_error("{\"a\":" + std::string(200'000, '[')), "nested deeper than 16"));
  CHECK(contains(open_error("{\"a\":" + std::string(200'000, '{')), "the JSON is broken"));
  CHECK(contains(open_error("[]"), "must begin with '{', got '['"));
  CHECK(contains(open_error(""), "must begin with '{', got nothing"));
}

TEST_CASE("safetensors: the length of the header is checked before it is used") {
  const auto error_of_bytes = [](std::string_view bytes) {
    const TempFile file("x.safetensors", bytes);
    return error_of([&] { open_tensor_file(file.path()); });
  };
  CHECK(contains(error_of_bytes("abc"), "ends inside the 8 bytes"));
  CHECK(
      contains(error_of_bytes(std::string("\x10\0\0\0\0\0\0\0{}", 10)), "claims 16 bytes and only 2 follow"));
  CHECK(contains(error_of_bytes(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)),
                 "claims 18446744073709551615 bytes"));
  const TempFile file("x.safetensors", file_bytes("{}", ""));
  std::filesystem::resize_file(file.path(), 200'000'000);  // sparse
  std::fstream patch(file.path(), std::ios::binary | std::ios::in | std::ios::out);
  patch.write("\0\0\0\x09", 4);  // 150,994,944
  patch.close();
  CHECK(contains(error_of([&] { open_tensor_file(file.path()); }), "at most 100000000 are read"));
}

TEST_CASE("safetensors: writing refuses what the format cannot hold") {
  const TempFile file("x.safetensors");
  SampleTensor tensor = sample_tensor("w", ScalarType::Int, {2, 3}, 1, MemoryOrder::Fortran);
  const auto write_error = [&] {
    return error_of([&] { write_safetensors(file.path(), {tensor.packed()}); });
  };
  CHECK(contains(write_error(), "Fortran order"));
  tensor.order = MemoryOrder::C;
  tensor.name = "__metadata__";
  CHECK(contains(write_error(), "not '__metadata__'"));
  tensor.name = "w";
  CHECK(contains(error_of([&] {
                   write_safetensors(file.path(), {tensor.packed(), tensor.packed()});
                 }),
                 "used twice"));
  CHECK(contains(error_of([&] {
                   write_safetensors(file.path(), {tensor.packed()}, {{"k", "\xff"}});
                 }),
                 "must be UTF-8"));
  CHECK(!std::filesystem::exists(file.path()));
}

TEST_CASE("safetensors: a sparse file of 10 GB and 5,000 tensors is listed from its header alone") {
  constexpr int kTensors = 5'000;
  constexpr uint64_t kBytesEach = 2'000'000;
  std::string header = "{";
  for (int i = 0; i < kTensors; ++i) {
    const uint64_t begin = static_cast<uint64_t>(i) * kBytesEach;
    header += (i ? ",\"" : "\"") + std::string("layers.") + std::to_string(i) +
              R"(.weight":{"dtype":"BF16","shape":[1000,1000],"data_offsets":[)" + std::to_string(begin) +
              "," + std::to_string(begin + kBytesEach) + "]}";
  }
  header += "}";
  const TempFile file("large.safetensors", file_bytes(header, ""));
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) + kTensors * kBytesEach);
  const auto opened = open_tensor_file(file.path());
  CHECK(opened->entries().size() == kTensors);
  CHECK(opened->entries().back().reason == "");
  CHECK(opened->notes().empty());
  CHECK(opened->bytes_read() <= 16 + 8 + header.size() + 8);
  std::byte last[4];
  CHECK(opened->read_bytes(kTensors - 1, kBytesEach - 4, 4, last));
}

}  // namespace cutaway::io
