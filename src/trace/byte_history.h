// The bytes of every storage at every moment: what it began with, and what each write left behind.
//
// Contents are exact or absent: bytes beyond the cap, or of memory the recorder could not read, are "not
// recorded", never a wrong value. Each storage has a tree of pages (page_tree.h) and a root for each event
// that changed its bytes, so a read costs what it covers, at whatever time. Bytes of a tensor file stay in
// the file and are asked for. Storages go by slot here (trace_data.h).
// Thread safety: all of it, also reading while another thread adds. A provider is called without a lock, so
// it may itself read.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/observer.h"
#include "trace/page_tree.h"

namespace cutaway::trace {

// What is known of a byte of a storage at time t.
enum class ByteState : uint8_t { Known, NotRecorded, Uninitialised };

// Gives bytes of storages that live outside the trace (a tensor file): fills `out` with [begin, begin +
// out.size()).
using ByteProvider = std::function<void(ObjectId storage, uint64_t begin, std::span<std::byte> out)>;

class ByteHistory {
 public:
  // The most bytes of contents that are kept.
  void set_cap(uint64_t bytes);
  uint64_t bytes_kept() const;

  // Answers for one storage, or for all that have none of their own.
  void set_provider(uint32_t storage, ByteProvider provider);
  void set_provider(ByteProvider provider);

  // Event `number` made the storage: its first `known` bytes are `contents`. What follows those is a
  // provider's to know when the storage is `initialised`, else uninitialised. Requires: known <= nbytes.
  void allocate(uint32_t storage, ObjectId id, size_t number, uint64_t nbytes, uint64_t known,
                const Contents& contents, bool initialised);
  // Event `number` gave it another size; new bytes are uninitialised, or not recorded.
  void resize(uint32_t storage, size_t number, uint64_t nbytes, bool recorded = true);
  // Event `number` changed [begin, end) to `contents`, or to what is not recorded when those are empty.
  // Returns: whether all of them were kept. Requires: numbers of one storage ascend; the range lies inside
  // it.
  bool write(uint32_t storage, size_t number, uint64_t begin, uint64_t end, const Contents& contents);
  // At time `number`, after its event, `contents` were seen at [begin, end), whoever put them there.
  void see(uint32_t storage, size_t number, uint64_t begin, uint64_t end, const Contents& contents);
  // Returns: the number of a page that `contents` may then refer to, or nothing when the cap does not allow
  // it.
  std::optional<uint32_t> add_page(std::span<const std::byte> bytes);

  // Returns: the slot of a storage that was allocated here, kNoStorage for any other id.
  static constexpr uint32_t kNoStorage = 0xffffffffu;
  uint32_t storage_of(ObjectId id) const;

  // Bytes at time t; beyond the storage's size then they are not recorded. Requires: out.size() == known.size().
  void read(uint32_t storage, size_t t, uint64_t begin, std::span<std::byte> out,
            std::span<ByteState> known) const;

  // Returns: number of the last write <= t that touched [begin, end), 0 if none.
  size_t last_write(uint32_t storage, size_t t, uint64_t begin, uint64_t end) const;

  // For who writes a trace to a file: the pieces that one change of [begin, end) consists of.
  std::vector<PagePiece> changes(uint32_t storage, size_t number, Cause cause, uint64_t begin,
                                 uint64_t end) const;

 private:
  // What a storage holds from event `number` on.
  struct Version {
    uint64_t nbytes = 0;
    uint32_t number = 0;
    PageTree::Ref root = PageTree::kNothing;
    int level = 0;
  };

  // One cache line, because a write to a random storage waits for little else.
  struct alignas(64) History {
    ObjectId id = 0;
    Version latest;                 // number 0 before the first
    std::vector<Version> versions;  // all of them, ascending numbers

    // Returns: the version that holds at time t, null before the first.
    const Version* at(size_t t) const;
    void add(const Version& version);
  };
  static_assert(sizeof(History) == 64);

  // Lays the brush over the storage as event `number` leaves it. Returns: whether the bytes were kept.
  bool change(History& history, size_t number, uint64_t nbytes, PageTree::Brush brush);
  History& history_for(uint32_t storage);
  const History* history_of(uint32_t storage) const {
    return storage < histories_.size() ? &histories_[storage] : nullptr;
  }
  std::shared_ptr<const ByteProvider> provider_of(uint32_t storage) const;
  static void ask(const ByteProvider& provider, ObjectId storage, uint64_t begin, std::span<std::byte> out,
                  std::span<const ContentByte> content);

  mutable std::shared_mutex mutex_;  // guards all below
  std::unordered_map<ObjectId, uint32_t> storages_;
  std::vector<History> histories_;  // by slot
  std::unordered_map<uint32_t, std::shared_ptr<const ByteProvider>> providers_;
  std::shared_ptr<const ByteProvider> provider_;
  PageTree tree_;
  ByteStore store_;
};

}  // namespace cutaway::trace
