#include "inspector/panels/panel.h"

namespace cutaway::inspector {

std::span<const Panel> panels() {
  static const Panel all[] = {
      {"explorer", "Explorer", Place::Left, draw_explorer},
      {"storage", "Storage", Place::Centre, draw_storage},
      {"lab", "View lab", Place::Centre, draw_lab},
      {"details", "Details", Place::Right, draw_details},
      {"card", "Tensor card", Place::RightBelow, draw_card},
      {"timeline", "Timeline", Place::Bottom, draw_timeline},
  };
  return all;
}

}  // namespace cutaway::inspector
