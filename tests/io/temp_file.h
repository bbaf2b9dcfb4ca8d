// A file of a test's own in a folder of its own, both removed when it goes.
//
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.h"

namespace cutaway::io {

class TempFile {
 public:
  // `name` without folder. The file is made when `bytes` is given, or by whoever writes to path().
  explicit TempFile(const std::string& name) {
    std::string pattern = (std::filesystem::temp_directory_path() / "cutaway-io-XXXXXX").string();
    CUTAWAY_CHECK(::mkdtemp(pattern.data()), "TempFile: cannot make ", pattern);
    folder_ = pattern;
    path_ = folder_ + "/" + name;
  }
  TempFile(const std::string& name, std::string_view bytes) : TempFile(name) { write(bytes); }
  ~TempFile() { std::filesystem::remove_all(folder_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_; }

  void write(std::string_view bytes) const {
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  std::string read() const {
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::string folder_;
  std::string path_;
};

// Returns: the message of the Error that `run` throws, or "" when it throws none.
template <class Run>
std::string error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace cutaway::io
