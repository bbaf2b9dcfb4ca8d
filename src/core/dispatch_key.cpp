#include "core/dispatch_key.h"

#include <ostream>

namespace cutaway {
namespace {

// PyTorch's answer to a number that is no key.
constexpr const char* kNoKey = "UNKNOWN_TENSOR_TYPE_ID";

}  // namespace

BackendComponent backend_of(DeviceType type) {
  switch (type) {
    case DeviceType::CPU: return BackendComponent::CPUBit;
    case DeviceType::CUDA: return BackendComponent::CUDABit;
    case DeviceType::SIMT: return BackendComponent::SIMTBit;
    case DeviceType::Meta: return BackendComponent::MetaBit;
    case DeviceType::PrivateUse1: return BackendComponent::PrivateUse1Bit;
  }
  return BackendComponent::InvalidBit;
}

const char* to_string(DispatchKey key) {
  switch (key) {
    case DispatchKey::Undefined: return "Undefined";
#define CUTAWAY_CASE(name) \
  case DispatchKey::name: return #name;
      CUTAWAY_FORALL_FUNCTIONALITIES(CUTAWAY_CASE)
#undef CUTAWAY_CASE
#define CUTAWAY_INSTANCE(backend, prefix) \
  case DispatchKey::prefix##backend:      \
    return #prefix #backend;
#define CUTAWAY_INSTANCES(functionality, prefix) CUTAWAY_FORALL_BACKENDS(CUTAWAY_INSTANCE, prefix)
      CUTAWAY_FORALL_PER_BACKEND(CUTAWAY_INSTANCES)
#undef CUTAWAY_INSTANCES
#undef CUTAWAY_INSTANCE
    case DispatchKey::Autograd: return "Autograd";
    case DispatchKey::CompositeImplicitAutograd: return "CompositeImplicitAutograd";
    case DispatchKey::CompositeExplicitAutograd: return "CompositeExplicitAutograd";
    default: return kNoKey;
  }
}

const char* to_string(BackendComponent backend) {
  switch (backend) {
    case BackendComponent::InvalidBit: return "InvalidBit";
#define CUTAWAY_CASE(name, extra) \
  case BackendComponent::name##Bit: return #name "Bit";
      CUTAWAY_FORALL_BACKENDS(CUTAWAY_CASE, )
#undef CUTAWAY_CASE
  }
  return "UNKNOWN_BACKEND_BIT";
}

std::optional<DispatchKey> parse_dispatch_key(std::string_view name) {
  if (name == kNoKey) return std::nullopt;
  for (uint16_t i = 0; i < static_cast<uint16_t>(DispatchKey::EndOfKeys); ++i)
    if (name == to_string(static_cast<DispatchKey>(i))) return static_cast<DispatchKey>(i);
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, DispatchKey key) { return out << to_string(key); }

}  // namespace cutaway
