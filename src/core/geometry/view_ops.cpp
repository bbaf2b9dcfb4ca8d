#include "core/geometry/view_ops.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/geometry/bounds.h"
#include "core/geometry/dims.h"

namespace cutaway {

Geometry transpose(const Geometry& g, int64_t dim0, int64_t dim1) {
  dim0 = wrap_dim(dim0, g.dim());
  dim1 = wrap_dim(dim1, g.dim());
  Geometry result = g;
  if (dim0 == dim1) return result;
  std::swap(result.sizes[dim0], result.sizes[dim1]);
  std::swap(result.strides[dim0], result.strides[dim1]);
  return result;
}

Geometry t(const Geometry& g) {
  CUTAWAY_CHECK(g.dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", g.dim(), "D");
  return g.dim() < 2 ? g : transpose(g, 0, 1);
}

Geometry permute(const Geometry& g, IntArrayRef dims) {
  CUTAWAY_CHECK(
      static_cast<int64_t>(dims.size()) == g.dim(),
      "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
      "ordering of dimensions i.e. input.dim() = ",
      g.dim(), " is not equal to len(dims) = ", dims.size());
  Geometry result{{}, {}, g.offset};
  std::vector<bool> seen(dims.size());
  for (int64_t dim : wrap_dims(dims, g.dim())) {
    CUTAWAY_CHECK(!seen[dim], "permute(): duplicate dims are not allowed.");
    seen[dim] = true;
    result.sizes.push_back(g.sizes[dim]);
    result.strides.push_back(g.strides[dim]);
  }
  return result;
}

namespace {

void check_distinct(const DimVector& wrapped, IntArrayRef given, const char* which) {
  std::vector<int64_t> sorted(wrapped.begin(), wrapped.end());
  std::sort(sorted.begin(), sorted.end());
  CUTAWAY_CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
                "movedim: repeated dim in `", which, "` (", given, ")");
}

}  // namespace

Geometry movedim(const Geometry& g, IntArrayRef source, IntArrayRef destination) {
  CUTAWAY_CHECK(source.size() == destination.size(), "movedim: Invalid source or destination dims: source (",
                source, " dims) should contain the same number of dims as destination (", destination,
                " dims)");
  const DimVector from = wrap_dims(source, g.dim());
  const DimVector to = wrap_dims(destination, g.dim());
  check_distinct(from, source, "source");
  check_distinct(to, destination, "destination");
  if (g.dim() == 0) return g;
  DimVector order(g.sizes.size(), -1);
  std::vector<bool> placed(g.sizes.size());
  for (size_t i = 0; i < from.size(); ++i) {
    order[to[i]] = from[i];
    placed[from[i]] = true;
  }
  int64_t next = 0;  // the dimensions that were not named keep their order in the places left over
  for (int64_t& dim : order) {
    if (dim != -1) continue;
    while (placed[next]) ++next;
    dim = next++;
  }
  return permute(g, order);
}

Geometry expand(const Geometry& g, IntArrayRef sizes, ScalarType dtype) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  CUTAWAY_CHECK(ndim >= g.dim(), "expand(torch.", to_string(dtype), "Tensor{", IntArrayRef(g.sizes),
                "}, size=", sizes, "): the number of sizes provided (", ndim,
                ") must be greater or equal to the number of dimensions in "
                "the tensor (",
                g.dim(), ")");
  Geometry result{DimVector(sizes), DimVector(sizes.size()), g.offset};
  for (int64_t i = ndim - 1; i >= 0; --i) {
    const int64_t old = i - (ndim - g.dim());
    const int64_t size = old >= 0 ? g.sizes[old] : 1;
    int64_t target = sizes[i];
    if (target == -1) {
      CUTAWAY_CHECK(old >= 0, "The expanded size of the tensor (", target,
                    ") isn't allowed in a leading, non-existing dimension ", i);
      target = size;
    }
    CUTAWAY_CHECK(target >= 0, "Trying to create tensor with negative dimension ", target, ": ", sizes);
    // A new dimension steps nowhere. Its stride is 0 once it has more than one element, and keeps PyTorch's value (a
    // full run of its right neighbour; 0 over a scalar) while it has one.
    const int64_t run = g.dim() == 0 ? 0 : i + 1 < ndim ? result.sizes[i + 1] * result.strides[i + 1] : 1;
    result.strides[i] = old >= 0 ? g.strides[old] : run;
    if (size != target) {
      CUTAWAY_CHECK(size == 1, "The expanded size of the tensor (", target,
                    ") must match the existing size (", size, ") at non-singleton dimension ", i,
                    ".  Target sizes: ", sizes, ".  Tensor sizes: ", IntArrayRef(g.sizes));
      result.strides[i] = 0;
    }
    result.sizes[i] = target;
  }
  return result;
}

Geometry select(const Geometry& g, int64_t dim, int64_t index) {
  CUTAWAY_CHECK_INDEX(g.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, g.dim());
  const int64_t size = g.sizes[dim];
  CUTAWAY_CHECK_INDEX(-size <= index && index < size, "select(): index ", index,
                      " out of range for tensor of size ", IntArrayRef(g.sizes), " at dimension ", dim);
  if (index < 0) index += size;
  Geometry result = g;
  result.offset += index * g.strides[dim];
  result.sizes.erase(dim);
  result.strides.erase(dim);
  return result;
}

Geometry slice(const Geometry& g, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
               int64_t step) {
  CUTAWAY_CHECK(g.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, g.dim());
  CUTAWAY_CHECK(step > 0, "slice step must be positive");
  const int64_t size = g.sizes[dim];
  const auto place = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  const int64_t first = place(start.value_or(0));
  const int64_t last = std::max(first, place(end.value_or(size)));
  Geometry result = g;
  result.offset += first * g.strides[dim];
  const int64_t length = last - first;
  result.sizes[dim] = length == 0 ? 0 : (length - 1) / step + 1;
  result.strides[dim] = g.strides[dim] * step;
  return result;
}

Geometry narrow(const Geometry& g, int64_t dim, int64_t start, int64_t length) {
  CUTAWAY_CHECK(g.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  CUTAWAY_CHECK(length >= 0, "narrow(): length must be non-negative.");
  dim = wrap_dim(dim, g.dim());
  const int64_t size = g.sizes[dim];
  CUTAWAY_CHECK_INDEX(-size <= start && start <= size, "start out of range (expected to be in range of [",
                      -size, ", ", size, "], but got ", start, ")");
  if (start < 0) start += size;
  CUTAWAY_CHECK(start <= size - length, "start (", start, ") + length (", length,
                ") exceeds dimension size (", size, ").");
  return slice(g, dim, start, start + length, 1);
}

Geometry squeeze(const Geometry& g) {
  Geometry result{{}, {}, g.offset};
  for (size_t i = 0; i < g.sizes.size(); ++i) {
    if (g.sizes[i] == 1) continue;
    result.sizes.push_back(g.sizes[i]);
    result.strides.push_back(g.strides[i]);
  }
  return result;
}

Geometry squeeze(const Geometry& g, IntArrayRef dims) {
  std::vector<bool> named(g.sizes.size() + 1);
  for (int64_t dim : wrap_dims(dims, g.dim())) {
    CUTAWAY_CHECK(!named[dim], "dim ", dim, " appears multiple times in the list of dims");
    named[dim] = true;
  }
  Geometry result{{}, {}, g.offset};
  for (size_t i = 0; i < g.sizes.size(); ++i) {
    if (named[i] && g.sizes[i] == 1) continue;
    result.sizes.push_back(g.sizes[i]);
    result.strides.push_back(g.strides[i]);
  }
  return result;
}

Geometry unsqueeze(const Geometry& g, int64_t dim) {
  dim = wrap_dim(dim, g.dim() + 1);
  Geometry result = g;
  const int64_t stride = dim < g.dim() ? g.sizes[dim] * g.strides[dim] : 1;
  result.sizes.insert(dim, 1);
  result.strides.insert(dim, stride);
  return result;
}

Geometry unfold(const Geometry& g, int64_t dim, int64_t size, int64_t step) {
  dim = wrap_dim(dim, g.dim());
  const int64_t available = g.dim() == 0 ? 1 : g.sizes[dim];
  CUTAWAY_CHECK(size >= 0, "size is ", size, " but must be >= 0");
  CUTAWAY_CHECK(size <= available, "maximum size for tensor at dimension ", dim, " is ", available,
                " but size is ", size);
  CUTAWAY_CHECK(step > 0, "step is ", step, " but must be > 0");
  Geometry result = g;
  const int64_t stride = g.dim() == 0 ? 1 : g.strides[dim];
  result.sizes.push_back(size);
  result.strides.push_back(stride);
  if (g.dim() > 0) {
    result.sizes[dim] = (available - size) / step + 1;
    result.strides[dim] = step * stride;
  }
  return result;
}

Geometry diagonal(const Geometry& g, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t first = wrap_dim(dim1, g.dim());
  const int64_t second = wrap_dim(dim2, g.dim());
  CUTAWAY_CHECK(first != second, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  const int64_t rows = g.sizes[first], columns = g.sizes[second];
  const int64_t length =
      std::max<int64_t>(offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns), 0);
  Geometry result = g;
  // An empty diagonal keeps the offset: it reads nothing, and the place may lie outside.
  if (length > 0) result.offset += offset >= 0 ? offset * g.strides[second] : -offset * g.strides[first];
  for (int64_t dim : {std::max(first, second), std::min(first, second)}) {
    result.sizes.erase(dim);
    result.strides.erase(dim);
  }
  result.sizes.push_back(length);
  result.strides.push_back(g.strides[first] + g.strides[second]);
  return result;
}

Geometry as_strided(IntArrayRef sizes, IntArrayRef strides, int64_t offset, size_t itemsize,
                    std::optional<uint64_t> storage_nbytes) {
  CUTAWAY_CHECK(sizes.size() == strides.size(), "mismatch in length of strides and shape");
  for (int64_t size : sizes)
    CUTAWAY_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  for (int64_t stride : strides)
    CUTAWAY_CHECK(stride >= 0,
                  "as_strided: Negative strides are not supported at the moment, got strides: ", strides);
  CUTAWAY_CHECK(offset >= 0, "Tensor: invalid storage offset ", offset);
  if (storage_nbytes) check_in_bounds(sizes, strides, offset, itemsize, *storage_nbytes);
  return {DimVector(sizes), DimVector(strides), offset};
}

std::vector<Geometry> split(const Geometry& g, int64_t split_size, int64_t dim) {
  CUTAWAY_CHECK(g.dim() != 0, "split expects at least a 1-dimensional tensor");
  CUTAWAY_CHECK(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  dim = wrap_dim(dim, g.dim());
  const int64_t size = g.sizes[dim];
  CUTAWAY_CHECK(split_size > 0 || size == 0,
                "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  const int64_t pieces = split_size == 0 ? 1 : std::max<int64_t>((size + split_size - 1) / split_size, 1);
  std::vector<Geometry> result;
  for (int64_t i = 0; i < pieces; ++i) {
    const int64_t start = i * split_size;
    result.push_back(narrow(g, dim, start, std::min(split_size, size - start)));
  }
  return result;
}

std::vector<Geometry> split_with_sizes(const Geometry& g, IntArrayRef split_sizes, int64_t dim) {
  CUTAWAY_CHECK(g.dim() != 0, "split expects at least a 1-dimensional tensor");
  dim = wrap_dim(dim, g.dim());
  int64_t total = 0;
  for (int64_t size : split_sizes) {
    CUTAWAY_CHECK(size >= 0,
                  "split_with_sizes expects split_sizes have only non-negative entries, but got "
                  "split_sizes=",
                  split_sizes);
    total += size;
  }
  CUTAWAY_CHECK(total == g.sizes[dim], "split_with_sizes expects split_sizes to sum exactly to ",
                g.sizes[dim], " (input tensor's size at dimension ", dim,
                "), but got split_sizes=", split_sizes);
  std::vector<Geometry> result;
  int64_t start = 0;
  for (int64_t size : split_sizes) {
    result.push_back(narrow(g, dim, start, size));
    start += size;
  }
  return result;
}

std::vector<Geometry> chunk(const Geometry& g, int64_t chunks, int64_t dim) {
  CUTAWAY_CHECK(g.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  CUTAWAY_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t size = g.sizes[wrap_dim(dim, g.dim())];
  const int64_t split_size = (size + chunks - 1) / chunks;
  // An empty dimension still gives the number of chunks asked for.
  if (split_size == 0) return split_with_sizes(g, DimVector(chunks, 0), dim);
  return split(g, split_size, dim);
}

std::vector<Geometry> unbind(const Geometry& g, int64_t dim) {
  dim = wrap_dim(dim, g.dim());
  CUTAWAY_CHECK_INDEX(g.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  std::vector<Geometry> result;
  for (int64_t i = 0; i < g.sizes[dim]; ++i) result.push_back(select(g, dim, i));
  return result;
}

}  // namespace cutaway
