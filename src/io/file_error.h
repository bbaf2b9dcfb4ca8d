// The one shape of every error about a file: which file, where in it, what is wrong, and what to do about it.
//
//   cannot read 'a.npy': at byte 57: expected ':' after a key, got 'x'
//     {'descr' x'<f4', ...
//              ^
//   Save it again with numpy.save.
//
// Thread safety: as Error.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/error.h"

namespace cutaway::io {

class FileError : public Error {
 public:
  // `heading` begins the message: "cannot read" or "cannot write".
  FileError(const char* heading, std::string path, std::optional<uint64_t> offset, std::string problem,
            const std::string& advice, const char* file, int line);

  const std::string& path() const { return path_; }
  // The byte the error is about; empty when it is about the whole file.
  std::optional<uint64_t> offset() const { return offset_; }
  // What is wrong, without file, place and advice: for a reader that lists it beside one tensor.
  const std::string& problem() const { return problem_; }

 private:
  std::string path_;
  std::optional<uint64_t> offset_;
  std::string problem_;
};

// Throws a FileError about the file as a whole. `advice` is a sentence.
[[noreturn]] void fail_file(const std::string& path, const std::string& problem, const std::string& advice,
                            const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Throws a FileError about byte `offset`.
[[noreturn]] void fail_at(const std::string& path, uint64_t offset, const std::string& problem,
                          const std::string& advice, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE());

// Throws a FileError about writing.
[[noreturn]] void fail_write(const std::string& path, const std::string& problem, const std::string& advice,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace cutaway::io
