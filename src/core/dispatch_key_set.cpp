#include "core/dispatch_key_set.h"

#include "core/error.h"

namespace cutaway {

DispatchKeySet::DispatchKeySet(DispatchKey key) {
  if (key == DispatchKey::Undefined) return;
  CUTAWAY_INTERNAL_ASSERT(!is_alias(key), to_string(key), " is an alias key and has no bit");
  const DispatchKey functionality = to_functionality(key);
  bits_ = 1ull << (kBackends + static_cast<int>(functionality) - 1);
  bits_ |= DispatchKeySet(to_backend(key)).bits_;
}

std::vector<DispatchKey> DispatchKeySet::keys() const {
  std::vector<DispatchKey> found;
  for (int f = 1; f <= kFunctionalities; ++f) {
    if (!(bits_ >> (kBackends + f - 1) & 1)) continue;
    const auto functionality = static_cast<DispatchKey>(f);
    if (!is_per_backend_functionality(functionality)) {
      found.push_back(functionality);
      continue;
    }
    for (int b = 1; b <= kBackends; ++b)
      if (bits_ >> (b - 1) & 1) found.push_back(to_runtime_key(functionality, static_cast<BackendComponent>(b)));
  }
  return found;
}

std::string DispatchKeySet::str() const {
  std::string text = "DispatchKeySet(";
  const char* separator = "";
  for (DispatchKey key : keys()) {
    text += separator;
    text += to_string(key);
    separator = ", ";
  }
  return text + ")";
}

DispatchKeySet key_set_of_tensor(Device device, bool sparse) {
  const BackendComponent backend = backend_of(device.type);
  DispatchKeySet set{to_runtime_key(sparse ? DispatchKey::Sparse : DispatchKey::Dense, backend),
                     DispatchKey::ADInplaceOrView, to_runtime_key(DispatchKey::AutogradFunctionality, backend)};
  if (device.type == DeviceType::CPU) set = set | DispatchKeySet(DispatchKey::AutocastCPU);
  if (device.type == DeviceType::CUDA) set = set | DispatchKeySet(DispatchKey::AutocastCUDA);
  if (device.type == DeviceType::PrivateUse1) set = set | DispatchKeySet(DispatchKey::AutocastPrivateUse1);
  return set;
}

}  // namespace cutaway
