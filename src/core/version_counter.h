// Counts the writes to a storage, so that autograd can tell whether a value it saved is still the one it
// saved.
//
// Views of a tensor and detach() share the counter of their base; `.data` gets one of its own (that is its
// danger). It lives in TensorImpl rather than in autograd's metadata, so that tensors without gradient are
// counted too and the forward pass stays safe on several threads. Handles are cheap: copying one shares the
// counter. A tensor made in inference mode has none, which is what makes it cheaper: its handle is disabled.
// Thread safety: bump() and current() may be called from any thread.
//
// PyTorch: c10/core/TensorImpl.h (VariableVersion)
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/intrusive_ptr.h"
#include "core/observer.h"

namespace cutaway {

class VersionCounter {
 public:
  // A fresh counter.
  VersionCounter() : count_(make_intrusive<Count>()) {}
  // One that does not count; making it allocates nothing.
  static VersionCounter disabled() noexcept { return VersionCounter(intrusive_ptr<Count>()); }

  bool enabled() const { return count_.defined(); }
  // Identity: equal for all who share. 0 when not enabled.
  ObjectId id() const { return enabled() ? count_->id : 0; }
  // Throws: Error "Inference tensors do not track version counter." when not enabled.
  uint64_t current() const {
    CUTAWAY_CHECK(enabled(), "Inference tensors do not track version counter.");
    return count_->value.load(std::memory_order_acquire);
  }
  void bump() {
    CUTAWAY_CHECK(enabled(), "Inplace update to inference tensor outside InferenceMode is not allowed.");
    const uint64_t before = count_->value.fetch_add(1, std::memory_order_acq_rel);
    if (Observer* o = observer()) o->version_changed(count_->id, before, before + 1);
  }

  bool shares_with(const VersionCounter& other) const { return enabled() && count_ == other.count_; }
  uint32_t use_count() const { return count_.use_count(); }

 private:
  struct Count final : intrusive_ptr_target {
    const ObjectId id = next_object_id();
    std::atomic<uint64_t> value{0};
  };
  explicit VersionCounter(intrusive_ptr<Count> count) noexcept : count_(std::move(count)) {}

  intrusive_ptr<Count> count_;
};

}  // namespace cutaway
