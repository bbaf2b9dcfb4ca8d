#include "made_tensor.h"

#include "core/geometry/contiguity.h"

namespace cutaway {

Tensor made_tensor(IntArrayRef sizes, ScalarType dtype, DeviceType device) {
  const size_t nbytes = static_cast<size_t>(compute_numel(sizes)) * element_size(dtype);
  auto storage = make_intrusive<StorageImpl>(nbytes, get_allocator(device));
  auto impl = make_intrusive<TensorImpl>(storage, key_set_of_tensor(Device(device)), dtype);
  impl->set_sizes_contiguous(sizes);
  return Tensor(impl);
}

}  // namespace cutaway
