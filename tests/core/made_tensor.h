// A tensor for tests of core, which has no factories: row-major over a storage of its own.
#pragma once

#include "core/tensor.h"

namespace cutaway {

Tensor made_tensor(IntArrayRef sizes, ScalarType dtype = ScalarType::Float,
                   DeviceType device = DeviceType::CPU);

}  // namespace cutaway
