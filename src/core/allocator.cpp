#include "core/allocator.h"

#include <atomic>

#include "core/cpu_allocator.h"
#include "core/error.h"

namespace cutaway {
namespace {

// Shapes without bytes: hands out null pointers, so that a storage may know its size and hold nothing.
class MetaAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t) override { return DataPtr(nullptr, Device(DeviceType::Meta)); }
  const char* name() const override { return "meta"; }
};

std::atomic<Allocator*>& slot(DeviceType type) {
  static MetaAllocator meta;
  static std::atomic<Allocator*> slots[kDeviceTypes] = {cpu_allocator(), nullptr, nullptr, &meta, nullptr};
  return slots[static_cast<int>(type)];
}

}  // namespace

Allocator* get_allocator(DeviceType type) {
  Allocator* allocator = slot(type).load();
  CUTAWAY_CHECK(allocator != nullptr, "Allocator for ", to_string(type), " is not set.");
  return allocator;
}

void set_allocator(DeviceType type, Allocator* allocator) { slot(type).store(allocator); }

}  // namespace cutaway
