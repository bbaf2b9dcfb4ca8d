#include "kernels/inplace.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "core/convert.h"
#include "core/error.h"
#include "core/geometry/bounds.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/overlap.h"
#include "core/geometry/view_ops.h"
#include "core/promote.h"
#include "core/warning.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/tensor_geometry.h"
#include "kernels/write_scope.h"

namespace cutaway {
namespace {

// Returns: other's geometry broadcast to self. Throws: M3 or M5.
Geometry broadcast_to_self(const Tensor& self, const Tensor& other) {
  const int64_t ndim = std::max(self.dim(), other.dim());
  DimVector shape(static_cast<size_t>(ndim));
  for (int64_t i = 0; i < ndim; ++i) {
    const int64_t a = i < ndim - self.dim() ? 1 : self.sizes()[i - (ndim - self.dim())];
    const int64_t b = i < ndim - other.dim() ? 1 : other.sizes()[i - (ndim - other.dim())];
    CUTAWAY_CHECK(a == b || a == 1 || b == 1, "The size of tensor a (", a,
                  ") must match the size of tensor b (", b, ") at non-singleton dimension ", i);
    shape[i] = a == 1 ? b : a;
  }
  CUTAWAY_CHECK(IntArrayRef(shape) == self.sizes(), "output with shape ", self.sizes(),
                " doesn't match the broadcast shape ", IntArrayRef(shape));
  return expand(geometry_of(other), shape, other.dtype());
}

void check_overlap(const Tensor& self, const Tensor& other) {
  if (self.is_same(other) || !self.is_alias_of(other) || self.itemsize() != other.itemsize()) return;
  assert_no_partial_overlap(geometry_of(self), geometry_of(other));
}

void check_writable(const Tensor& self) { assert_no_internal_overlap(self.sizes(), self.strides()); }

void check_devices(const Tensor& self, const Tensor& other) {
  CUTAWAY_CHECK(self.device() == other.device() || (other.device().is_cpu() && other.dim() == 0),
                "Expected all tensors to be on the same device, but found at least two devices, ",
                self.device(), " and ", other.device(), "!");
}

void check_result_type(ScalarType common, const Tensor& self) {
  CUTAWAY_CHECK(can_cast(common, self.dtype()), "result type ", common,
                " can't be cast to the desired output type ", self.dtype());
}

// What self's dtype must hold: a 0-dim operand only matters by its category, as a plain number does.
ScalarType common_type(const Tensor& self, const Tensor& other) {
  const auto category = [](ScalarType t) { return is_floating(t) ? 2 : t == ScalarType::Bool ? 0 : 1; };
  const bool weak = other.dim() == 0 && self.dim() > 0;
  return weak && category(other.dtype()) <= category(self.dtype())
             ? self.dtype()
             : promote_types(self.dtype(), other.dtype());
}

const Tensor& binary_(cpu::BinaryOp op, const char* op_name, const Tensor& self, const Tensor& other) {
  OpScope scope(op_name);
  check_devices(self, other);
  const Geometry geometry = broadcast_to_self(self, other);
  check_result_type(common_type(self, other), self);
  check_writable(self);
  check_overlap(self, other);
  WriteScope write(self);
  if (!self.device().is_meta())
    cpu::binary(op, self, {other.dtype(), other.const_data_ptr(), geometry.strides});
  return self;
}

const Tensor& binary_(cpu::BinaryOp op, const char* op_name, const Tensor& self, const Scalar& other,
                      WriteScope::Of of = WriteScope::Of::Existing) {
  std::ostringstream call;
  call << op_name << '(' << other << ')';
  OpScope scope(op_name, call.str());
  const ScalarType type = result_type(self.dtype(), other);
  check_result_type(type, self);
  check_writable(self);
  WriteScope write(self, of);
  if (self.device().is_meta()) return self;
  // The number becomes an element on the stack, read with stride 0. It wraps as an element does, and beside 16-bit
  // floats it keeps the precision that they are computed in.
  const ScalarType held = type == ScalarType::Half || type == ScalarType::BFloat16 ? ScalarType::Float : type;
  alignas(8) std::byte element[8];
  with_type_of(held, op_name, [&](auto t) {
    const auto value = other.wrapped_to<decltype(t)>();
    std::memcpy(element, &value, sizeof(value));
  });
  cpu::binary(op, self, {held, element, DimVector(self.sizes().size(), 0)});
  return self;
}

cpu::Source source_of(const Tensor& tensor, const Geometry& expanded) {
  return {tensor.dtype(), tensor.const_data_ptr(), expanded.strides};
}

// Row-major sizes over a storage that grows when it must; no version is counted.
void resize_storage(const Tensor& self, IntArrayRef sizes) {
  for (int64_t size : sizes)
    CUTAWAY_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  const uint64_t needed =
      required_nbytes(sizes, contiguous_strides(sizes), self.storage_offset(), self.itemsize());
  if (needed > self.storage()->nbytes()) self.storage()->resize(needed);
  self.unsafe_impl()->set_sizes_contiguous(sizes);
}

// Changes self's geometry and counts it as a version.
const Tensor& restride_(const char* op, const Tensor& self, const Geometry& g) {
  OpScope scope(op);
  self.unsafe_impl()->set_sizes_and_strides(g.sizes, g.strides, g.offset);
  self.unsafe_impl()->bump_version();
  return self;
}

}  // namespace

const Tensor& fill_(const Tensor& self, const Scalar& value) {
  OpScope scope("fill_");
  check_writable(self);
  WriteScope write(self);
  if (!self.device().is_meta()) cpu::fill(self, value);
  return self;
}

const Tensor& zero_(const Tensor& self) {
  OpScope scope("zero_");
  return fill_(self, 0);
}

const Tensor& copy_(const Tensor& self, const Tensor& source) {
  OpScope scope("copy_");
  const Geometry geometry = expand(geometry_of(source), self.sizes(), source.dtype());
  check_writable(self);
  check_overlap(self, source);
  CUTAWAY_CHECK_NOT_IMPLEMENTED(!source.device().is_meta() || self.device().is_meta(),
                                "Cannot copy out of meta tensor; no data!");
  WriteScope write(self);
  if (!self.device().is_meta()) cpu::copy(self, source_of(source, geometry));
  return self;
}

const Tensor& add_(const Tensor& self, const Tensor& other) {
  return binary_(cpu::BinaryOp::Add, "add_", self, other);
}
const Tensor& add_(const Tensor& self, const Scalar& other) {
  return binary_(cpu::BinaryOp::Add, "add_", self, other);
}
const Tensor& mul_(const Tensor& self, const Tensor& other) {
  return binary_(cpu::BinaryOp::Multiply, "mul_", self, other);
}
const Tensor& mul_(const Tensor& self, const Scalar& other) {
  return binary_(cpu::BinaryOp::Multiply, "mul_", self, other);
}

const Tensor& t_(const Tensor& self) { return restride_("t_", self, t(geometry_of(self))); }
const Tensor& transpose_(const Tensor& self, int64_t dim0, int64_t dim1) {
  return restride_("transpose_", self, transpose(geometry_of(self), dim0, dim1));
}
const Tensor& squeeze_(const Tensor& self) { return restride_("squeeze_", self, squeeze(geometry_of(self))); }
const Tensor& unsqueeze_(const Tensor& self, int64_t dim) {
  return restride_("unsqueeze_", self, unsqueeze(geometry_of(self), dim));
}
const Tensor& as_strided_(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                          std::optional<int64_t> offset) {
  return restride_("as_strided_", self,
                   as_strided(sizes, strides, offset.value_or(self.storage_offset()), self.itemsize(),
                              self.storage()->nbytes()));
}

const Tensor& resize_(const Tensor& self, IntArrayRef sizes) {
  if (self.sizes() == sizes) return self;
  OpScope scope("resize_");
  resize_storage(self, sizes);
  self.unsafe_impl()->bump_version();
  return self;
}

const Tensor& set_(const Tensor& self, const Tensor& source) {
  CUTAWAY_CHECK(self.dtype() == source.dtype(), "Expected a Tensor of type ", self.dtype(),
                " but found type ", source.dtype(), " for set_");
  OpScope scope("set_");
  self.unsafe_impl()->set_storage(source.storage(), source.sizes(), source.strides(),
                                  source.storage_offset());
  self.unsafe_impl()->bump_version();
  return self;
}

bool resize_output(const Tensor& out, IntArrayRef sizes) {
  if (out.sizes() == sizes) return false;
  if (out.numel() != 0) {
    std::ostringstream text;
    text << "An output with one or more elements was resized since it had shape " << out.sizes()
         << ", which does not match the required output shape " << sizes
         << ". To reuse a tensor as an output of another shape, first give it no elements: out.resize_(0).";
    warn(text.str());
  }
  OpScope scope("resize_output");
  resize_storage(out, sizes);
  return true;
}

void add_fresh(const Tensor& self, const Scalar& other) {
  binary_(cpu::BinaryOp::Add, "add", self, other, WriteScope::Of::Fresh);
}

void fill_fresh(const Tensor& self, const Scalar& value) {
  WriteScope write(self, WriteScope::Of::Fresh);
  if (!self.device().is_meta()) cpu::fill(self, value);
}

void count_fresh(const Tensor& self) {
  WriteScope write(self, WriteScope::Of::Fresh);
  if (!self.device().is_meta()) cpu::count(self);
}

void copy_fresh(const Tensor& self, const Tensor& source) {
  WriteScope write(self, WriteScope::Of::Fresh);
  if (!self.device().is_meta())
    cpu::copy(self, source_of(source, expand(geometry_of(source), self.sizes(), source.dtype())));
}

}  // namespace cutaway
