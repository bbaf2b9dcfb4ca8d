// The one place that knows where TensorImpl's fields lie. A new field needs a row here, with the size it may
// have; the checks say at compile time when a field has grown and when one has been forgotten. Twenty bytes
// more on a tensor are twenty bytes more on every tensor there is, so growing is a decision.

#include <cstddef>

#include "core/tensor_impl.h"

namespace cutaway {
namespace {

// Stops the compiler when a field has another size than its row says.
consteval size_t checked(size_t is, size_t may_be) {
  if (is != may_be) throw "MEM-4: a field of TensorImpl has another size than its row says";
  return is;
}

}  // namespace

// offsetof on a class with virtual functions is conditionally supported; g++ and clang both do.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
struct TensorImplLayout {
  using Group = TensorImplField::Group;
  // Bit-fields have no address: they share the byte behind layout_.
  static constexpr size_t kFlags = offsetof(TensorImpl, layout_) + sizeof(Layout);
#define CUTAWAY_FIELD(name, bytes, group) \
  { #name, offsetof(TensorImpl, name), checked(sizeof(TensorImpl::name), bytes), Group::group }
#define CUTAWAY_FLAG(name) \
  { #name, kFlags, 0, Group::Strided }
  static constexpr TensorImplField kFields[] = {
      {"vtable pointer", 0, sizeof(void*), Group::Prefix},
      {"strong and weak count", sizeof(void*), 2 * sizeof(uint32_t), Group::Prefix},
      CUTAWAY_FIELD(storage_, 8, Prefix),
      CUTAWAY_FIELD(autograd_meta_, 8, Prefix),
      CUTAWAY_FIELD(version_counter_, 8, Prefix),
      CUTAWAY_FIELD(id_, 8, Prefix),
      CUTAWAY_FIELD(sizes_and_strides_, 88, Strided),
      CUTAWAY_FIELD(storage_offset_, 8, Strided),
      CUTAWAY_FIELD(numel_, 8, Strided),
      CUTAWAY_FIELD(dtype_, 1, Strided),
      CUTAWAY_FIELD(device_, 2, Strided),
      CUTAWAY_FIELD(layout_, 1, Strided),
      CUTAWAY_FLAG(is_contiguous_),
      CUTAWAY_FLAG(is_channels_last_contiguous_),
      CUTAWAY_FLAG(is_channels_last_3d_contiguous_),
      CUTAWAY_FLAG(is_non_overlapping_and_dense_),
      CUTAWAY_FLAG(is_wrapped_number_),
      CUTAWAY_FLAG(allow_tensor_metadata_change_),
      CUTAWAY_FIELD(reported_, 1, Strided),
      CUTAWAY_FIELD(key_set_, 8, Strided),
  };
#undef CUTAWAY_FLAG
#undef CUTAWAY_FIELD

  // Whether every row begins where the one before ends, but for the byte of flags and what alignment needs.
  static consteval bool covers() {
    size_t end = 0;
    for (const TensorImplField& field : kFields) {
      if (field.offset > end && field.offset - end >= alignof(TensorImpl)) return false;
      end = field.offset + (field.size ? field.size : 1);
    }
    return end == sizeof(TensorImpl);
  }
};
#pragma GCC diagnostic pop

static_assert(TensorImplLayout::covers(), "MEM-4: a field of TensorImpl has no row in the map");
static_assert(sizeof(TensorImpl) == 168, "MEM-4: PyTorch's is 192 bytes");

std::span<const TensorImplField> tensor_impl_fields() { return TensorImplLayout::kFields; }

}  // namespace cutaway
