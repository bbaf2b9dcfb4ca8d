#include "core/geometry/geometry.h"

#include <sstream>

#include "core/geometry/contiguity.h"

namespace cutaway {

int64_t Geometry::numel() const { return compute_numel(sizes); }

int64_t Geometry::element(IntArrayRef index) const {
  int64_t at = offset;
  for (size_t i = 0; i < index.size(); ++i) at += index[i] * strides[i];
  return at;
}

Geometry contiguous_geometry(IntArrayRef sizes) { return {DimVector(sizes), contiguous_strides(sizes), 0}; }

std::string to_string(const Geometry& g) {
  std::ostringstream out;
  out << "sizes " << IntArrayRef(g.sizes) << ", strides " << IntArrayRef(g.strides) << ", offset "
      << g.offset;
  return out.str();
}

}  // namespace cutaway
