// The functions of views.h that may or must copy: what a copy costs is one fresh storage and one write.

#include <string>

#include "core/convert.h"
#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/reshaping.h"
#include "core/promote.h"
#include "kernels/alias.h"
#include "kernels/factories.h"
#include "kernels/inplace.h"
#include "kernels/tensor_geometry.h"
#include "kernels/views.h"

namespace cutaway {
namespace {

void report_copy(const Tensor& result, const Tensor& source, const char* op, const std::string& why) {
  Observer* o = observer();
  if (!o) return;
  ViewFacts facts;
  facts.result = result.id();
  facts.source = source.id();
  facts.op = op;
  facts.call = op;
  facts.copied = true;
  facts.why = why;
  o->view_made(facts);
}

// A copy of self with the given strides.
Tensor copied(const Tensor& self, IntArrayRef strides, const char* op, const std::string& why) {
  Tensor result = empty_strided(self.sizes(), strides, {self.dtype(), self.device()});
  copy_fresh(result, self);
  report_copy(result, self, op, why);
  return result;
}

Tensor reshape_as(const char* op, const Tensor& self, IntArrayRef sizes) {
  OpScope scope(op);
  const Reshaped reshaped = reshape(geometry_of(self), sizes);
  if (!reshaped.copies) return view(self, reshaped.geometry.sizes);
  return view(copied(self, contiguous_strides(self.sizes()), op, reshaped.why), reshaped.geometry.sizes);
}

}  // namespace

Tensor reshape(const Tensor& self, IntArrayRef sizes) { return reshape_as("reshape", self, sizes); }

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const DimVector sizes = flattened_sizes(self.sizes(), start_dim, end_dim);
  if (IntArrayRef(sizes) == self.sizes()) return self;
  return reshape_as("flatten", self, sizes);
}

Tensor contiguous(const Tensor& self, MemoryFormat format) {
  CUTAWAY_CHECK(format != MemoryFormat::Preserve,
                "preserve memory format is unsupported by the contiguous operator");
  if (self.is_contiguous(format)) return self;
  OpScope scope("contiguous");
  const DimVector strides = format == MemoryFormat::ChannelsLast     ? channels_last_strides(self.sizes())
                            : format == MemoryFormat::ChannelsLast3d ? channels_last_3d_strides(self.sizes())
                                                                     : contiguous_strides(self.sizes());
  return copied(self, strides, "contiguous",
                std::string("The elements do not lie in the order of ") + to_string(format) + ".");
}

Tensor clone(const Tensor& self, MemoryFormat format) {
  OpScope scope("clone");
  const DimVector strides = format == MemoryFormat::Preserve ? preserved_strides(self.sizes(), self.strides())
                            : format == MemoryFormat::ChannelsLast ? channels_last_strides(self.sizes())
                                                                   : contiguous_strides(self.sizes());
  return copied(self, strides, "clone", "clone() always copies.");
}

Tensor to(const Tensor& self, ScalarType dtype) {
  if (self.dtype() == dtype) return self;
  OpScope scope("to");
  Tensor result =
      empty_strided(self.sizes(), preserved_strides(self.sizes(), self.strides()), {dtype, self.device()});
  copy_fresh(result, self);
  report_copy(result, self, "to", "Another dtype needs other bytes.");
  return result;
}

Tensor index(const Tensor& self, const std::vector<IndexItem>& items) {
  OpScope scope("index");
  const Indexed indexed = index(geometry_of(self), items);
  if (!indexed.copies) return alias_of(self, indexed.geometry, "index", "index");
  Tensor result = empty(indexed.geometry.sizes, {self.dtype(), self.device()});
  for (size_t row = 0; row < indexed.rows.size(); ++row)
    copy_fresh(select(result, indexed.gather_dim, static_cast<int64_t>(row)), index(self, indexed.rows[row]));
  report_copy(result, self, "index", indexed.why);
  return result;
}

Tensor add(const Tensor& self, const Scalar& other) {
  OpScope scope("add");
  const ScalarType type = result_type(self.dtype(), other);
  Tensor result =
      empty_strided(self.sizes(), preserved_strides(self.sizes(), self.strides()), {type, self.device()});
  copy_fresh(result, self);
  add_fresh(result, other);
  return result;
}

const Tensor& add_out(const Tensor& out, const Tensor& self, const Scalar& other) {
  OpScope scope("add");
  const ScalarType type = result_type(self.dtype(), other);
  CUTAWAY_CHECK(can_cast(type, out.dtype()), "result type ", type,
                " can't be cast to the desired output type ", out.dtype());
  resize_output(out, self.sizes());
  copy_(out, add(self, other));
  return out;
}

Scalar item(const Tensor& self) {
  CUTAWAY_CHECK(self.numel() == 1, "a Tensor with ", self.numel(), " elements cannot be converted to Scalar");
  CUTAWAY_CHECK(!self.device().is_meta(), "Tensor.item() cannot be called on meta tensors");
  return with_type_of(self.dtype(), "item",
                      [&](auto type) -> Scalar { return load<decltype(type)>(self.const_data_ptr()); });
}

bool equal(const Tensor& a, const Tensor& b) {
  CUTAWAY_CHECK(a.dtype() == b.dtype(), "Expected object of data type ", a.dtype(), " but got data type ",
                b.dtype(), " for argument 'other' in call to equal");
  if (!(a.sizes() == b.sizes())) return false;
  const Tensor left = contiguous(a), right = contiguous(b);
  return with_type_of(a.dtype(), "equal", [&](auto type) {
    using T = decltype(type);
    const T* x = static_cast<const T*>(left.const_data_ptr());
    const T* y = static_cast<const T*>(right.const_data_ptr());
    for (int64_t i = 0; i < a.numel(); ++i)
      if (!(load<T>(x + i) == load<T>(y + i))) return false;
    return true;
  });
}

}  // namespace cutaway
