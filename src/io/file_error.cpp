#include "io/file_error.h"

#include "io/outside_text.h"

namespace cutaway::io {

namespace {

std::string message_of(const char* heading, const std::string& path, std::optional<uint64_t> offset,
                       const std::string& problem, const std::string& advice) {
  std::string text = std::string(heading) + " '" + shown(path) + "': ";
  if (offset) text += "at byte " + std::to_string(*offset) + ": ";
  // An excerpt with a caret already ends its own line; advice then starts a new one.
  const bool excerpt = problem.find('\n') != std::string::npos;
  return text + problem + (excerpt ? "\n" : ". ") + advice;
}

}  // namespace

FileError::FileError(const char* heading, std::string path, std::optional<uint64_t> offset,
                     std::string problem, const std::string& advice, const char* file, int line)
    : Error(ErrorKind::Runtime, message_of(heading, path, offset, problem, advice), file, line),
      path_(std::move(path)),
      offset_(offset),
      problem_(std::move(problem)) {}

void fail_file(const std::string& path, const std::string& problem, const std::string& advice,
               const char* file, int line) {
  throw FileError("cannot read", path, std::nullopt, problem, advice, file, line);
}

void fail_at(const std::string& path, uint64_t offset, const std::string& problem, const std::string& advice,
             const char* file, int line) {
  throw FileError("cannot read", path, offset, problem, advice, file, line);
}

void fail_write(const std::string& path, const std::string& problem, const std::string& advice,
                const char* file, int line) {
  throw FileError("cannot write", path, std::nullopt, problem, advice, file, line);
}

}  // namespace cutaway::io
