// Every operation that makes a view by arithmetic on sizes, strides and offset alone (view() itself: reshaping.h).
//
// Each takes a Geometry and returns one over the same storage. Dimensions may be negative. Errors carry PyTorch's texts
// and kinds. None of them can fail for reasons of memory order: these views always exist.
//
// PyTorch: aten/src/ATen/native/TensorShape.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/geometry/geometry.h"
#include "core/scalar_type.h"

namespace cutaway {

Geometry transpose(const Geometry& g, int64_t dim0, int64_t dim1);
// A matrix's transpose; unchanged for fewer than two dimensions. Throws: Error for more.
Geometry t(const Geometry& g);
// Throws: Error for duplicate or missing dimensions.
Geometry permute(const Geometry& g, IntArrayRef dims);
Geometry movedim(const Geometry& g, IntArrayRef source, IntArrayRef destination);

// New and size-1 dimensions get stride 0; -1 keeps an existing dimension. `dtype` is named in one error text.
// Throws: Error M4.
Geometry expand(const Geometry& g, IntArrayRef sizes, ScalarType dtype = ScalarType::Float);

Geometry select(const Geometry& g, int64_t dim, int64_t index);
// Bounds are clamped as in Python; no start or end means from the beginning, to the end. Throws: ValueError or Error
// unless step > 0.
Geometry slice(const Geometry& g, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
               int64_t step);
Geometry narrow(const Geometry& g, int64_t dim, int64_t start, int64_t length);

Geometry squeeze(const Geometry& g);
Geometry squeeze(const Geometry& g, IntArrayRef dims);
Geometry unsqueeze(const Geometry& g, int64_t dim);

// Windows of `size` elements, `step` apart, along `dim`; the window becomes the last dimension. They may overlap.
Geometry unfold(const Geometry& g, int64_t dim, int64_t size, int64_t step);
Geometry diagonal(const Geometry& g, int64_t offset, int64_t dim1, int64_t dim2);

// Sizes, strides and offset as given. `storage_nbytes`, where known, bounds what may be named.
// Throws: Error M30 for negative strides, M31 when it reaches beyond the storage.
Geometry as_strided(IntArrayRef sizes, IntArrayRef strides, int64_t offset, size_t itemsize,
                    std::optional<uint64_t> storage_nbytes);

std::vector<Geometry> split(const Geometry& g, int64_t split_size, int64_t dim);
std::vector<Geometry> split_with_sizes(const Geometry& g, IntArrayRef split_sizes, int64_t dim);
std::vector<Geometry> chunk(const Geometry& g, int64_t chunks, int64_t dim);
std::vector<Geometry> unbind(const Geometry& g, int64_t dim);

}  // namespace cutaway
