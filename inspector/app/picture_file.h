// Pictures in files: PNG, three bytes a pixel.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway::inspector {

// RGB, top row first.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;
};

// Throws: Error when the file cannot be written.
void write_png_file(const std::string& path, const Picture& picture);
// Throws: Error when the file cannot be read.
Picture read_png_file(const std::string& path);

}  // namespace cutaway::inspector
