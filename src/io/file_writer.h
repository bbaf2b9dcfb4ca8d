// Writes a file so that it is there whole or not at all.
//
// The bytes go to a neighbour, `path` + ".part-<process id>", which takes the place of `path` in `commit`; a
// writer that goes without a commit (an exception, a full disk) removes it. So a file that a reader has open,
// and a good file of yesterday, are never left half written. Thread safety: none; one writer belongs to one
// thread.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::io {

class FileWriter {
 public:
  // Throws (this and all below): FileError with the path and the system's words.
  explicit FileWriter(std::string path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  const std::string& path() const { return path_; }
  uint64_t position() const { return position_; }

  void write(const void* data, uint64_t length);
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

  // Overwrites bytes written before. Requires: offset + bytes.size() <= position().
  void patch(uint64_t offset, std::string_view bytes);

  void commit();

 private:
  void flush();
  void write_through(const char* data, uint64_t length, uint64_t offset);
  [[noreturn]] void fail(int code) const;

  std::string path_;
  std::string part_;
  int descriptor_ = -1;
  uint64_t position_ = 0;
  std::vector<char> buffer_;  // the last bytes before position_, not yet handed to the system
};

}  // namespace cutaway::io
