// Who gives memory and how it goes back: DataPtr is the memory together with the way to release it.
//
// A DataPtr is a data pointer, a context, a deleter that is called once with the context, and the device.
// Foreign memory comes in with a deleter of its owner's. An Allocator makes DataPtrs for one kind of device.
// Invariants: a DataPtr calls its deleter exactly once, when it is destroyed or cleared; moving it moves the
// duty.
// Thread safety: an Allocator may be called from any thread; a DataPtr belongs to one.
//
// PyTorch: c10/core/Allocator.h
#pragma once

#include <cstddef>
#include <utility>

#include "core/device.h"

namespace cutaway {

using DeleterFn = void (*)(void* context);

class DataPtr {
 public:
  DataPtr() = default;
  // Memory that nobody needs to release here.
  DataPtr(void* data, Device device) : data_(data), device_(device) {}
  DataPtr(void* data, void* context, DeleterFn deleter, Device device)
      : data_(data), context_(context), deleter_(deleter), device_(device) {}
  DataPtr(DataPtr&& other) noexcept { *this = std::move(other); }
  DataPtr& operator=(DataPtr&& other) noexcept {
    if (this == &other) return *this;
    clear();
    data_ = std::exchange(other.data_, nullptr);
    context_ = std::exchange(other.context_, nullptr);
    deleter_ = std::exchange(other.deleter_, nullptr);
    device_ = other.device_;
    return *this;
  }
  ~DataPtr() { clear(); }

  void clear() {
    if (DeleterFn deleter = std::exchange(deleter_, nullptr)) deleter(context_);
    data_ = context_ = nullptr;
  }

  void* get() const { return data_; }
  void* context() const { return context_; }
  DeleterFn deleter() const { return deleter_; }
  Device device() const { return device_; }
  explicit operator bool() const { return data_ != nullptr || context_ != nullptr; }

 private:
  void* data_ = nullptr;
  void* context_ = nullptr;
  DeleterFn deleter_ = nullptr;
  Device device_{};
};

class Allocator {
 public:
  virtual ~Allocator() = default;

  // Returns: `nbytes` of uninitialised memory; a null data pointer when nbytes is 0.
  // Throws: Error when there is no such memory.
  virtual DataPtr allocate(size_t nbytes) = 0;
  // "cpu", "meta", ...: shown to people.
  virtual const char* name() const = 0;
};

// The allocator of a kind of device. `get` throws Error when none was registered.
Allocator* get_allocator(DeviceType type);
void set_allocator(DeviceType type, Allocator* allocator);

}  // namespace cutaway
