// What a tensor is: sizes, strides and an offset over a storage, a dtype, a device, and the keys that steer its calls.
//
// The fields of every tensor come first, those of strided ones next; a subclass (sparse, say) adds its own behind
// them. So a size query is a load, never a virtual call. `tensor_impl_fields()` names every field with its byte
// offset, for people who want to see the struct.
// Invariants: sizes and strides have one length; numel is the product of the sizes; the contiguity bits are those of
// the present sizes and strides. Making, changing and releasing a tensor is reported to the observer.
// Thread safety: reading is; changing metadata while others read is not. The version counter may be bumped anywhere.
//
// PyTorch: c10/core/TensorImpl.h
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/array_ref.h"
#include "core/device.h"
#include "core/dispatch_key_set.h"
#include "core/intrusive_ptr.h"
#include "core/layout.h"
#include "core/memory_format.h"
#include "core/scalar_type.h"
#include "core/sizes_and_strides.h"
#include "core/storage_impl.h"
#include "core/version_counter.h"

namespace cutaway {

// What autograd hangs onto a tensor. Core knows only this: autograd derives from it and registers a factory, so that
// core never includes autograd.
class AutogradMetaInterface {
 public:
  virtual ~AutogradMetaInterface() = default;
  virtual bool requires_grad() const = 0;
  virtual void set_requires_grad(bool value) = 0;
};

class TensorImpl : public intrusive_ptr_target {
 public:
  // A strided tensor over a storage with no dimension and no element: sizes [0]. Set the geometry next.
  TensorImpl(Storage storage, DispatchKeySet key_set, ScalarType dtype);
  // A tensor without storage (sparse, undefined).
  TensorImpl(DispatchKeySet key_set, ScalarType dtype, Device device, Layout layout);
  ~TensorImpl() override;
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;

  ObjectId id() const { return id_; }
  int64_t dim() const { return static_cast<int64_t>(sizes_and_strides_.size()); }
  IntArrayRef sizes() const { return sizes_and_strides_.sizes(); }
  IntArrayRef strides() const { return sizes_and_strides_.strides(); }
  int64_t storage_offset() const { return storage_offset_; }
  int64_t numel() const { return numel_; }
  ScalarType dtype() const { return dtype_; }
  size_t itemsize() const { return element_size(dtype_); }
  Device device() const { return device_; }
  Layout layout() const { return layout_; }
  DispatchKeySet key_set() const { return key_set_; }

  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const { return is_non_overlapping_and_dense_; }
  bool is_wrapped_number() const { return is_wrapped_number_; }
  void set_wrapped_number(bool value);

  bool has_storage() const { return storage_.defined(); }
  // Throws: NotImplementedError for tensors that have none.
  const Storage& storage() const;
  // Address of the first element. Throws: Error when there is no memory behind it (no storage, meta).
  const void* data() const;
  void* mutable_data();

  // Changes the geometry. Throws: Error when this tensor's metadata may not change (allow_tensor_metadata_change).
  void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);
  void set_sizes_contiguous(IntArrayRef sizes);
  void set_storage(Storage storage);
  void set_allow_tensor_metadata_change(bool value) { allow_tensor_metadata_change_ = value; }

  VersionCounter& version_counter() { return version_counter_; }
  const VersionCounter& version_counter() const { return version_counter_; }
  void set_version_counter(VersionCounter counter) { version_counter_ = std::move(counter); }
  void bump_version() { version_counter_.bump(); }

  AutogradMetaInterface* autograd_meta() const { return autograd_meta_.get(); }
  void set_autograd_meta(std::unique_ptr<AutogradMetaInterface> meta);
  bool requires_grad() const { return autograd_meta_ && autograd_meta_->requires_grad(); }

  // Returns: a new tensor over the same storage with the same metadata, this version counter, and no autograd
  // metadata (MEM-8).
  intrusive_ptr<TensorImpl> shallow_copy_and_detach(VersionCounter counter, bool allow_metadata_change) const;

  // Tells the observer of this tensor's birth; the function that made it calls it once its geometry is set.
  void report_made() const;

  TensorFacts facts() const;

 protected:
  void release_resources() override;
  void report_counts(uint32_t strong, uint32_t weak) const override;

 private:
  friend struct TensorImplLayout;
  void refresh_numel();
  void refresh_contiguous();
  void metadata_changed();

  // Every tensor
  Storage storage_;
  std::unique_ptr<AutogradMetaInterface> autograd_meta_;
  VersionCounter version_counter_;
  ObjectId id_;
  // Strided tensors
  SizesAndStrides sizes_and_strides_;
  int64_t storage_offset_ = 0;
  int64_t numel_ = 0;
  ScalarType dtype_;
  Device device_;
  Layout layout_ = Layout::Strided;
  bool is_contiguous_ : 1 = true;
  bool is_channels_last_contiguous_ : 1 = false;
  bool is_channels_last_3d_contiguous_ : 1 = false;
  bool is_non_overlapping_and_dense_ : 1 = true;
  bool is_wrapped_number_ : 1 = false;
  bool allow_tensor_metadata_change_ : 1 = true;
  mutable bool reported_ : 1 = false;
  DispatchKeySet key_set_;
};

static_assert(sizeof(TensorImpl) <= 192, "MEM-4: a tensor is no larger than PyTorch's, 192 bytes");

// One field of TensorImpl as it lies in memory.
struct TensorImplField {
  const char* name;
  size_t offset;      // bytes from the start of the object
  size_t size;        // bytes; 0 for a bit-field, which shares the byte at `offset`
  enum class Group { Prefix, Strided, Suffix } group;
};
std::span<const TensorImplField> tensor_impl_fields();

}  // namespace cutaway
