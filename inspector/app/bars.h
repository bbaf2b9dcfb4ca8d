// The bars above and below the panels: heights, in pixels of the theme in use. What stands on them is drawn by App.
//
// PyTorch: none
#pragma once

#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

inline float bar_height() { return px(50); }
inline float status_height() { return px(28); }

}  // namespace cutaway::inspector
