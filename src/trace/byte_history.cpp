#include "trace/byte_history.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace cutaway::trace {
namespace {

uint64_t hash_of(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

void ByteHistory::set_provider(ObjectId storage, ByteProvider provider) {
  histories_[storage].provider = std::move(provider);
}

bool ByteHistory::keep(Patch& patch, std::span<const std::byte> bytes) {
  if (bytes.size() <= kSmall) {
    if (kept_ + bytes.size() > cap_) return false;
    patch.small_at = small_.size();
    small_.insert(small_.end(), bytes.begin(), bytes.end());
    kept_ += bytes.size();
    return true;
  }
  for (size_t at = 0; at < bytes.size(); at += kPage) {
    const auto page = bytes.subspan(at, std::min(kPage, bytes.size() - at));
    const uint64_t hash = hash_of(page);
    const auto [first, last] = page_of_hash_.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      const auto& kept = pages_[entry.second];
      return kept.size() == page.size() && std::memcmp(kept.data(), page.data(), page.size()) == 0;
    });
    if (same != last) {
      patch.pages.push_back(same->second);
      continue;
    }
    if (kept_ + page.size() > cap_) return false;
    patch.pages.push_back(static_cast<uint32_t>(pages_.size()));
    page_of_hash_.emplace(hash, patch.pages.back());
    pages_.emplace_back(page.begin(), page.end());
    kept_ += page.size();
  }
  return true;
}

bool ByteHistory::add(ObjectId storage, size_t number, uint64_t begin, uint64_t end, std::span<const std::byte> bytes,
                      ByteState state, Cause cause) {
  if (begin >= end) return true;
  Patch patch{number, begin, end, state, cause, 0, {}};
  if (state == ByteState::Known && !keep(patch, bytes)) {
    patch.state = ByteState::NotRecorded;
    patch.pages.clear();
  }
  const bool kept = patch.state == ByteState::Known;
  histories_[storage].patches.push_back(std::move(patch));
  return kept;
}

void ByteHistory::copy_from(const Patch& patch, uint64_t begin, std::span<std::byte> out) const {
  uint64_t at = begin - patch.begin;
  if (patch.pages.empty()) {
    std::memcpy(out.data(), small_.data() + patch.small_at + at, out.size());
    return;
  }
  for (size_t done = 0; done < out.size();) {
    const auto& page = pages_[patch.pages[at / kPage]];
    const size_t n = std::min<size_t>(page.size() - at % kPage, out.size() - done);
    std::memcpy(out.data() + done, page.data() + at % kPage, n);
    done += n;
    at += n;
  }
}

void ByteHistory::read(ObjectId storage, size_t t, uint64_t begin, std::span<std::byte> out,
                       std::span<ByteState> known) const {
  using Gap = std::pair<uint64_t, uint64_t>;
  std::vector<Gap> gaps{{begin, begin + out.size()}};
  const auto found = histories_.find(storage);
  const History* history = found == histories_.end() ? nullptr : &found->second;
  static const std::vector<Patch> kNoPatches;
  const auto& patches = history ? history->patches : kNoPatches;
  auto patch = std::upper_bound(patches.begin(), patches.end(), t,
                                [](size_t time, const Patch& p) { return time < p.number; });
  while (patch != patches.begin() && !gaps.empty()) {
    --patch;
    std::vector<Gap> left;
    for (const auto& [from, to] : gaps) {
      const uint64_t low = std::max(from, patch->begin), high = std::min(to, patch->end);
      if (low >= high) {
        left.push_back({from, to});
        continue;
      }
      std::fill(known.begin() + (low - begin), known.begin() + (high - begin), patch->state);
      if (patch->state == ByteState::Known) copy_from(*patch, low, out.subspan(low - begin, high - low));
      if (from < low) left.push_back({from, low});
      if (high < to) left.push_back({high, to});
    }
    gaps = std::move(left);
  }
  for (const auto& [from, to] : gaps) {
    const bool provided = history && history->provider;
    std::fill(known.begin() + (from - begin), known.begin() + (to - begin),
              provided ? ByteState::Known : ByteState::NotRecorded);
    if (provided) history->provider(storage, from, out.subspan(from - begin, to - from));
  }
}

size_t ByteHistory::last_write(ObjectId storage, size_t t, uint64_t begin, uint64_t end) const {
  const auto found = histories_.find(storage);
  if (found == histories_.end()) return 0;
  const auto& patches = found->second.patches;
  for (auto patch = patches.rbegin(); patch != patches.rend(); ++patch) {
    if (patch->number <= t && patch->cause == Cause::Write && patch->begin < end && begin < patch->end) return patch->number;
  }
  return 0;
}

std::vector<std::byte> ByteHistory::patch_bytes(ObjectId storage, size_t number) const {
  const auto found = histories_.find(storage);
  if (found == histories_.end()) return {};
  const auto& patches = found->second.patches;
  const auto patch = std::lower_bound(patches.begin(), patches.end(), number,
                                      [](const Patch& p, size_t wanted) { return p.number < wanted; });
  if (patch == patches.end() || patch->number != number || patch->state != ByteState::Known) return {};
  std::vector<std::byte> bytes(patch->end - patch->begin);
  copy_from(*patch, patch->begin, bytes);
  return bytes;
}

}  // namespace cutaway::trace
