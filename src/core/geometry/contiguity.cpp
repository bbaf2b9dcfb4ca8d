#include "core/geometry/contiguity.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace cutaway {
namespace {

// The dimensions from fastest to slowest in channels-last order: C, W, H, N and C, W, H, D, N.
constexpr int kChannelsLast[] = {1, 3, 2, 0};
constexpr int kChannelsLast3d[] = {1, 4, 3, 2, 0};

template <size_t N>
DimVector strides_in_order(IntArrayRef sizes, const int (&order)[N]) {
  CUTAWAY_CHECK(sizes.size() == N, "required rank ", N, " tensor to use channels_last", N == 5 ? "_3d" : "",
                " format");
  DimVector strides(N);
  int64_t step = 1;
  for (int dim : order) {
    strides[dim] = step;
    step *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

template <size_t N>
bool contiguous_in_order(IntArrayRef sizes, IntArrayRef strides, const int (&order)[N]) {
  if (sizes.size() != N) return false;
  int64_t expected = 1;
  for (int dim : order) {
    if (sizes[dim] == 1) continue;
    if (strides[dim] != expected) return false;
    expected *= sizes[dim];
  }
  return true;
}

// PyTorch's rule for strides that look like channels-last: they grow along the order. Ambiguous shapes (N111) are
// taken as row-major: the channel's stride would equal the image's.
template <size_t N>
bool strides_in_channels_last_order(IntArrayRef sizes, IntArrayRef strides, const int (&order)[N]) {
  if (sizes.size() != N || strides[1] == 0) return false;
  int64_t least = 0;
  for (int dim : order) {
    if (sizes[dim] == 0 || strides[dim] < least) return false;
    if (dim == 0 && least == strides[1]) return false;
    least = strides[dim];
    if (sizes[dim] > 1) least *= sizes[dim];
  }
  return true;
}

}  // namespace

int64_t compute_numel(IntArrayRef sizes) {
  int64_t numel = 1;
  bool overflow = false, empty = false;
  for (int64_t size : sizes) {
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(numel, size, &numel);
  }
  if (empty) return 0;
  CUTAWAY_CHECK(!overflow, "numel: integer multiplication overflow");
  return numel;
}

DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides(sizes.size());
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    // A shape whose number of elements overflows never gets this far with elements in it; one with a zero may.
    if (__builtin_mul_overflow(step, std::max<int64_t>(sizes[i], 1), &step)) step = INT64_MAX;
  }
  return strides;
}

DimVector channels_last_strides(IntArrayRef sizes) { return strides_in_order(sizes, kChannelsLast); }
DimVector channels_last_3d_strides(IntArrayRef sizes) { return strides_in_order(sizes, kChannelsLast3d); }

bool is_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return true;
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

bool is_channels_last_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  return contiguous_in_order(sizes, strides, kChannelsLast);
}

bool is_channels_last_3d_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  return contiguous_in_order(sizes, strides, kChannelsLast3d);
}

bool is_contiguous(IntArrayRef sizes, IntArrayRef strides, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::ChannelsLast: return is_channels_last_contiguous(sizes, strides);
    case MemoryFormat::ChannelsLast3d: return is_channels_last_3d_contiguous(sizes, strides);
    case MemoryFormat::Contiguous:
    case MemoryFormat::Preserve: return is_contiguous(sizes, strides);
  }
  return false;
}

bool is_channels_last_strides(IntArrayRef sizes, IntArrayRef strides) {
  return strides_in_channels_last_order(sizes, strides, kChannelsLast);
}

bool is_channels_last_3d_strides(IntArrayRef sizes, IntArrayRef strides) {
  return strides_in_channels_last_order(sizes, strides, kChannelsLast3d);
}

bool is_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides) {
  if (sizes.size() == 1) return sizes[0] < 2 || strides[0] == 1;
  DimVector order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  // Dimensions of size 0 and 1 last: their strides do not count.
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    if (sizes[a] < 2 || sizes[b] < 2) return sizes[a] >= 2 && sizes[b] < 2;
    return strides[a] < strides[b];
  });
  int64_t expected = 1;
  for (int64_t dim : order) {
    if (sizes[dim] < 2) return true;
    if (strides[dim] != expected) return false;
    expected *= sizes[dim];
  }
  return true;
}

MemoryFormat suggested_memory_format(IntArrayRef sizes, IntArrayRef strides) {
  if (is_channels_last_strides(sizes, strides)) return MemoryFormat::ChannelsLast;
  if (is_channels_last_3d_strides(sizes, strides)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

// The order of dimensions is found as TensorIterator finds it: insertion sort by stride from the row-major order, where
// a broadcast dimension (stride 0) is ambiguous and keeps its place, and equal strides are ordered by size.
DimVector preserved_strides(IntArrayRef sizes, IntArrayRef strides) {
  if (is_non_overlapping_and_dense(sizes, strides)) return DimVector(strides);
  const auto compare = [&](int64_t a, int64_t b) {
    if (strides[a] == 0 || strides[b] == 0) return 0;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  };
  const auto ndim = static_cast<int64_t>(sizes.size());
  DimVector order(sizes.size());
  for (int64_t i = 0; i < ndim; ++i) order[i] = ndim - 1 - i;
  for (int64_t i = 1; i < ndim; ++i) {
    int64_t at = i;
    for (int64_t before = i - 1; before >= 0; --before) {
      const int verdict = compare(order[before], order[at]);
      if (verdict < 0) break;
      if (verdict == 0) continue;
      std::swap(order[before], order[at]);
      at = before;
    }
  }
  DimVector dense(sizes.size());
  int64_t step = 1;
  for (int64_t dim : order) {
    dense[dim] = step;
    if (sizes[dim] > 1) step *= sizes[dim];
  }
  return dense;
}

}  // namespace cutaway
