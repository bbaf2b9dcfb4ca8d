// The bytes: one block of memory, its size, and who may change it. No dtype: a storage counts bytes.
//
//   StorageImpl
//   +-----------+------------------------------------------------+
//   | data_ptr_ | data, context, deleter, device  (DataPtr)       |
//   | nbytes_   | size of the block                               |
//   | allocator_| who can give a bigger one; null for foreign     |
//   | id_       | identity for people and traces, never reused    |
//   | resizable_|                                                 |
//   +-----------+------------------------------------------------+
//
// Identity is the object, not the address: two storages over the same foreign memory are no aliases, and
// writes through one are not seen by the version counter of the other.
// Invariants: resizable implies an allocator. Allocation, resizing and the end are reported to the observer.
// Thread safety: reading is; resizing while others read is not.
//
// PyTorch: c10/core/StorageImpl.h
#pragma once

#include <cstddef>

#include "core/allocator.h"
#include "core/intrusive_ptr.h"
#include "core/observer.h"

namespace cutaway {

class StorageImpl final : public intrusive_ptr_target {
 public:
  // A block of `nbytes` from `allocator`, uninitialised.
  StorageImpl(size_t nbytes, Allocator* allocator, bool resizable = true);
  // Memory that came from elsewhere; its DataPtr's deleter is called once, at the end. Not resizable.
  StorageImpl(size_t nbytes, DataPtr foreign);
  ~StorageImpl() override;

  void* mutable_data() { return data_ptr_.get(); }
  const void* data() const { return data_ptr_.get(); }
  size_t nbytes() const { return nbytes_; }
  Device device() const { return data_ptr_.device(); }
  bool resizable() const { return resizable_; }
  Allocator* allocator() const { return allocator_; }
  ObjectId id() const { return id_; }

  // Grows or shrinks the block; the bytes that both sizes share are kept, new ones are uninitialised.
  // Throws: Error "Trying to resize storage that is not resizable" (M34).
  void resize(size_t nbytes);

  // Returns: what the observer is told about this storage.
  StorageFacts facts() const;

 protected:
  void release_resources() override;
  void report_counts(uint32_t strong, uint32_t weak) const override;

 private:
  DataPtr data_ptr_;
  size_t nbytes_;
  Allocator* allocator_;
  const ObjectId id_;
  bool resizable_;
  bool freed_ = false;
};

static_assert(sizeof(StorageImpl) == 80, "MEM-4: as large as PyTorch's");

using Storage = intrusive_ptr<StorageImpl>;

}  // namespace cutaway
