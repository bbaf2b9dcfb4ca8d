#include "trace/byte_store.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "core/error.h"

namespace cutaway::trace {

uint64_t ByteStore::add_derived(std::span<const std::byte> bytes) {
  CUTAWAY_INTERNAL_ASSERT(bytes.size() <= kPageBytes, "a piece is at most a page");
  if (used_ + bytes.size() > kBlockBytes) {
    blocks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[kBlockBytes]));
    used_ = 0;
  }
  const uint64_t place = (blocks_.size() - 1) * kBlockBytes + used_;
  if (!bytes.empty()) std::memcpy(blocks_.back().get() + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
  return place;
}

std::optional<uint64_t> ByteStore::add_piece(std::span<const std::byte> bytes) {
  if (bytes.size() > cap_ - std::min(cap_, kept_)) return std::nullopt;
  kept_ += bytes.size();
  return add_derived(bytes);
}

std::optional<uint32_t> ByteStore::add_page(std::span<const std::byte> bytes) {
  CUTAWAY_INTERNAL_ASSERT(bytes.size() == kPageBytes, "a page is whole");
  const uint64_t hash =
      std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto [first, last] = page_of_hash_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& entry) {
    return std::memcmp(pages_[entry.second].data(), bytes.data(), kPageBytes) == 0;
  });
  if (same != last) return same->second;
  if (kPageBytes > cap_ - std::min(cap_, kept_)) return std::nullopt;
  kept_ += kPageBytes;
  Page page;
  std::memcpy(page.data(), bytes.data(), kPageBytes);
  const auto number = static_cast<uint32_t>(pages_.push_back(page));
  page_of_hash_.emplace(hash, number);
  return number;
}

}  // namespace cutaway::trace
