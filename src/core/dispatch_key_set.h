// A set of dispatch keys in 64 bits: which features take part in a call, and on which backends.
//
//   bit  0 ... kBackends-1          kBackends ...                                      63
//        CPU CUDA SIMT PrivateUse1 Meta | Dense Quantized Sparse BackendSelect ... PythonDispatcher
//        backends                       | functionalities, low priority to high
//
// A runtime key is a functionality bit plus, for per-backend functionalities, a backend bit: {CPU} has the bits Dense
// and CPU. So a set is not a list of runtime keys but a product: {CPU} | {AutogradCUDA} also contains CUDA and
// AutogradCPU. The highest functionality bit is found by counting leading zeros; that is the key a call takes.
// Difference removes functionality bits only: backend bits stay, because the other functionalities need them.
// A value; every method is constant time but iteration.
//
// PyTorch: c10/core/DispatchKeySet.h
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/dispatch_key.h"

namespace cutaway {

class DispatchKeySet {
 public:
  constexpr DispatchKeySet() = default;
  // Requires: `key` is no alias.
  explicit DispatchKeySet(DispatchKey key);
  explicit DispatchKeySet(BackendComponent backend)
      : bits_(backend == BackendComponent::InvalidBit ? 0 : 1ull << (static_cast<int>(backend) - 1)) {}
  DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (DispatchKey key : keys) bits_ |= DispatchKeySet(key).bits_;
  }
  static constexpr DispatchKeySet from_raw(uint64_t bits) {
    DispatchKeySet set;
    set.bits_ = bits & kAll;
    return set;
  }
  static constexpr DispatchKeySet full() { return from_raw(kAll); }

  constexpr uint64_t raw() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  // Whether every bit of the key is there.
  bool has(DispatchKey key) const {
    const uint64_t wanted = DispatchKeySet(key).bits_;
    return key != DispatchKey::Undefined && (bits_ & wanted) == wanted;
  }

  constexpr DispatchKeySet operator|(DispatchKeySet other) const { return from_raw(bits_ | other.bits_); }
  constexpr DispatchKeySet operator&(DispatchKeySet other) const { return from_raw(bits_ & other.bits_); }
  constexpr DispatchKeySet operator-(DispatchKeySet other) const {
    return from_raw(bits_ & (kBackendMask | ~other.bits_));
  }
  friend constexpr bool operator==(DispatchKeySet a, DispatchKeySet b) { return a.bits_ == b.bits_; }

  // Returns: the functionality of the highest priority, Undefined when there is none.
  constexpr DispatchKey highest_functionality() const {
    const uint64_t functionalities = bits_ >> kBackends;
    return static_cast<DispatchKey>(64 - std::countl_zero(functionalities));
  }
  constexpr BackendComponent highest_backend() const {
    return static_cast<BackendComponent>(64 - std::countl_zero(bits_ & kBackendMask));
  }
  // Returns: the runtime key a call with this set goes to first.
  DispatchKey highest_priority_key() const {
    return to_runtime_key(highest_functionality(), highest_backend());
  }

  // Returns: every runtime key of the set, from low priority to high; per-backend functionalities once for each
  // backend bit.
  std::vector<DispatchKey> keys() const;

  // Returns: "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)".
  std::string str() const;

  static constexpr uint64_t kBackendMask = (1ull << kBackends) - 1;

 private:
  static constexpr uint64_t kAll = (~0ull) >> (64 - kBackends - kFunctionalities);
  uint64_t bits_ = 0;
};

static_assert(sizeof(DispatchKeySet) == 8);

// Returns: the keys a new tensor carries: its backend's dense or sparse key, ADInplaceOrView, the backend's autograd
// key and its autocast key where there is one. The same with and without requires_grad (DSP-4).
DispatchKeySet key_set_of_tensor(Device device, bool sparse);

}  // namespace cutaway
