#include "kernels/factories.h"

#include <memory>
#include <utility>

#include "core/error.h"
#include "core/geometry/bounds.h"
#include "core/geometry/contiguity.h"
#include "kernels/inplace.h"

namespace cutaway {
namespace {

void check_sizes(IntArrayRef sizes) {
  for (int64_t size : sizes)
    CUTAWAY_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
}

DimVector strides_for(IntArrayRef sizes, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::ChannelsLast: return channels_last_strides(sizes);
    case MemoryFormat::ChannelsLast3d: return channels_last_3d_strides(sizes);
    case MemoryFormat::Contiguous:
    case MemoryFormat::Preserve: return contiguous_strides(sizes);
  }
  return contiguous_strides(sizes);
}

Tensor over(Storage storage, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  auto impl =
      make_intrusive<TensorImpl>(std::move(storage), key_set_of_tensor(options.device), options.dtype);
  impl->set_sizes_and_strides(sizes, strides, 0);
  impl->report_made();
  return Tensor(std::move(impl));
}

struct Foreign {
  void* data;
  std::function<void(void*)> deleter;

  static void release(void* context) {
    std::unique_ptr<Foreign> foreign(static_cast<Foreign*>(context));
    if (foreign->deleter) foreign->deleter(foreign->data);
  }
};

}  // namespace

Tensor empty(IntArrayRef sizes, TensorOptions options, MemoryFormat format) {
  check_sizes(sizes);
  return empty_strided(sizes, strides_for(sizes, format), options);
}

Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  check_sizes(sizes);
  CUTAWAY_CHECK(sizes.size() == strides.size(), "mismatch in length of strides and shape");
  for (int64_t stride : strides)
    CUTAWAY_CHECK(stride >= 0,
                  "empty_strided: Negative strides are not supported at the moment, got strides: ", strides);
  OpScope scope("empty");
  const uint64_t nbytes = required_nbytes(sizes, strides, 0, element_size(options.dtype));
  auto storage = make_intrusive<StorageImpl>(nbytes, get_allocator(options.device.type));
  return over(std::move(storage), sizes, strides, options);
}

Tensor empty_like(const Tensor& like, MemoryFormat format) {
  const TensorOptions options{like.dtype(), like.device()};
  if (format != MemoryFormat::Preserve) return empty(like.sizes(), options, format);
  return empty_strided(like.sizes(), preserved_strides(like.sizes(), like.strides()), options);
}

Tensor full(IntArrayRef sizes, const Scalar& value, TensorOptions options) {
  OpScope scope("full");
  Tensor result = empty(sizes, options);
  fill_fresh(result, value);
  return result;
}

Tensor zeros(IntArrayRef sizes, TensorOptions options) {
  OpScope scope("zeros");
  return full(sizes, 0, options);
}

Tensor ones(IntArrayRef sizes, TensorOptions options) {
  OpScope scope("ones");
  return full(sizes, 1, options);
}

Tensor arange(int64_t end, TensorOptions options) {
  CUTAWAY_CHECK(end >= 0, "upper bound and lower bound inconsistent with step sign");
  OpScope scope("arange");
  Tensor result = empty({end}, options);
  count_fresh(result);
  return result;
}

Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options, std::function<void(void*)> deleter) {
  return from_blob(data, sizes, contiguous_strides(sizes), options, std::move(deleter));
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, TensorOptions options,
                 std::function<void(void*)> deleter) {
  check_sizes(sizes);
  OpScope scope("from_blob");
  const uint64_t nbytes = required_nbytes(sizes, strides, 0, element_size(options.dtype));
  DataPtr foreign(data, new Foreign{data, std::move(deleter)}, &Foreign::release, options.device);
  return over(make_intrusive<StorageImpl>(nbytes, std::move(foreign)), sizes, strides, options);
}

}  // namespace cutaway
