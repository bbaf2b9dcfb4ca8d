// What is told beside a picture: why a view is impossible, with the two dimensions that cannot merge in brackets; or that a
// copy was made, and why.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include "inspector/model/storage_model.h"

namespace cutaway::inspector {

float callout_height(const Callout& callout, float width);
void draw_callout(ImVec2 at, float width, const Callout& callout);

}  // namespace cutaway::inspector
