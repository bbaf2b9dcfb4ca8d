// Pictures made of pixels, drawn as one textured quad each.
//
// A texture is kept under an id and renewed when its generation changes; one that has not been drawn for a while is let go.
// Thread safety: the main thread only, inside a frame.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace cutaway::inspector {

// `pixels`: width x height, as IM_COL32. Drawn pixel for pixel with its corner at `at`.
void draw_pixels(ImDrawList* list, ImGuiID id, const std::vector<uint32_t>& pixels, int width, int height,
                 ImVec2 at, uint64_t generation);

// Lets go of all of them. Requires: the graphics back end is still there.
void clear_textures();

}  // namespace cutaway::inspector
