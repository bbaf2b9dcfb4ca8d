// A pointer that owns, with the counts kept inside the object: 8 bytes, one allocation, no control block.
//
// Two counts. `strong` says how many own the object; `weak` how many know where it is. All strong references
// together hold one weak reference, so strong > 0 implies weak > 0:
//
//   strong 2, weak 1   two owners
//   strong 1, weak 3   one owner, two weak pointers
//   strong 0, weak 2   payload gone (release_resources was called), the object's memory still there
//   strong 0, weak 0   memory gone
//
// Strong never goes from 0 back up: lock() on a dead weak pointer gives null. An object on the stack keeps
// both counts at 0, which is how making a pointer to one is caught; one that dies with owners left ends the
// program. Copying or moving an object does not copy its counts. The null value is a parameter, so that for
// tensors it is a singleton whose methods answer "undefined".
// Thread safety: different pointers to one object may be copied and dropped on different threads; one pointer
// may not.
//
// PyTorch: c10/util/intrusive_ptr.h
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/observer.h"

namespace cutaway {

template <class T, class Null>
class intrusive_ptr;
template <class T, class Null>
class weak_intrusive_ptr;

namespace detail {
// Says on standard error that an object died while `strong` owners and `weak` others still point at it, and
// aborts.
[[noreturn, gnu::cold]] void destroyed_while_owned(uint32_t strong, uint32_t weak) noexcept;
}  // namespace detail

// Note [Memory order of the counts]
// Going up is relaxed: whoever copies a pointer already has the object, so there is nothing to see that it
// did not see before. Going down releases, and the step that finds itself last acquires: what every other
// owner did to the object has then happened before its payload is freed and before its memory goes. lock()
// acquires for the same reason.

class intrusive_ptr_target {
 public:
  uint32_t use_count() const { return strong_.load(std::memory_order_relaxed); }
  uint32_t weak_use_count() const { return weak_.load(std::memory_order_relaxed); }

 protected:
  intrusive_ptr_target() = default;
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  // A last weak count of 1 is the one that the strong references held together.
  virtual ~intrusive_ptr_target() {
    if (__builtin_expect(use_count() != 0 || weak_use_count() > 1, 0))
      detail::destroyed_while_owned(use_count(), weak_use_count());
  }

  // Frees the payload early, when the last owner has gone but weak pointers remain. Requires: leaves the
  // object fit to be destroyed.
  virtual void release_resources() {}
  // Tells the observer new counts, for kinds of object it knows. Called while somebody watches, and before a
  // count goes down: afterwards another thread may already have deleted the object.
  virtual void report_counts(uint32_t /*strong*/, uint32_t /*weak*/) const {}

 private:
  template <class T, class Null>
  friend class intrusive_ptr;
  template <class T, class Null>
  friend class weak_intrusive_ptr;

  void report(int strong_change, int weak_change) const {
    if (observer()) report_counts(use_count() + strong_change, weak_use_count() + weak_change);
  }

  mutable std::atomic<uint32_t> strong_{0};
  mutable std::atomic<uint32_t> weak_{0};
};

template <class T>
struct null_of {
  static constexpr T* singleton() noexcept { return nullptr; }
};

template <class T, class Null = null_of<T>>
class intrusive_ptr {
 public:
  using element_type = T;

  intrusive_ptr() noexcept : target_(Null::singleton()) {}
  intrusive_ptr(std::nullptr_t) noexcept : target_(Null::singleton()) {}
  intrusive_ptr(const intrusive_ptr& other) : target_(other.target_) { retain(); }
  intrusive_ptr(intrusive_ptr&& other) noexcept : target_(std::exchange(other.target_, Null::singleton())) {}
  template <class From, class = std::enable_if_t<std::is_convertible_v<From*, T*>>>
  intrusive_ptr(intrusive_ptr<From> other) noexcept
      : target_(other.defined() ? other.release() : Null::singleton()) {}
  ~intrusive_ptr() { drop(); }

  intrusive_ptr& operator=(intrusive_ptr other) noexcept {
    swap(other);
    return *this;
  }

  // Makes a new object and the first pointer to it.
  template <class... Args>
  static intrusive_ptr make(Args&&... args) {
    return adopt_new(new T(std::forward<Args>(args)...));
  }

  // Takes ownership of a new object. Requires: it is on the heap. Throws: internal error when somebody owns
  // it already.
  static intrusive_ptr adopt_new(T* fresh) {
    CUTAWAY_INTERNAL_ASSERT(fresh->strong_.load() == 0 && fresh->weak_.load() == 0,
                            "intrusive_ptr: the object is already owned");
    fresh->strong_.store(1, std::memory_order_relaxed);
    fresh->weak_.store(1, std::memory_order_relaxed);
    return intrusive_ptr(fresh, Adopt{});
  }

  // Takes back what release() gave away.
  static intrusive_ptr reclaim(T* owned) noexcept { return intrusive_ptr(owned, Adopt{}); }

  // One more pointer to an object that others own already. Throws: internal error for an object on the stack.
  static intrusive_ptr share(T* owned) {
    CUTAWAY_INTERNAL_ASSERT(owned == Null::singleton() || owned->strong_.load() > 0,
                            "intrusive_ptr: an object that nobody owns (is it on the stack?)");
    intrusive_ptr p(owned, Adopt{});
    p.retain();
    return p;
  }

  T* get() const noexcept { return target_; }
  T& operator*() const noexcept { return *target_; }
  T* operator->() const noexcept { return target_; }
  bool defined() const noexcept { return target_ != Null::singleton(); }
  explicit operator bool() const noexcept { return defined(); }

  void reset() noexcept {
    drop();
    target_ = Null::singleton();
  }
  void swap(intrusive_ptr& other) noexcept { std::swap(target_, other.target_); }
  // Gives the reference away; the caller must hand it to reclaim().
  T* release() noexcept { return std::exchange(target_, Null::singleton()); }

  uint32_t use_count() const noexcept { return defined() ? target_->use_count() : 0; }
  uint32_t weak_use_count() const noexcept { return defined() ? target_->weak_use_count() : 0; }

  friend bool operator==(const intrusive_ptr& a, const intrusive_ptr& b) noexcept {
    return a.target_ == b.target_;
  }

 private:
  friend class weak_intrusive_ptr<T, Null>;
  struct Adopt {};
  intrusive_ptr(T* target, Adopt) noexcept : target_(target) {}

  void retain() {
    if (!defined()) return;
    const uint32_t before = target_->strong_.fetch_add(1, std::memory_order_relaxed);
    CUTAWAY_INTERNAL_ASSERT(before != 0, "intrusive_ptr: the object is already gone");
    target_->report(0, 0);
  }

  void drop() noexcept {
    if (!defined()) return;
    target_->report(-1, 0);
    if (target_->strong_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    // The strong references' common weak one may be the last: nobody can come to the object any more, so its
    // destructor alone will do.
    if (target_->weak_.load(std::memory_order_acquire) == 1) {
      delete base();
      return;
    }
    base()->release_resources();
    if (target_->weak_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete base();
  }
  intrusive_ptr_target* base() const { return target_; }

  T* target_;
};

template <class T, class Null = null_of<T>>
class weak_intrusive_ptr {
 public:
  weak_intrusive_ptr() noexcept : target_(Null::singleton()) {}
  explicit weak_intrusive_ptr(const intrusive_ptr<T, Null>& owner) noexcept : target_(owner.get()) {
    retain();
  }
  weak_intrusive_ptr(const weak_intrusive_ptr& other) noexcept : target_(other.target_) { retain(); }
  weak_intrusive_ptr(weak_intrusive_ptr&& other) noexcept
      : target_(std::exchange(other.target_, Null::singleton())) {}
  ~weak_intrusive_ptr() { drop(); }

  weak_intrusive_ptr& operator=(weak_intrusive_ptr other) noexcept {
    std::swap(target_, other.target_);
    return *this;
  }

  bool expired() const noexcept { return !defined() || target_->use_count() == 0; }
  uint32_t use_count() const noexcept { return defined() ? target_->use_count() : 0; }
  uint32_t weak_use_count() const noexcept { return defined() ? target_->weak_use_count() : 0; }

  // Returns: an owner, or null when the last owner has gone. Never resurrects.
  intrusive_ptr<T, Null> lock() const noexcept {
    if (!defined()) return {};
    uint32_t seen = target_->strong_.load(std::memory_order_relaxed);
    do {
      if (seen == 0) return {};
    } while (!target_->strong_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                                     std::memory_order_relaxed));
    target_->report(0, 0);
    return intrusive_ptr<T, Null>(target_, typename intrusive_ptr<T, Null>::Adopt{});
  }

  void reset() noexcept {
    drop();
    target_ = Null::singleton();
  }

 private:
  bool defined() const noexcept { return target_ != Null::singleton(); }
  void retain() noexcept {
    if (!defined()) return;
    target_->weak_.fetch_add(1, std::memory_order_relaxed);
    if (target_->use_count() != 0) target_->report(0, 0);
  }
  void drop() noexcept {
    if (!defined()) return;
    if (target_->use_count() != 0) target_->report(0, -1);
    if (target_->weak_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete static_cast<const intrusive_ptr_target*>(target_);
  }

  T* target_;
};

template <class T, class... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return intrusive_ptr<T>::make(std::forward<Args>(args)...);
}

}  // namespace cutaway
