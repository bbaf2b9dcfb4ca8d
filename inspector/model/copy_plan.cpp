#include "inspector/model/copy_plan.h"

#include <algorithm>
#include <utility>

namespace cutaway::inspector {

CopyPlan::CopyPlan(Geometry source, Geometry result) : source_(std::move(source)) { set_result(result); }

CopyPlan::CopyPlan(const Geometry& source, const Indexed& indexed)
    : source_(source), gather_dim_(indexed.gather_dim) {
  for (const auto& items : indexed.rows) rows_.push_back(index(source, items).geometry);
  set_result(indexed.geometry);
}

void CopyPlan::set_result(const Geometry& result) {
  result_ = result;
  numel_ = result.numel();
  for (size_t dim = 0; dim < result.sizes.size(); ++dim)
    if (result.sizes[dim] > 1) axes_.push_back({result.strides[dim], dim});
  std::sort(axes_.begin(), axes_.end(), [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
}

int64_t CopyPlan::source_element(int64_t place) const {
  DimVector index(result_.sizes.size());
  for (const Axis& axis : axes_) {
    index[axis.dim] = place / axis.stride;
    place %= axis.stride;
  }
  if (gather_dim_ >= 0) {
    const Geometry& row = rows_[index[gather_dim_]];
    index.erase(gather_dim_);
    return row.element(index);
  }
  // Row-major order is what both sides agree on: the index of one becomes that of the other.
  int64_t linear = 0;
  for (size_t dim = 0; dim < result_.sizes.size(); ++dim) linear = linear * result_.sizes[dim] + index[dim];
  DimVector from(source_.sizes.size());
  for (size_t dim = source_.sizes.size(); dim-- > 0; linear /= source_.sizes[dim])
    from[dim] = linear % source_.sizes[dim];
  return source_.element(from);
}

}  // namespace cutaway::inspector
