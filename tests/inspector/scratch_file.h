// A tensor file in a folder of its own that goes away.
#pragma once

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "io/npy.h"

class ScratchFile {
 public:
  // 0, 1, 2, ... as int32 of these sizes, in a file x.npy.
  explicit ScratchFile(std::vector<int64_t> sizes) {
    std::string pattern = (std::filesystem::temp_directory_path() / "cutaway-test-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    int64_t numel = 1;
    for (int64_t size : sizes) numel *= size;
    std::vector<int32_t> values(static_cast<size_t>(numel));
    std::iota(values.begin(), values.end(), 0);
    cutaway::io::write_npy(path(), {"x", cutaway::ScalarType::Int, std::move(sizes), values.data(), values.size() * 4});
  }
  ~ScratchFile() { std::filesystem::remove_all(folder_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::string path() const { return (folder_ / "x.npy").string(); }

 private:
  std::filesystem::path folder_;
};
