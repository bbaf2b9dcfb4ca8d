// A set of dispatch keys in 64 bits: which features take part in a call, and on which backends.
//
//   bit  0 ... kBackends-1          kBackends ...                                      63
//        CPU CUDA SIMT PrivateUse1 Meta | Dense Quantized Sparse BackendSelect ... PythonDispatcher
//        backends                       | functionalities, low priority to high
//
// A runtime key is a functionality bit plus, for per-backend functionalities, a backend bit: {CPU} has the
// bits Dense and CPU. So a set is not a list of runtime keys but a product: {CPU} | {AutogradCUDA} also
// contains CUDA and AutogradCPU. The highest functionality bit is found by counting leading zeros; that is
// the key a call takes. Difference removes functionality bits only: backend bits stay, because the other
// functionalities need them. A value. Everything but printing is inline and a constant expression, because
// every call of an operator does it.
//
// PyTorch: c10/core/DispatchKeySet.h
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "core/dispatch_key.h"
#include "core/error.h"

namespace cutaway {

class DispatchKeySet {
 public:
  class iterator;

  constexpr DispatchKeySet() = default;
  // Undefined gives the empty set. Throws: internal error for an alias key, which has no bit.
  constexpr explicit DispatchKeySet(DispatchKey key) {
    if (key == DispatchKey::Undefined) return;
    CUTAWAY_INTERNAL_ASSERT(key < DispatchKey::EndOfFunctionalityKeys || is_backend_instance(key),
                            to_string(key), " has no bit: it is an alias key or none");
    bits_ = 1ull << (kBackends + static_cast<int>(to_functionality(key)) - 1);
    bits_ |= DispatchKeySet(to_backend(key)).bits_;
  }
  constexpr explicit DispatchKeySet(BackendComponent backend)
      : bits_(backend == BackendComponent::InvalidBit ? 0 : 1ull << (static_cast<int>(backend) - 1)) {}
  constexpr DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (DispatchKey key : keys) bits_ |= DispatchKeySet(key).bits_;
  }
  // Bits that mean nothing are dropped.
  static constexpr DispatchKeySet from_raw(uint64_t bits) {
    DispatchKeySet set;
    set.bits_ = bits & kAll;
    return set;
  }
  static constexpr DispatchKeySet full() { return from_raw(kAll); }

  constexpr uint64_t raw() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  // Whether every bit of the key is there.
  constexpr bool has(DispatchKey key) const {
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
    return static_cast<DispatchKey>(64 - std::countl_zero(bits_ >> kBackends));
  }
  constexpr BackendComponent highest_backend() const {
    return static_cast<BackendComponent>(64 - std::countl_zero(bits_ & kBackendMask));
  }
  // Returns: the runtime key a call with this set goes to first.
  constexpr DispatchKey highest_priority_key() const {
    return to_runtime_key(highest_functionality(), highest_backend());
  }

  // The runtime keys of the set, from low priority to high; per-backend functionalities once for each backend
  // bit.
  constexpr iterator begin() const;
  constexpr iterator end() const;
  // Returns: the same as a list.
  std::vector<DispatchKey> keys() const;

  // Returns: "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)".
  std::string str() const;

  static constexpr uint64_t kBackendMask = (1ull << kBackends) - 1;

 private:
  static constexpr uint64_t kAll = (~0ull) >> (64 - kBackends - kFunctionalities);
  uint64_t bits_ = 0;
};

static_assert(sizeof(DispatchKeySet) == 8, "MEM-4: a key set is one word");

class DispatchKeySet::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = DispatchKey;
  using difference_type = std::ptrdiff_t;
  using pointer = const DispatchKey*;
  using reference = DispatchKey;

  constexpr DispatchKey operator*() const { return key_; }
  constexpr iterator& operator++() {
    advance();
    return *this;
  }
  constexpr iterator operator++(int) {
    iterator before = *this;
    advance();
    return before;
  }
  friend constexpr bool operator==(const iterator& a, const iterator& b) { return a.key_ == b.key_; }

 private:
  friend class DispatchKeySet;
  explicit constexpr iterator(uint64_t bits)
      : functionalities_(bits >> kBackends), backends_(bits & kBackendMask), backends_left_(backends_) {
    advance();
  }

  constexpr void advance() {
    key_ = DispatchKey::Undefined;
    while (functionalities_ != 0 && key_ == DispatchKey::Undefined) {
      const auto functionality = static_cast<DispatchKey>(std::countr_zero(functionalities_) + 1);
      if (is_per_backend_functionality(functionality) && backends_left_ != 0) {
        const auto backend = static_cast<BackendComponent>(std::countr_zero(backends_left_) + 1);
        backends_left_ &= backends_left_ - 1;
        key_ = to_runtime_key(functionality, backend);
      } else {
        if (!is_per_backend_functionality(functionality)) key_ = functionality;
        functionalities_ &= functionalities_ - 1;
        backends_left_ = backends_;
      }
    }
  }

  uint64_t functionalities_;
  uint64_t backends_;
  uint64_t backends_left_;  // of the lowest functionality
  DispatchKey key_ = DispatchKey::Undefined;
};

constexpr DispatchKeySet::iterator DispatchKeySet::begin() const { return iterator(bits_); }
constexpr DispatchKeySet::iterator DispatchKeySet::end() const { return iterator(0); }

// Returns: the keys a new tensor carries: its backend's dense or sparse key, ADInplaceOrView, the backend's
// autograd key and its autocast key where there is one. The same with and without requires_grad (DSP-4).
DispatchKeySet key_set_of_tensor(Device device, bool sparse = false);

// Returns: the set without ADInplaceOrView and the autograd keys: what a tensor made in inference mode
// carries. Nothing about such a tensor is recorded, not even the versions of its data.
constexpr DispatchKeySet without_autograd(DispatchKeySet set) {
  return set - DispatchKeySet{DispatchKey::ADInplaceOrView, DispatchKey::AutogradOther,
                              DispatchKey::AutogradFunctionality};
}

}  // namespace cutaway
