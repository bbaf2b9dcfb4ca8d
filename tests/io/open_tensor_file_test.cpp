#include <doctest/doctest.h>

#include "io/file_error.h"
#include "io/limits.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "tests/io/sample_tensors.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

TEST_CASE("open: the content decides, whatever the file is called") {
  const SampleTensor tensor = sample_tensor("x", ScalarType::Float, {2, 3}, 1);
  for (const char* name : {"x", "x.npy", "x.npz", "x.safetensors", "x.png"}) {
    CAPTURE(name);
    const TempFile file(name);
    write_npy(file.path(), tensor.packed());
    CHECK(open_tensor_file(file.path())->format() == FileFormat::Npy);
    write_npz(file.path(), {tensor.packed()});
    CHECK(open_tensor_file(file.path())->format() == FileFormat::Npz);
    write_safetensors(file.path(), {tensor.packed()});
    CHECK(open_tensor_file(file.path())->format() == FileFormat::Safetensors);
  }
}

TEST_CASE("open: bytes that tell nothing are judged by the extension") {
  const auto error = [](const char* name) {
    const TempFile file(name, "hello, this is text");
    return error_of([&] { open_tensor_file(file.path()); });
  };
  CHECK(contains(error("x.npy"),
                 "expected the magic bytes 93 4e 55 4d 50 59 (\"\\x93NUMPY\"), got 68 65 6c 6c 6f 2c"));
  CHECK(contains(error("x.NPZ"), "its end record is missing"));
  CHECK(contains(error("x.safetensors"), "the header claims"));
  CHECK(contains(error("x.txt"),
                 "at byte 0: this is no tensor file: it begins with 68 65 6c 6c 6f 2c 20 74 (\"hello, t\")"));
  CHECK(contains(error("x.txt"), "Supported are .npy, .npz and .safetensors."));
}

TEST_CASE("open: well-known files of other kinds are named") {
  const auto error = [](std::string_view bytes, const char* name = "x.npy") {
    const TempFile file(name, bytes);
    return error_of([&] { open_tensor_file(file.path()); });
  };
  CHECK(contains(error("\x89PNG\r\n\x1a\n"), "a PNG picture"));
  CHECK(contains(error("\x80\x02}q\x00."), "a Python pickle"));
  CHECK(contains(error("GGUF...."), "a GGUF model"));
  CHECK(contains(error("version https://git-lfs.github.com/spec/v1"), "git lfs pull"));
  CHECK(contains(error("\x1f\x8b\x08"), "packed with gzip. Unpack it first. Supported are"));
  CHECK(contains(error("x", "x"), "78 (\"x\")"));
}

TEST_CASE("open: an error carries path, byte and problem as fields too") {
  const TempFile file("x.txt", "hello");
  try {
    open_tensor_file(file.path());
    FAIL("expected an error");
  } catch (const FileError& error) {
    CHECK(error.path() == file.path());
    CHECK(error.offset() == 0);
    CHECK(error.kind() == ErrorKind::Runtime);
    CHECK(contains(error.problem(), "this is no tensor file"));
    CHECK(!contains(error.problem(), file.path()));
  }
}

}  // namespace cutaway::io
