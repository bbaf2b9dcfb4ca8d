// The handle of a tensor: 8 bytes, copied freely, shared by everyone who holds one.
//
// Copying a Tensor copies a pointer; two handles on one TensorImpl are the same tensor. A default-constructed
// handle is undefined. Operations are functions elsewhere (src/kernels); this is only what a tensor can say
// about itself.
// Thread safety: as for intrusive_ptr.
//
// PyTorch: aten/src/ATen/core/TensorBase.h
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/tensor_impl.h"
#include "core/undefined_tensor_impl.h"

namespace cutaway {

class Tensor {
 public:
  using ImplPtr = intrusive_ptr<TensorImpl, UndefinedTensorImpl>;

  Tensor() = default;
  explicit Tensor(ImplPtr impl) : impl_(std::move(impl)) {}
  explicit Tensor(intrusive_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}

  bool defined() const { return impl_.defined(); }
  TensorImpl* unsafe_impl() const { return impl_.get(); }
  const ImplPtr& impl() const { return impl_; }
  ObjectId id() const { return impl_->id(); }
  void reset() { impl_.reset(); }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }

  int64_t dim() const { return checked().dim(); }
  IntArrayRef sizes() const { return checked().sizes(); }
  IntArrayRef strides() const { return checked().strides(); }
  // One size or stride; negative dimensions count from the end. Throws: IndexError (M32).
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  int64_t storage_offset() const { return checked().storage_offset(); }
  int64_t numel() const { return checked().numel(); }
  ScalarType dtype() const { return checked().dtype(); }
  size_t itemsize() const { return checked().itemsize(); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  Device device() const { return checked().device(); }
  Layout layout() const { return checked().layout(); }
  DispatchKeySet key_set() const { return impl_->key_set(); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const {
    return checked().is_contiguous(format);
  }
  bool is_non_overlapping_and_dense() const { return checked().is_non_overlapping_and_dense(); }
  // The format an op should give its output to follow this tensor.
  MemoryFormat suggest_memory_format() const;

  const Storage& storage() const { return checked().storage(); }
  // Whether both look at one storage. Two storages over one address are no aliases.
  bool is_alias_of(const Tensor& other) const;
  uint32_t use_count() const { return impl_.use_count(); }
  uint64_t _version() const { return checked().version_counter().current(); }
  bool requires_grad() const { return impl_->requires_grad(); }

  // Address of the first element. Throws: Error for tensors without memory.
  const void* const_data_ptr() const { return checked().data(); }
  void* mutable_data_ptr() const { return checked().mutable_data(); }
  // The same, typed. Throws: Error "expected scalar type Float but found Double" (M27).
  template <class T>
  const T* const_data_ptr() const {
    check_dtype(scalar_type_of<T>());
    return static_cast<const T*>(const_data_ptr());
  }
  template <class T>
  T* mutable_data_ptr() const {
    check_dtype(scalar_type_of<T>());
    return static_cast<T*>(mutable_data_ptr());
  }

 private:
  // Throws: Error "Expected a proper Tensor but got None (or an undefined Tensor in C++)" (MEM-5).
  TensorImpl& checked() const {
    if (__builtin_expect(!impl_.defined(), 0)) throw_undefined();
    return *impl_;
  }
  [[noreturn]] static void throw_undefined();
  void check_dtype(ScalarType wanted) const;

  ImplPtr impl_;
};

static_assert(sizeof(Tensor) == 8, "MEM-4: a handle is one pointer");

// Gives the tensor a name that people see in the inspector; costs nothing when nobody watches.
void name(const Tensor& tensor, std::string_view text);

}  // namespace cutaway
