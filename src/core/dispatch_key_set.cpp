#include "core/dispatch_key_set.h"

namespace cutaway {

std::vector<DispatchKey> DispatchKeySet::keys() const { return {begin(), end()}; }

std::string DispatchKeySet::str() const {
  std::string text = "DispatchKeySet(";
  const char* separator = "";
  for (DispatchKey key : *this) {
    text += separator;
    text += to_string(key);
    separator = ", ";
  }
  return text + ")";
}

DispatchKeySet key_set_of_tensor(Device device, bool sparse) {
  const BackendComponent backend = backend_of(device.type);
  const DispatchKey functionality = sparse ? DispatchKey::Sparse : DispatchKey::Dense;
  DispatchKeySet set{to_runtime_key(functionality, backend), DispatchKey::ADInplaceOrView,
                     to_runtime_key(DispatchKey::AutogradFunctionality, backend)};
  if (device.type == DeviceType::CPU) set = set | DispatchKeySet(DispatchKey::AutocastCPU);
  if (device.type == DeviceType::CUDA) set = set | DispatchKeySet(DispatchKey::AutocastCUDA);
  if (device.type == DeviceType::PrivateUse1) set = set | DispatchKeySet(DispatchKey::AutocastPrivateUse1);
  return set;
}

}  // namespace cutaway
