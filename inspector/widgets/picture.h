// Pictures made of pixels: values as shades, and drawing them as one texture.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace cutaway::inspector {

// Shades rows x columns values, fitted into width x height pixels (RGBA). Where several values fall on one pixel their
// mean is shown, but a NaN or infinity always wins, in the colour of wrong.
std::vector<uint32_t> shade_values(const std::vector<float>& values, int64_t columns, int64_t rows, int width, int height);

// Draws pixels as a texture that is kept under `name` and renewed when `key` changes.
void draw_pixels(ImDrawList* list, const char* name, const std::vector<uint32_t>& pixels, int width, int height, ImVec2 at,
                 uint64_t key);

}  // namespace cutaway::inspector
