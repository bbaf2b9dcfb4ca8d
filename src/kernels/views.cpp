#include "kernels/views.h"

#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/geometry/reshaping.h"
#include "core/geometry/view_ops.h"
#include "kernels/alias.h"
#include "kernels/tensor_geometry.h"

namespace cutaway {
namespace {

// Text of a call as the observer shows it; built only while somebody watches.
template <class... Args>
std::string call_text(const char* op, const Args&... args) {
  if (!observer()) return {};
  std::ostringstream out;
  out << op << '(';
  [[maybe_unused]] const char* separator = "";
  ((out << separator << args, separator = ", "), ...);
  out << ')';
  return out.str();
}

struct Bound {
  std::optional<int64_t> value;
  friend std::ostream& operator<<(std::ostream& out, const Bound& b) {
    return b.value ? out << *b.value : out << "None";
  }
};

// Runs `geometry` (which may throw) inside an operator span and makes the view.
template <class Make, class... Args>
Tensor view_op(const Tensor& self, const char* op, const Make& geometry, const Args&... args) {
  const std::string call = call_text(op, args...);
  OpScope scope(op, call);
  return alias_of(self, geometry(geometry_of(self)), op, call);
}

template <class Make, class... Args>
std::vector<Tensor> multi_view_op(const Tensor& self, const char* op, const Make& geometries,
                                  const Args&... args) {
  const std::string call = call_text(op, args...);
  OpScope scope(op, call);
  std::vector<Tensor> results;
  const std::vector<Geometry> all = geometries(geometry_of(self));
  for (size_t i = 0; i < all.size(); ++i)
    results.push_back(alias_of(self, all[i], op, call.empty() ? call : call + "[" + std::to_string(i) + "]"));
  return results;
}

}  // namespace

Tensor view(const Tensor& self, IntArrayRef sizes) {
  return view_op(
      self, "view", [&](const Geometry& g) { return view(g, sizes); }, sizes);
}
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  return view_op(
      self, "transpose", [&](const Geometry& g) { return transpose(g, dim0, dim1); }, dim0, dim1);
}
Tensor t(const Tensor& self) {
  return view_op(self, "t", [&](const Geometry& g) { return t(g); });
}
Tensor permute(const Tensor& self, IntArrayRef dims) {
  return view_op(
      self, "permute", [&](const Geometry& g) { return permute(g, dims); }, dims);
}
Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return view_op(
      self, "movedim", [&](const Geometry& g) { return movedim(g, source, destination); }, source,
      destination);
}
Tensor expand(const Tensor& self, IntArrayRef sizes) {
  return view_op(
      self, "expand", [&](const Geometry& g) { return expand(g, sizes, self.dtype()); }, sizes);
}
Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  return view_op(
      self, "select", [&](const Geometry& g) { return select(g, dim, index); }, dim, index);
}
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
             int64_t step) {
  return view_op(
      self, "slice", [&](const Geometry& g) { return slice(g, dim, start, end, step); }, dim, Bound{start},
      Bound{end}, step);
}
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return view_op(
      self, "narrow", [&](const Geometry& g) { return narrow(g, dim, start, length); }, dim, start, length);
}
Tensor squeeze(const Tensor& self) {
  return view_op(self, "squeeze", [&](const Geometry& g) { return squeeze(g); });
}
Tensor squeeze(const Tensor& self, IntArrayRef dims) {
  return view_op(
      self, "squeeze", [&](const Geometry& g) { return squeeze(g, dims); }, dims);
}
Tensor unsqueeze(const Tensor& self, int64_t dim) {
  return view_op(
      self, "unsqueeze", [&](const Geometry& g) { return unsqueeze(g, dim); }, dim);
}
Tensor unfold(const Tensor& self, int64_t dim, int64_t size, int64_t step) {
  return view_op(
      self, "unfold", [&](const Geometry& g) { return unfold(g, dim, size, step); }, dim, size, step);
}
Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return view_op(
      self, "diagonal", [&](const Geometry& g) { return diagonal(g, offset, dim1, dim2); }, offset, dim1,
      dim2);
}
Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> offset) {
  const auto make = [&](const Geometry& g) {
    return as_strided(sizes, strides, offset.value_or(g.offset), self.itemsize(), self.storage()->nbytes());
  };
  return view_op(self, "as_strided", make, sizes, strides, Bound{offset});
}
Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  const auto make = [&](const Geometry& g) { return view(g, unflattened_sizes(g.sizes, dim, sizes)); };
  return view_op(self, "unflatten", make, dim, sizes);
}

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  return multi_view_op(
      self, "split", [&](const Geometry& g) { return split(g, split_size, dim); }, split_size, dim);
}
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  return multi_view_op(
      self, "chunk", [&](const Geometry& g) { return chunk(g, chunks, dim); }, chunks, dim);
}
std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  return multi_view_op(
      self, "unbind", [&](const Geometry& g) { return unbind(g, dim); }, dim);
}

Tensor detach(const Tensor& self) {
  OpScope scope("detach", "detach()");
  return alias_of(self, geometry_of(self), "detach", "detach()");
}

Tensor data(const Tensor& self) {
  OpScope scope("data", "data");
  return alias_with(self, geometry_of(self), "data", "data", VersionCounter());
}

}  // namespace cutaway
