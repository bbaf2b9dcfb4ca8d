#include "core/tensor_impl.h"

#include <cstddef>
#include <utility>

#include "core/error.h"
#include "core/geometry/contiguity.h"

namespace cutaway {

TensorImpl::TensorImpl(Storage storage, DispatchKeySet key_set, ScalarType dtype)
    : storage_(std::move(storage)),
      id_(next_object_id()),
      dtype_(dtype),
      device_(storage_->device()),
      key_set_(key_set) {
  const int64_t sizes[] = {0}, strides[] = {1};
  sizes_and_strides_.set({sizes, 1}, {strides, 1});
  refresh_contiguous();
}

TensorImpl::TensorImpl(DispatchKeySet key_set, ScalarType dtype, Device device, Layout layout)
    : id_(next_object_id()), dtype_(dtype), device_(device), layout_(layout), key_set_(key_set) {
  const int64_t sizes[] = {0}, strides[] = {1};
  sizes_and_strides_.set({sizes, 1}, {strides, 1});
}

TensorImpl::~TensorImpl() { release_resources(); }

void TensorImpl::release_resources() {
  if (reported_) {
    reported_ = false;
    if (Observer* o = observer()) o->tensor_released(id_);
  }
  autograd_meta_.reset();
  storage_.reset();
}

void TensorImpl::report_counts(uint32_t strong, uint32_t weak) const {
  if (!reported_) return;
  if (Observer* o = observer()) o->counts_changed(id_, strong, weak);
}

void TensorImpl::report_made() const {
  if (Observer* o = observer()) {
    reported_ = true;
    o->tensor_made(facts());
  }
}

bool TensorImpl::is_contiguous(MemoryFormat format) const {
  switch (format) {
    case MemoryFormat::ChannelsLast: return is_channels_last_contiguous_;
    case MemoryFormat::ChannelsLast3d: return is_channels_last_3d_contiguous_;
    case MemoryFormat::Contiguous:
    case MemoryFormat::Preserve: return is_contiguous_;
  }
  return is_contiguous_;
}

void TensorImpl::set_wrapped_number(bool value) {
  CUTAWAY_INTERNAL_ASSERT(dim() == 0, "only a 0-dim tensor can be a wrapped number");
  is_wrapped_number_ = value;
}

const Storage& TensorImpl::storage() const {
  CUTAWAY_CHECK_NOT_IMPLEMENTED(has_storage(), "Cannot access storage of a tensor without storage (layout ",
                                to_string(layout_), ")");
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

void TensorImpl::set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  CUTAWAY_CHECK(allow_tensor_metadata_change_,
                "set_sizes_and_strides is not allowed on a Tensor created from .data or .detach().");
  CUTAWAY_INTERNAL_ASSERT(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(),
                          ") must match dimensionality of strides (", strides.size(), ")");
  sizes_and_strides_.set(sizes, strides);
  storage_offset_ = storage_offset;
  metadata_changed();
}

void TensorImpl::set_sizes_contiguous(IntArrayRef sizes) {
  set_sizes_and_strides(sizes, contiguous_strides(sizes), storage_offset_);
}

void TensorImpl::set_storage(Storage storage) {
  CUTAWAY_CHECK(allow_tensor_metadata_change_,
                "set_storage is not allowed on a Tensor created from .data or .detach().");
  storage_ = std::move(storage);
  device_ = storage_->device();
}

void TensorImpl::metadata_changed() {
  refresh_numel();
  refresh_contiguous();
  if (!reported_) return;
  if (Observer* o = observer()) o->tensor_changed(facts());
}

void TensorImpl::refresh_numel() { numel_ = compute_numel(sizes()); }

void TensorImpl::refresh_contiguous() {
  is_contiguous_ = cutaway::is_contiguous(sizes(), strides());
  is_channels_last_contiguous_ = cutaway::is_channels_last_contiguous(sizes(), strides());
  is_channels_last_3d_contiguous_ = cutaway::is_channels_last_3d_contiguous(sizes(), strides());
  is_non_overlapping_and_dense_ = is_contiguous_ || is_channels_last_contiguous_ || is_channels_last_3d_contiguous_ ||
                                  cutaway::is_non_overlapping_and_dense(sizes(), strides());
}

void TensorImpl::set_autograd_meta(std::unique_ptr<AutogradMetaInterface> meta) { autograd_meta_ = std::move(meta); }

intrusive_ptr<TensorImpl> TensorImpl::shallow_copy_and_detach(VersionCounter counter,
                                                              bool allow_metadata_change) const {
  auto copy = has_storage() ? make_intrusive<TensorImpl>(storage_, key_set_, dtype_)
                            : make_intrusive<TensorImpl>(key_set_, dtype_, device_, layout_);
  copy->set_sizes_and_strides(sizes(), strides(), storage_offset_);
  copy->set_version_counter(std::move(counter));
  copy->is_wrapped_number_ = is_wrapped_number_;
  copy->set_allow_tensor_metadata_change(allow_metadata_change);
  return copy;
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

// offsetof on a class with virtual functions is conditionally supported; g++ and clang both do.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
struct TensorImplLayout {
  using Group = TensorImplField::Group;
  static constexpr size_t kFlags = offsetof(TensorImpl, layout_) + sizeof(Layout);
#define CUTAWAY_FIELD(name, group) {#name, offsetof(TensorImpl, name), sizeof(TensorImpl::name), Group::group}
  static constexpr TensorImplField kFields[] = {
      {"vtable pointer", 0, sizeof(void*), Group::Prefix},
      {"strong and weak count", sizeof(void*), 2 * sizeof(uint32_t), Group::Prefix},
      CUTAWAY_FIELD(storage_, Prefix),
      CUTAWAY_FIELD(autograd_meta_, Prefix),
      CUTAWAY_FIELD(version_counter_, Prefix),
      CUTAWAY_FIELD(id_, Prefix),
      CUTAWAY_FIELD(sizes_and_strides_, Strided),
      CUTAWAY_FIELD(storage_offset_, Strided),
      CUTAWAY_FIELD(numel_, Strided),
      CUTAWAY_FIELD(dtype_, Strided),
      CUTAWAY_FIELD(device_, Strided),
      CUTAWAY_FIELD(layout_, Strided),
      {"is_contiguous_", kFlags, 0, Group::Strided},
      {"is_channels_last_contiguous_", kFlags, 0, Group::Strided},
      {"is_channels_last_3d_contiguous_", kFlags, 0, Group::Strided},
      {"is_non_overlapping_and_dense_", kFlags, 0, Group::Strided},
      {"is_wrapped_number_", kFlags, 0, Group::Strided},
      {"allow_tensor_metadata_change_", kFlags, 0, Group::Strided},
      CUTAWAY_FIELD(key_set_, Strided),
  };
#undef CUTAWAY_FIELD
};
#pragma GCC diagnostic pop

std::span<const TensorImplField> tensor_impl_fields() { return TensorImplLayout::kFields; }

}  // namespace cutaway
