// Bytes that can be opened by path without touching the disk.
//
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <string>
#include <string_view>

namespace cutaway::fuzz {

class MemoryFile {
 public:
  // Throws: Error when the system gives no memory file.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void write(std::string_view bytes);
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace cutaway::fuzz
