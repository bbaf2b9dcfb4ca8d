// The bytes of every storage at every moment: an initial content and the patches that writes laid over it.
//
// A patch is what one write left behind, or word that nothing is known (not recorded, freshly allocated). Small patches
// carry their bytes; larger ones refer to 4 KiB pages in a store that keeps equal pages once, up to a cap. Beyond the
// cap a patch says "not recorded", so a wrong value is never shown.
// Reading walks the patches of one storage back from t until every byte asked for is accounted for.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/observer.h"

namespace cutaway::trace {

// What is known of a byte of a storage at time t.
enum class ByteState : uint8_t { Known, NotRecorded, Uninitialised };

// Gives bytes of storages that live outside the trace (a tensor file): fills `out` with [begin, begin + out.size()).
using ByteProvider = std::function<void(ObjectId storage, uint64_t begin, std::span<std::byte> out)>;

class ByteHistory {
 public:
  static constexpr size_t kSmall = 4096;
  static constexpr size_t kPage = 4096;

  // The most bytes the store may keep.
  void set_cap(uint64_t bytes) { cap_ = bytes; }
  uint64_t bytes_kept() const { return kept_; }

  void set_provider(ObjectId storage, ByteProvider provider);

  enum class Cause : uint8_t { Birth, Write };

  // At event `number`, [begin, end) became `bytes`; for a state other than Known, `bytes` is empty.
  // Returns: whether the bytes were kept. Requires: numbers of one storage ascend.
  bool add(ObjectId storage, size_t number, uint64_t begin, uint64_t end, std::span<const std::byte> bytes,
           ByteState state, Cause cause);

  // Requires: out.size() == known.size().
  void read(ObjectId storage, size_t t, uint64_t begin, std::span<std::byte> out, std::span<ByteState> known) const;

  // Returns: number of the last write <= t that touched [begin, end), 0 if none.
  size_t last_write(ObjectId storage, size_t t, uint64_t begin, uint64_t end) const;

  // Returns: the bytes of the patch made at event `number`, empty when none were kept.
  std::vector<std::byte> patch_bytes(ObjectId storage, size_t number) const;

 private:
  struct Patch {
    size_t number = 0;
    uint64_t begin = 0;
    uint64_t end = 0;
    ByteState state = ByteState::Known;
    Cause cause = Cause::Write;
    uint64_t small_at = 0;              // into small_, for patches up to kSmall
    std::vector<uint32_t> pages;        // into pages_, for larger ones
  };

  struct History {
    std::vector<Patch> patches;         // ascending numbers
    ByteProvider provider;
  };

  // Returns: false when the cap does not allow it.
  bool keep(Patch& patch, std::span<const std::byte> bytes);
  void copy_from(const Patch& patch, uint64_t begin, std::span<std::byte> out) const;

  std::unordered_map<ObjectId, History> histories_;
  std::vector<std::byte> small_;
  std::vector<std::vector<std::byte>> pages_;
  std::unordered_multimap<uint64_t, uint32_t> page_of_hash_;
  uint64_t cap_ = 256ull << 20;
  uint64_t kept_ = 0;
};

}  // namespace cutaway::trace
