// A tensor's life: made by a constructor (sizes [0]), given its geometry by set_sizes_and_strides, announced
// by report_made, changed by the set_ functions, gone when the last intrusive_ptr lets it go. Whatever
// changes sizes or strides ends in metadata_changed, which computes what is derived from them once, so that
// asking is a load.

#include "core/tensor_impl.h"

#include <cstddef>
#include <utility>

#include "core/error.h"
#include "core/geometry/contiguity.h"

namespace cutaway {
namespace {

// The geometry of a tensor that has not been given one: the default members of TensorImpl belong to it.
constexpr int64_t kNoElements[] = {0};
constexpr int64_t kUnitStride[] = {1};

bool is_inference_key_set(DispatchKeySet set) { return set == without_autograd(set); }

VersionCounter first_counter(DispatchKeySet set) {
  return is_inference_key_set(set) ? VersionCounter::disabled() : VersionCounter();
}

}  // namespace

TensorImpl::TensorImpl(Storage storage, DispatchKeySet key_set, ScalarType dtype)
    : storage_(std::move(storage)),
      version_counter_(first_counter(key_set)),
      id_(next_object_id()),
      dtype_(dtype),
      device_(storage_->device()),
      key_set_(key_set) {
  sizes_and_strides_.set({kNoElements, 1}, {kUnitStride, 1});
}

TensorImpl::TensorImpl(DispatchKeySet key_set, ScalarType dtype, Device device, Layout layout)
    : version_counter_(first_counter(key_set)),
      id_(next_object_id()),
      dtype_(dtype),
      device_(device),
      layout_(layout),
      key_set_(key_set) {
  sizes_and_strides_.set({kNoElements, 1}, {kUnitStride, 1});
}

TensorImpl::TensorImpl(const TensorImpl& source, VersionCounter counter, bool allow_metadata_change)
    : storage_(source.storage_),
      version_counter_(source.is_inference() ? VersionCounter::disabled() : std::move(counter)),
      id_(next_object_id()),
      sizes_and_strides_(source.sizes_and_strides_),
      storage_offset_(source.storage_offset_),
      numel_(source.numel_),
      dtype_(source.dtype_),
      device_(source.device_),
      layout_(source.layout_),
      is_contiguous_(source.is_contiguous_),
      is_channels_last_contiguous_(source.is_channels_last_contiguous_),
      is_channels_last_3d_contiguous_(source.is_channels_last_3d_contiguous_),
      is_non_overlapping_and_dense_(source.is_non_overlapping_and_dense_),
      is_wrapped_number_(source.is_wrapped_number_),
      allow_tensor_metadata_change_(allow_metadata_change),
      key_set_(source.key_set_) {}

TensorImpl::~TensorImpl() { release_resources(); }

void TensorImpl::release_resources() {
  if (reported_.exchange(false, std::memory_order_relaxed)) {
    if (Observer* o = observer()) o->tensor_released(id_);
  }
  autograd_meta_.reset();
  storage_.reset();
}

void TensorImpl::report_counts(uint32_t strong, uint32_t weak) const {
  if (!reported_.load(std::memory_order_relaxed)) return;
  if (Observer* o = observer()) o->counts_changed(id_, strong, weak);
}

void TensorImpl::report_made() const {
  if (Observer* o = observer()) {
    reported_.store(true, std::memory_order_relaxed);
    o->tensor_made(facts());
  }
}

bool TensorImpl::is_contiguous(MemoryFormat format) const {
  switch (format) {
    case MemoryFormat::ChannelsLast: return is_channels_last_contiguous_;
    case MemoryFormat::ChannelsLast3d: return is_channels_last_3d_contiguous_;
    case MemoryFormat::Contiguous:
    case MemoryFormat::Preserve: break;
  }
  return is_contiguous_;
}

bool TensorImpl::is_inference() const { return is_inference_key_set(key_set_); }

void TensorImpl::set_wrapped_number(bool value) {
  CUTAWAY_INTERNAL_ASSERT(dim() == 0, "only a 0-dim tensor can be a wrapped number");
  is_wrapped_number_ = value;
}

const Storage& TensorImpl::storage() const {
  CUTAWAY_CHECK_NOT_IMPLEMENTED(has_storage(), "Cannot access storage of ", tensorimpl_type_name());
  return storage_;
}

const void* TensorImpl::data() const {
  CUTAWAY_CHECK(has_storage(), "Cannot access data pointer of Tensor that doesn't have storage");
  CUTAWAY_CHECK(!device_.is_meta(), "Cannot access data pointer of a meta tensor; no data!");
  const auto* bytes = static_cast<const std::byte*>(storage_->data());
  // Arithmetic on a null pointer is undefined, and a tensor without elements may have one.
  return numel_ == 0 || !bytes ? nullptr : bytes + storage_offset_ * static_cast<int64_t>(itemsize());
}

void* TensorImpl::mutable_data() { return const_cast<void*>(data()); }

int64_t TensorImpl::check_geometry(const char* setter, IntArrayRef sizes, IntArrayRef strides) const {
  CUTAWAY_CHECK(allow_tensor_metadata_change_, setter,
                " is not allowed on a Tensor created from .data or .detach().");
  CUTAWAY_CHECK(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(),
                ") must match dimensionality of strides (", strides.size(), ")");
  return compute_numel(sizes);
}

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  numel_ = check_geometry("set_sizes_and_strides", sizes, strides);
  sizes_and_strides_.set(sizes, strides);
  storage_offset_ = storage_offset;
  metadata_changed();
}

void TensorImpl::set_sizes_contiguous(IntArrayRef sizes) {
  set_sizes_and_strides(sizes, contiguous_strides(sizes), storage_offset_);
}

void TensorImpl::set_storage(Storage storage, IntArrayRef sizes, IntArrayRef strides,
                             int64_t storage_offset) {
  CUTAWAY_INTERNAL_ASSERT(storage.defined(), "set_storage: a strided tensor needs a storage");
  CUTAWAY_CHECK(storage->device() == device_, "Attempted to set the storage of a tensor on device \"",
                device_, "\" to a storage on different device \"", storage->device(),
                "\".  This is no longer allowed; the devices must match.");
  check_geometry("set_storage", sizes, strides);
  // The old storage goes when this function ends, after the observer has heard of the new one.
  storage_.swap(storage);
  set_sizes_and_strides(sizes, strides, storage_offset);
}

void TensorImpl::metadata_changed() {
  refresh_contiguous();
  if (!reported_.load(std::memory_order_relaxed)) return;
  if (Observer* o = observer()) o->tensor_changed(facts());
}

void TensorImpl::refresh_contiguous() {
  is_contiguous_ = cutaway::is_contiguous(sizes(), strides());
  is_channels_last_contiguous_ = cutaway::is_channels_last_contiguous(sizes(), strides());
  is_channels_last_3d_contiguous_ = cutaway::is_channels_last_3d_contiguous(sizes(), strides());
  is_non_overlapping_and_dense_ = is_contiguous_ || is_channels_last_contiguous_ ||
                                  is_channels_last_3d_contiguous_ ||
                                  cutaway::is_non_overlapping_and_dense(sizes(), strides());
}

void TensorImpl::set_version_counter(VersionCounter counter) {
  CUTAWAY_CHECK(!(is_inference() && counter.enabled()), "Cannot set version_counter for inference tensor");
  version_counter_ = std::move(counter);
}

void TensorImpl::set_requires_grad(bool value) {
  if (!autograd_meta_) {
    if (!value) return;
    autograd_meta_ = make_autograd_meta();
  }
  autograd_meta_->set_requires_grad(value, *this);
  metadata_changed();
}

intrusive_ptr<TensorImpl> TensorImpl::shallow_copy_and_detach(VersionCounter counter,
                                                              bool allow_metadata_change) const {
  return intrusive_ptr<TensorImpl>::adopt_new(
      new TensorImpl(*this, std::move(counter), allow_metadata_change));
}

TensorFacts TensorImpl::facts() const {
  TensorFacts f;
  f.tensor = id_;
  f.storage = has_storage() ? storage_->id() : 0;
  f.version_counter = version_counter_.id();
  f.version = version_counter_.enabled() ? version_counter_.current() : 0;
  f.sizes = sizes();
  f.strides = strides();
  f.storage_offset = storage_offset_;
  f.dtype = dtype_;
  f.device = device_;
  f.layout = layout_;
  f.key_set = key_set_.raw();
  f.requires_grad = requires_grad();
  return f;
}

}  // namespace cutaway
