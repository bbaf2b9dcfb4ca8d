// The file formats that are fuzzed: one table, read by mutate_files and by the libFuzzer targets.
//
// Adding a format is one line in fuzz_format.cpp, a folder of seed files in corpus/ under its name, and its
// name in CMakeLists.txt. Thread safety: constants.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::fuzz {

struct FuzzFormat {
  std::string_view name;  // also of its folder in corpus/

  // Opens the file and reads everything in it, checking what its reader promises.
  // Returns: normally when the file was readable. Throws: cutaway::Error when it is malformed; anything else,
  // or anything that a sanitizer reports, is a finding.
  void (*read)(const std::string& path);

  // Mends what a change of length would break before the interesting part is reached: a length field, a
  // checksum. `grown` is by how many bytes the file became longer (negative: shorter). May be null.
  void (*mend)(std::string& bytes, int64_t grown);

  // Whether `mend` has something to do when the length stayed: nothing but a checksum would be found wrong.
  bool checksummed;
};

// Returns: all formats.
const std::vector<FuzzFormat>& fuzz_formats();

// Returns: the format of that name, or null.
const FuzzFormat* find_fuzz_format(std::string_view name);

}  // namespace cutaway::fuzz
