// How many elements a row of a grid has on this canvas.
//
// PyTorch: none
#pragma once

#include "inspector/model/storage_model.h"

namespace cutaway::inspector {

// Returns: model.columns, or fewer where a narrow canvas would leave no room for their values.
int64_t columns_that_fit(const StorageModel& model);

}  // namespace cutaway::inspector
