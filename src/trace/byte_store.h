// The bytes themselves: small pieces one after the other, and pages of 4 KiB of which equal ones are kept
// once.
//
// Nothing is ever removed, so a place stays good. `cap` bounds what is kept for the sake of contents; what is
// derived (images, see page_tree.h) comes on top and is bounded by the number of pieces.
// Thread safety: reading is, while nobody adds.
//
// PyTorch: none
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/table.h"

namespace cutaway::trace {

inline constexpr size_t kPageBytes = 4096;

class ByteStore {
 public:
  void set_cap(uint64_t bytes) { cap_ = bytes; }
  uint64_t kept() const { return kept_; }

  // Returns: where the piece now lies, or nothing when the cap does not allow it. Requires: at most a page.
  std::optional<uint64_t> add_piece(std::span<const std::byte> bytes);
  // The same, whatever the cap.
  uint64_t add_derived(std::span<const std::byte> bytes);
  const std::byte* piece(uint64_t place) const {
    return blocks_[place / kBlockBytes].get() + place % kBlockBytes;
  }

  // Returns: the number of a page with these bytes, or nothing when the cap does not allow it. Requires: a
  // whole page.
  std::optional<uint32_t> add_page(std::span<const std::byte> bytes);
  const std::byte* page(uint32_t number) const { return pages_[number].data(); }

 private:
  static constexpr size_t kBlockBytes = 1u << 16;
  using Page = std::array<std::byte, kPageBytes>;

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t used_ = kBlockBytes;  // of the last block
  Table<Page> pages_;
  std::unordered_multimap<uint64_t, uint32_t> page_of_hash_;
  uint64_t cap_ = 256ull << 20;
  uint64_t kept_ = 0;
};

}  // namespace cutaway::trace
