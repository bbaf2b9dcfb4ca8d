// How the cells of a grid are painted at each level of detail.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

#include "inspector/widgets/cell_grid.h"
#include "inspector/widgets/grid_layout.h"

namespace cutaway::inspector {

// Cells with their values: plates, hatches, outlines, text, all in one draw command (stamps.h). Notes in `output` what was
// seen.
void paint_values(ImDrawList* list, const GridInput& input, const GridLayout& layout,
                  const std::vector<GridCell>& cells, GridOutput& output);

// The picture as width x height pixels (RGBA): shades of the values, views in hue and hatch, NaN at least three pixels
// wide, `gap` pixels between cells of `cell` pixels.
std::vector<uint32_t> paint_picture(const GridPicture& picture, const std::vector<GridView>& views, int width,
                                    int height, float cell, float gap);

// Every mark that some picture element has.
uint8_t marks_of(const GridPicture& picture);
void note_marks(uint8_t marks, GridOutput& output);

}  // namespace cutaway::inspector
