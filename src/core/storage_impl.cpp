#include "core/storage_impl.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cutaway {

namespace {

Allocator& checked(Allocator* allocator) {
  CUTAWAY_INTERNAL_ASSERT(allocator != nullptr, "a storage that gets its own memory needs an allocator");
  return *allocator;
}

}  // namespace

StorageImpl::StorageImpl(size_t nbytes, Allocator* allocator, bool resizable)
    : data_ptr_(checked(allocator).allocate(nbytes)),
      nbytes_(nbytes),
      allocator_(allocator),
      id_(next_object_id()),
      resizable_(resizable) {
  if (Observer* o = observer()) o->storage_allocated(facts());
}

StorageImpl::StorageImpl(size_t nbytes, DataPtr foreign)
    : data_ptr_(std::move(foreign)),
      nbytes_(nbytes),
      allocator_(nullptr),
      id_(next_object_id()),
      resizable_(false) {
  if (Observer* o = observer()) o->storage_allocated(facts());
}

StorageImpl::~StorageImpl() { release_resources(); }

void StorageImpl::release_resources() {
  if (std::exchange(freed_, true)) return;
  data_ptr_.clear();
  if (Observer* o = observer()) o->storage_freed(id_);
}

void StorageImpl::resize(size_t nbytes) {
  CUTAWAY_CHECK(resizable_, "Trying to resize storage that is not resizable");
  if (nbytes == nbytes_) return;
  DataPtr fresh = allocator_->allocate(nbytes);
  const size_t kept = std::min(nbytes, nbytes_);
  if (kept > 0 && fresh.get() && data_ptr_.get()) std::memcpy(fresh.get(), data_ptr_.get(), kept);
  const size_t before = std::exchange(nbytes_, nbytes);
  data_ptr_ = std::move(fresh);
  if (Observer* o = observer()) o->storage_resized(id_, before, facts());
}

StorageFacts StorageImpl::facts() const {
  StorageFacts f;
  f.storage = id_;
  f.nbytes = nbytes_;
  f.device = device();
  f.allocator = allocator_ ? allocator_->name() : "foreign";
  f.resizable = resizable_;
  f.initialised = allocator_ == nullptr;
  f.data = device().is_cpu() ? data() : nullptr;
  return f;
}

void StorageImpl::report_counts(uint32_t strong, uint32_t weak) const {
  if (Observer* o = observer()) o->counts_changed(id_, strong, weak);
}

}  // namespace cutaway
