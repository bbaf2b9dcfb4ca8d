#include "inspector/widgets/budget.h"

namespace cutaway::inspector {

Budget& budget() {
  static Budget frame;
  return frame;
}

}  // namespace cutaway::inspector
