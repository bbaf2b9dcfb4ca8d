#include "core/geometry/reshaping.h"

#include <sstream>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/dims.h"

namespace cutaway {

DimVector infer_size(IntArrayRef sizes, int64_t numel) {
  int64_t known = 1;
  std::optional<size_t> inferred;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1) {
      CUTAWAY_CHECK(!inferred, "only one dimension can be inferred");
      inferred = i;
      continue;
    }
    CUTAWAY_CHECK(sizes[i] >= 0, "invalid shape dimension ", sizes[i], " at index ", i, " of shape ", sizes);
    CUTAWAY_CHECK(!__builtin_mul_overflow(known, sizes[i], &known), "shape '", sizes,
                  "' is invalid for input of size ", numel);
  }
  const bool fits = known == numel || (inferred && known > 0 && numel % known == 0);
  CUTAWAY_CHECK(fits, "shape '", sizes, "' is invalid for input of size ", numel);
  DimVector result(sizes);
  if (inferred) {
    CUTAWAY_CHECK(known != 0, "cannot reshape tensor of 0 elements into shape ", sizes,
                  " because the unspecified dimension size -1 can be any value and is ambiguous");
    result[*inferred] = numel / known;
  }
  return result;
}

std::vector<Chunk> memory_chunks(IntArrayRef sizes, IntArrayRef strides) {
  std::vector<Chunk> chunks;
  for (auto i = static_cast<int64_t>(sizes.size()) - 1; i >= 0; --i) {
    // A dimension of size 1 is never stepped over: it joins whatever stands to its right.
    const bool joins =
        !chunks.empty() && (sizes[i] == 1 || strides[i] == chunks.back().numel * chunks.back().stride);
    if (!joins) {
      chunks.push_back({i, i, sizes[i], strides[i]});
      continue;
    }
    chunks.back().first = i;
    chunks.back().numel *= sizes[i];
  }
  return {chunks.rbegin(), chunks.rend()};
}

// Walks chunks and new dimensions from the right. Each chunk must be filled exactly by new dimensions.
std::optional<DimVector> compute_stride(IntArrayRef sizes, IntArrayRef strides, IntArrayRef new_sizes) {
  if (compute_numel(sizes) == 0)
    return sizes == new_sizes ? DimVector(strides) : contiguous_strides(new_sizes);
  DimVector result(new_sizes.size(), 1);
  auto next = static_cast<int64_t>(new_sizes.size()) - 1;
  const std::vector<Chunk> chunks = memory_chunks(sizes, strides);
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
    int64_t filled = 1;
    while (next >= 0 && (filled < chunk->numel || new_sizes[next] == 1)) {
      result[next] = filled * chunk->stride;
      filled *= new_sizes[next];
      --next;
    }
    if (filled != chunk->numel) return std::nullopt;
  }
  if (chunks.empty()) return result;  // a scalar: every new dimension has size 1
  return next == -1 ? std::optional(result) : std::nullopt;
}

namespace {

// Finds the new dimension that straddles two chunks, and the old dimensions on both sides of that border.
void find_border(const Geometry& g, ViewVerdict& verdict) {
  auto next = static_cast<int64_t>(verdict.new_sizes.size()) - 1;
  for (size_t c = verdict.chunks.size(); c-- > 0;) {
    const Chunk& chunk = verdict.chunks[c];
    int64_t filled = 1;
    while (next >= 0 && filled < chunk.numel) filled *= verdict.new_sizes[next--];
    if (filled == chunk.numel || c == 0) continue;
    verdict.straddling = next + 1;
    verdict.inner = chunk.first;
    verdict.outer = verdict.chunks[c - 1].last;
    break;
  }
  if (verdict.outer < 0) return;
  // Dimensions of size 1 at the border say nothing, so step over them.
  while (g.sizes[verdict.inner] == 1) ++verdict.inner;
  verdict.outer_stride = g.strides[verdict.outer];
  verdict.inner_size = g.sizes[verdict.inner];
  verdict.inner_stride = g.strides[verdict.inner];
}

}  // namespace

ViewVerdict explain_view(const Geometry& g, IntArrayRef new_sizes) {
  ViewVerdict verdict;
  verdict.new_sizes = infer_size(new_sizes, g.numel());
  verdict.chunks = memory_chunks(g.sizes, g.strides);
  if (auto strides = compute_stride(g.sizes, g.strides, verdict.new_sizes)) {
    verdict.possible = true;
    verdict.geometry = {verdict.new_sizes, *strides, g.offset};
  } else {
    find_border(g, verdict);
  }
  return verdict;
}

std::string ViewVerdict::why() const {
  if (possible) return "";
  std::ostringstream out;
  out << "Dimensions " << outer << " and " << inner << " cannot merge: stepping dimension " << outer
      << " once moves " << outer_stride << (outer_stride == 1 ? " element" : " elements")
      << ", but a full run of dimension " << inner << " moves " << inner_size << " x " << inner_stride
      << " = " << inner_size * inner_stride << ". ";
  if (straddling >= 0)
    out << "Dimension " << straddling << " of the new shape, size " << new_sizes[straddling]
        << ", would need one stride for both.";
  return out.str();
}

Geometry view(const Geometry& g, IntArrayRef new_sizes) {
  ViewVerdict verdict = explain_view(g, new_sizes);
  CUTAWAY_CHECK(
      verdict.possible,
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
      "two contiguous subspaces). Use .reshape(...) instead.");
  return verdict.geometry;
}

Reshaped reshape(const Geometry& g, IntArrayRef new_sizes) {
  ViewVerdict verdict = explain_view(g, new_sizes);
  if (verdict.possible) return {verdict.geometry, false, ""};
  return {contiguous_geometry(verdict.new_sizes), true, verdict.why()};
}

DimVector flattened_sizes(IntArrayRef sizes, int64_t start_dim, int64_t end_dim) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  start_dim = wrap_dim(start_dim, ndim);
  end_dim = wrap_dim(end_dim, ndim);
  CUTAWAY_CHECK(start_dim <= end_dim, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (ndim == 0) return {1};
  DimVector result;
  for (int64_t i = 0; i < start_dim; ++i) result.push_back(sizes[i]);
  int64_t joined = 1;
  for (int64_t i = start_dim; i <= end_dim; ++i) joined *= sizes[i];
  result.push_back(joined);
  for (int64_t i = end_dim + 1; i < ndim; ++i) result.push_back(sizes[i]);
  return result;
}

DimVector unflattened_sizes(IntArrayRef sizes, int64_t dim, IntArrayRef parts) {
  dim = wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  CUTAWAY_CHECK(!parts.empty(), "unflatten: sizes must be non-empty");
  CUTAWAY_CHECK(!sizes.empty(), "unflatten: a scalar has no dimension to unflatten");
  int64_t known = 1;
  bool open = false;
  for (int64_t part : parts) {
    open |= part == -1;
    if (part != -1) known *= part;
  }
  const bool fits = open ? known > 0 && sizes[dim] % known == 0 : known == sizes[dim];
  CUTAWAY_CHECK(fits, "unflatten: Provided sizes ", parts, " don't multiply up to the size of dim ", dim,
                " (", sizes[dim], ") in the input tensor");
  const DimVector inferred = infer_size(parts, sizes[dim]);
  DimVector result;
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i) {
    if (i != dim) {
      result.push_back(sizes[i]);
      continue;
    }
    for (int64_t part : inferred) result.push_back(part);
  }
  return result;
}

}  // namespace cutaway
