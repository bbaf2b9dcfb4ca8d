// What is said of one element of a storage: the indices that read it, the sum that leads to it, its bytes, its value, its
// last write. At the mouse, or pinned beside a cell.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include "inspector/model/storage_model.h"
#include "inspector/panels/panel.h"

namespace cutaway::inspector {

// At the mouse, for this frame.
void element_tooltip(PanelContext& context, const StorageModel& model, int64_t element);

// Beside the rectangle [cell_min, cell_max], inside [min, max].
void pin_element_card(PanelContext& context, const StorageModel& model, int64_t element, ImVec2 cell_min,
                      ImVec2 cell_max, ImVec2 min, ImVec2 max);

}  // namespace cutaway::inspector
