// What a tensor is: sizes, strides and an offset over a storage, a dtype, a device, and the keys that steer
// its calls.
//
//   TensorImpl, 168 bytes                                                       offset
//   +---------------------+---------------------------------------------------+
//   | vtable, counts      | intrusive_ptr_target                              |    0   every
//   | storage_            | the bytes, shared with views; null when sparse    |   16   tensor
//   | autograd_meta_      | gradient and graph; null until required           |   24   (prefix)
//   | version_counter_    | counts writes, shared with views                  |   32
//   | id_                 | identity for people and traces, never reused      |   40
//   +---------------------+---------------------------------------------------+
//   | sizes_and_strides_  | rank, and both rows inline to rank 5              |   48   strided
//   | storage_offset_     | of the first element, in elements                 |  136   tensors
//   | numel_              | product of the sizes                              |  144
//   | dtype_ device_ layout_, flags, reported_                                |  152
//   | key_set_            | which kernels a call may reach                    |  160
//   +---------------------+---------------------------------------------------+
//   | what a subclass adds: indices and values of a sparse tensor, ...        |  168   suffix
//
// Sizes and strides are members, not virtual functions: a size query is a load. `tensor_impl_fields()` gives
// the same map as numbers, for people who want to see the struct. PyTorch's also holds a slot for the Python
// object and an optional block of rarities (names, symbolic shapes), which we leave out.
// Invariants: sizes and strides have one length; numel is the product of the sizes; the contiguity bits are
// those of the present sizes and strides. Making, changing and releasing a tensor is reported to the
// observer.
// Thread safety: reading is; changing metadata while others read is not. The version counter may be bumped
// anywhere.
//
// PyTorch: c10/core/TensorImpl.h
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "core/array_ref.h"
#include "core/autograd_meta_interface.h"
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

class TensorImpl : public intrusive_ptr_target {
 public:
  // A strided tensor over a storage with one dimension and no element: sizes [0]. Set the geometry next.
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
  // The name of the class, as PyTorch's messages call it.
  virtual const char* tensorimpl_type_name() const { return "TensorImpl"; }

  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const { return is_non_overlapping_and_dense_; }
  bool is_wrapped_number() const { return is_wrapped_number_; }
  void set_wrapped_number(bool value);
  // Whether it was made in inference mode: no autograd keys, and no version counter.
  bool is_inference() const;

  bool has_storage() const { return storage_.defined(); }
  // Throws: NotImplementedError "Cannot access storage of SparseTensorImpl" for tensors that have none.
  const Storage& storage() const;
  // Address of the first element, null when there is no element. Throws: Error when there is no memory behind
  // it (no storage, meta).
  const void* data() const;
  void* mutable_data();

  // Changes the geometry. Throws: Error when this tensor's metadata may not change
  // (allow_tensor_metadata_change).
  void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);
  void set_sizes_contiguous(IntArrayRef sizes);
  // Looks at other bytes from now on, with the geometry that belongs to them. Throws: as above, and Error for
  // a storage on another device.
  void set_storage(Storage storage, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);
  void set_allow_tensor_metadata_change(bool value) { allow_tensor_metadata_change_ = value; }

  VersionCounter& version_counter() { return version_counter_; }
  const VersionCounter& version_counter() const { return version_counter_; }
  // Throws: Error when an inference tensor would get one that counts.
  void set_version_counter(VersionCounter counter);
  void bump_version() { version_counter_.bump(); }

  AutogradMetaInterface* autograd_meta() const { return autograd_meta_.get(); }
  void set_autograd_meta(std::unique_ptr<AutogradMetaInterface> meta) { autograd_meta_ = std::move(meta); }
  bool requires_grad() const { return autograd_meta_ && autograd_meta_->requires_grad(); }
  // Throws: Error when autograd is not linked in, or does not want this dtype.
  void set_requires_grad(bool value);

  // Returns: a new tensor over the same storage with the same metadata, this version counter (an inference
  // tensor's copy has none), and no autograd metadata (MEM-8). One allocation up to rank 5.
  virtual intrusive_ptr<TensorImpl> shallow_copy_and_detach(VersionCounter counter,
                                                            bool allow_metadata_change) const;

  // Tells the observer of this tensor's birth; the function that made it calls it once its geometry is set.
  void report_made() const;

  TensorFacts facts() const;

 protected:
  // The detached copy: everything of `source` but its id, its autograd metadata and its counter.
  TensorImpl(const TensorImpl& source, VersionCounter counter, bool allow_metadata_change);

  void release_resources() override;
  void report_counts(uint32_t strong, uint32_t weak) const override;

 private:
  friend struct TensorImplLayout;
  // Returns: the number of elements. Throws: Error when the geometry is none, or this tensor may not change.
  int64_t check_geometry(const char* setter, IntArrayRef sizes, IntArrayRef strides) const;
  void metadata_changed();
  void refresh_contiguous();

  Storage storage_;
  std::unique_ptr<AutogradMetaInterface> autograd_meta_;
  VersionCounter version_counter_;
  const ObjectId id_;

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
  // Whether the observer knows of it. Atomic, because counts are reported while another thread may let the
  // last go.
  mutable std::atomic<bool> reported_{false};
  DispatchKeySet key_set_;
};

// One field of TensorImpl as it lies in memory.
struct TensorImplField {
  const char* name;
  size_t offset;  // bytes from the start of the object
  size_t size;    // bytes; 0 for a bit-field, which shares the byte at `offset`
  enum class Group { Prefix, Strided, Suffix } group;
};
std::span<const TensorImplField> tensor_impl_fields();

}  // namespace cutaway
