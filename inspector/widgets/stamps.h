// Shapes that are baked once into the font atlas: a rounded, hatched or framed cell then costs one quad, is drawn in the
// same command as the text around it, and looks the same everywhere.
//
// A view has a hue and a hatch: 0 plain, 1 '/', 2 '\', 3 dots, 4 '-', 5 '+'. Where one place is read by several indices of
// a view, the hatch is 'x'.
// Thread safety: the main thread only, inside a frame.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>

namespace cutaway::inspector {

enum class Hatch : uint8_t { Plain, Slash, Backslash, Dots, Dashes, Plus, Cross };
Hatch hatch_of_view(int view);

// A filled rectangle with rounded corners, its frame of `thickness`, a hatched fill. Lengths in pixels, corner radius
// px(3). Large ones are put together from several quads.
void stamp_fill(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);
void stamp_frame(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);
// `alpha` of the tint; the lines of the hatch are stronger.
void stamp_hatch(ImDrawList* list, ImVec2 min, ImVec2 max, Hatch hatch, ImU32 rgb, float alpha);

// Hatches repeat every 4 of these, in both directions. Picture elements; a multiple of 3.
int hatch_step(float scale);
// How much of a picture element at (x, y) the lines of a hatch cover, 0 to 1. For pictures made of pixels.
float hatch_cover(Hatch hatch, float x, float y, float scale);
// How much stronger the lines are than the tint around them.
inline constexpr float kHatchInk = 1.9f;

// Forgets what was baked. Call before the font atlas goes.
void forget_stamps();

}  // namespace cutaway::inspector
