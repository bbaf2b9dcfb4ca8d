#include "inspector/panels/grid_columns.h"

#include "inspector/widgets/cell_grid.h"
#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

int64_t columns_that_fit(const StorageModel& model) {
  const float room = ImGui::GetContentRegionAvail().x - px(kGridMargin);
  int64_t columns = model.columns;
  while (columns > model.column_step && room / static_cast<float>(columns) < px(kLeastValueCell)) columns -= model.column_step;
  return columns;
}

}  // namespace cutaway::inspector
