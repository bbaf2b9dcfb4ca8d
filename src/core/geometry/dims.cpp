#include "core/geometry/dims.h"

#include "core/error.h"

namespace cutaway {

int64_t wrap_dim(int64_t dim, int64_t ndim) {
  const int64_t range = ndim > 0 ? ndim : 1;
  CUTAWAY_CHECK_INDEX(-range <= dim && dim < range, "Dimension out of range (expected to be in range of [",
                      -range, ", ", range - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + range : dim;
}

DimVector wrap_dims(IntArrayRef dims, int64_t ndim) {
  DimVector wrapped;
  for (int64_t dim : dims) wrapped.push_back(wrap_dim(dim, ndim));
  return wrapped;
}

}  // namespace cutaway
