// The keys by which a call finds its kernel, and which of them hold a bit.
//
// Five kinds, in PyTorch's words:
//   1. functionality keys that no backend may customise     BackendSelect, ADInplaceOrView, Tracer, ...
//   2. per-backend functionalities                          Dense, Quantized, Sparse, AutogradFunctionality
//   3. backends (BackendComponent)                          CPU, CUDA, SIMT, PrivateUse1, Meta
//   4. instances of 2 for one backend, the runtime keys     CPU, SparseCPU, AutogradCPU, ...
//   5. alias keys, which stand for several runtime keys when a kernel is registered
// Kinds 1 to 3 have a bit in a DispatchKeySet; kinds 1 and 4 have a slot in an operator's table. The numbers
// of DispatchKey are laid out so that going between 2, 3 and 4 is arithmetic:
//
//   Undefined | kinds 1 and 2 in order | StartOfDense CPU ... Meta | StartOfQuantized ... | ... | aliases
//                                        \_ kBackends + 1 numbers _/
//
// Within kinds 1 and 2 a later key has the higher priority; the order is PyTorch 2.15's. Three places matter:
// Sparse above Dense (the more special kernel wins), Functionalize below the autograd keys, autocast above
// them (so that its casts are differentiated). Left out: named tensors, conj and neg bits, functorch, nested
// tensors, Fake, sparse CSR, backends that exist in only one form (FPGA, Mkldnn, ...).
//
// PyTorch: c10/core/DispatchKey.h
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "core/device.h"

namespace cutaway {

// Low to high: with several backends in one set the highest decides.
#define CUTAWAY_FORALL_BACKENDS(_, extra) \
  _(CPU, extra)                           \
  _(CUDA, extra)                          \
  _(SIMT, extra)                          \
  _(PrivateUse1, extra)                   \
  _(Meta, extra)

#define CUTAWAY_FORALL_FUNCTIONALITIES(_) \
  _(Dense)                                \
  _(Quantized)                            \
  _(Sparse)                               \
  _(BackendSelect)                        \
  _(Python)                               \
  _(Functionalize)                        \
  _(ADInplaceOrView)                      \
  _(AutogradOther)                        \
  _(AutogradFunctionality)                \
  _(Tracer)                               \
  _(AutocastCPU)                          \
  _(AutocastCUDA)                         \
  _(AutocastPrivateUse1)                  \
  _(Batched)                              \
  _(TESTING_ONLY_GenericWrapper)          \
  _(TESTING_ONLY_GenericMode)             \
  _(PythonDispatcher)

// _(functionality, prefix of its instances)
#define CUTAWAY_FORALL_PER_BACKEND(_) \
  _(Dense, )                          \
  _(Quantized, Quantized)             \
  _(Sparse, Sparse)                   \
  _(AutogradFunctionality, Autograd)

enum class BackendComponent : uint8_t {
  InvalidBit = 0,
#define CUTAWAY_BACKEND(name, extra) name##Bit,
  CUTAWAY_FORALL_BACKENDS(CUTAWAY_BACKEND, )
#undef CUTAWAY_BACKEND
};

enum class DispatchKey : uint16_t {
  Undefined = 0,
#define CUTAWAY_FUNCTIONALITY(name) name,
  CUTAWAY_FORALL_FUNCTIONALITIES(CUTAWAY_FUNCTIONALITY)
#undef CUTAWAY_FUNCTIONALITY
      EndOfFunctionalityKeys,

#define CUTAWAY_INSTANCE(backend, prefix) prefix##backend,
#define CUTAWAY_INSTANCES(functionality, prefix) \
  StartOf##functionality##Backends, CUTAWAY_FORALL_BACKENDS(CUTAWAY_INSTANCE, prefix)
  CUTAWAY_FORALL_PER_BACKEND(CUTAWAY_INSTANCES)
#undef CUTAWAY_INSTANCES
#undef CUTAWAY_INSTANCE
      EndOfRuntimeKeys,

  // Aliases
  Autograd,
  CompositeImplicitAutograd,
  CompositeExplicitAutograd,
  EndOfKeys,
};

#define CUTAWAY_COUNT(...) +1
inline constexpr int kBackends = 0 CUTAWAY_FORALL_BACKENDS(CUTAWAY_COUNT, );
inline constexpr int kFunctionalities = 0 CUTAWAY_FORALL_FUNCTIONALITIES(CUTAWAY_COUNT);
inline constexpr int kPerBackendFunctionalities = 0 CUTAWAY_FORALL_PER_BACKEND(CUTAWAY_COUNT);
#undef CUTAWAY_COUNT
static_assert(kBackends + kFunctionalities <= 64, "DSP-1: a DispatchKeySet has 64 bits");

// Slots of an operator's table: Undefined, kind 1, and kind 2 once for each backend.
inline constexpr int kRuntimeKeys =
    1 + (kFunctionalities - kPerBackendFunctionalities) + kPerBackendFunctionalities * kBackends;

// The functionality of each block of instances, in the order of the blocks.
inline constexpr DispatchKey kPerBackend[] = {
#define CUTAWAY_NAME(functionality, prefix) DispatchKey::functionality,
    CUTAWAY_FORALL_PER_BACKEND(CUTAWAY_NAME)
#undef CUTAWAY_NAME
};

// Returns: the place of a functionality's block of instances, -1 when it has none.
constexpr int block_of_functionality(DispatchKey functionality) {
  for (int block = 0; block < kPerBackendFunctionalities; ++block)
    if (kPerBackend[block] == functionality) return block;
  return -1;
}

constexpr bool is_per_backend_functionality(DispatchKey key) { return block_of_functionality(key) >= 0; }

// Whether the key is of kind 4.
constexpr bool is_backend_instance(DispatchKey key) {
  return key > DispatchKey::EndOfFunctionalityKeys && key < DispatchKey::EndOfRuntimeKeys;
}

constexpr bool is_alias(DispatchKey key) {
  return key > DispatchKey::EndOfRuntimeKeys && key < DispatchKey::EndOfKeys;
}

namespace detail {
// How far an instance lies behind the start of the first block.
constexpr int instance_number(DispatchKey key) {
  return static_cast<int>(key) - static_cast<int>(DispatchKey::StartOfDenseBackends);
}
}  // namespace detail

// Returns: for AutogradCPU its functionality AutogradFunctionality; for a key of kind 1 itself.
constexpr DispatchKey to_functionality(DispatchKey key) {
  return is_backend_instance(key) ? kPerBackend[detail::instance_number(key) / (kBackends + 1)] : key;
}

// Returns: for AutogradCPU its backend CPUBit; InvalidBit for keys without one.
constexpr BackendComponent to_backend(DispatchKey key) {
  if (!is_backend_instance(key)) return BackendComponent::InvalidBit;
  return static_cast<BackendComponent>(detail::instance_number(key) % (kBackends + 1));
}

// Returns: AutogradCPU for (AutogradFunctionality, CPUBit); `functionality` itself when it is not
// per-backend.
constexpr DispatchKey to_runtime_key(DispatchKey functionality, BackendComponent backend) {
  const int block = block_of_functionality(functionality);
  if (block < 0) return functionality;
  return static_cast<DispatchKey>(static_cast<int>(DispatchKey::StartOfDenseBackends) +
                                  block * (kBackends + 1) + static_cast<int>(backend));
}

BackendComponent backend_of(DeviceType type);

const char* to_string(DispatchKey key);
const char* to_string(BackendComponent backend);
// Returns: the key of that name, or nothing. Names of marks between the keys (StartOf..., EndOf...) are no
// keys.
std::optional<DispatchKey> parse_dispatch_key(std::string_view name);

std::ostream& operator<<(std::ostream& out, DispatchKey key);

}  // namespace cutaway
