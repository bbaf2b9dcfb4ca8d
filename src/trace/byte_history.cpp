#include "trace/byte_history.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace cutaway::trace {

void ByteHistory::set_cap(uint64_t bytes) {
  std::unique_lock lock(mutex_);
  store_.set_cap(bytes);
}

uint64_t ByteHistory::bytes_kept() const {
  std::shared_lock lock(mutex_);
  return store_.kept();
}

void ByteHistory::set_provider(uint32_t storage, ByteProvider provider) {
  std::unique_lock lock(mutex_);
  providers_[storage] = std::make_shared<const ByteProvider>(std::move(provider));
}

void ByteHistory::set_provider(ByteProvider provider) {
  std::unique_lock lock(mutex_);
  provider_ = std::make_shared<const ByteProvider>(std::move(provider));
}

uint32_t ByteHistory::storage_of(ObjectId id) const {
  std::shared_lock lock(mutex_);
  const auto found = storages_.find(id);
  return found == storages_.end() ? kNoStorage : found->second;
}

std::shared_ptr<const ByteProvider> ByteHistory::provider_of(uint32_t storage) const {
  const auto own = providers_.find(storage);
  return own == providers_.end() ? provider_ : own->second;
}

const ByteHistory::Version* ByteHistory::History::at(size_t t) const {
  if (latest.number <= t) return latest.number == 0 ? nullptr : &latest;
  const auto after = std::upper_bound(versions.begin(), versions.end(), t,
                                      [](size_t time, const Version& v) { return time < v.number; });
  return after == versions.begin() ? nullptr : &*(after - 1);
}

void ByteHistory::History::add(const Version& version) {
  if (version.number == latest.number)
    versions.back() = version;
  else
    versions.push_back(version);
  latest = version;
}

ByteHistory::History& ByteHistory::history_for(uint32_t storage) {
  if (storage >= histories_.size()) histories_.resize(storage + 1);
  return histories_[storage];
}

bool ByteHistory::change(History& history, size_t number, uint64_t nbytes, PageTree::Brush brush) {
  Version next = history.latest;
  next.nbytes = nbytes;
  next.number = static_cast<uint32_t>(number);
  for (; PageTree::capacity(next.level) < nbytes; ++next.level) next.root = tree_.raised(next.root);
  bool all_kept = true;
  brush.nbytes = nbytes;
  brush.number = next.number;
  next.root = tree_.paint(next.root, next.level, brush, store_, all_kept);
  history.add(next);
  return all_kept;
}

void ByteHistory::allocate(uint32_t storage, ObjectId id, size_t number, uint64_t nbytes, uint64_t known,
                           const Contents& contents, bool initialised) {
  std::unique_lock lock(mutex_);
  History& history = history_for(storage);
  history.id = id;
  storages_.emplace(id, storage);
  PageTree::Brush brush;
  brush.end = nbytes;
  brush.cause = Cause::Birth;
  brush.content = initialised ? Content::Outside : Content::Uninitialised;
  if (known < nbytes || nbytes == 0) change(history, number, nbytes, brush);
  if (known == 0) return;
  brush.content = Content::NotRecorded;
  brush.end = known;
  brush.contents = contents;
  change(history, number, nbytes, brush);
}

void ByteHistory::resize(uint32_t storage, size_t number, uint64_t nbytes, bool recorded) {
  std::unique_lock lock(mutex_);
  History& history = history_for(storage);
  PageTree::Brush brush;
  brush.begin = history.latest.nbytes;
  brush.end = nbytes;
  brush.cause = Cause::Birth;
  brush.content = recorded ? Content::Uninitialised : Content::NotRecorded;
  change(history, number, nbytes, brush);
}

bool ByteHistory::write(uint32_t storage, size_t number, uint64_t begin, uint64_t end,
                        const Contents& contents) {
  std::unique_lock lock(mutex_);
  History& history = history_for(storage);
  PageTree::Brush brush;
  brush.begin = begin;
  brush.end = end;
  brush.contents = contents;
  return change(history, number, history.latest.nbytes, brush) && (!contents.empty() || begin == end);
}

void ByteHistory::see(uint32_t storage, size_t number, uint64_t begin, uint64_t end,
                      const Contents& contents) {
  std::unique_lock lock(mutex_);
  History& history = history_for(storage);
  PageTree::Brush brush;
  brush.begin = begin;
  brush.end = end;
  brush.cause = Cause::Seen;
  brush.contents = contents;
  change(history, number, history.latest.nbytes, brush);
}

std::optional<uint32_t> ByteHistory::add_page(std::span<const std::byte> bytes) {
  std::unique_lock lock(mutex_);
  return store_.add_page(bytes);
}

// Fills the runs that only the provider knows.
void ByteHistory::ask(const ByteProvider& provider, ObjectId storage, uint64_t begin,
                      std::span<std::byte> out, std::span<const ContentByte> content) {
  for (size_t from = 0; from < out.size();) {
    const auto start =
        std::find(content.begin() + static_cast<ptrdiff_t>(from), content.end(), byte_of(Content::Outside));
    const auto stop =
        std::find_if(start, content.end(), [](ContentByte c) { return c != byte_of(Content::Outside); });
    const auto at = static_cast<size_t>(start - content.begin()),
               end = static_cast<size_t>(stop - content.begin());
    if (at < end) provider(storage, begin + at, out.subspan(at, end - at));
    from = end;
  }
}

void ByteHistory::read(uint32_t storage, size_t t, uint64_t begin, std::span<std::byte> out,
                       std::span<ByteState> known) const {
  static_assert(sizeof(ContentByte) == sizeof(ByteState));
  // `known` holds ContentBytes until the end: it is as long and as wide, and may be many megabytes.
  const std::span<ContentByte> content(reinterpret_cast<ContentByte*>(known.data()), known.size());
  std::fill(out.begin(), out.end(), std::byte{0});
  std::fill(content.begin(), content.end(), byte_of(Content::NotRecorded));
  std::shared_ptr<const ByteProvider> provider;
  ObjectId id = 0;
  {
    std::shared_lock lock(mutex_);
    const History* history = history_of(storage);
    const Version* version = history ? history->at(t) : nullptr;
    const uint64_t size = version ? version->nbytes : 0;
    const size_t n = begin < size ? std::min<uint64_t>(out.size(), size - begin) : 0;
    if (n > 0) tree_.read(version->root, version->level, begin, out.first(n), content.first(n), store_);
    if (history) provider = provider_of(storage), id = history->id;
  }
  if (provider && *provider) ask(*provider, id, begin, out, content);
  const ByteState outside = provider && *provider ? ByteState::Known : ByteState::NotRecorded;
  const ByteState state_of[] = {outside,          ByteState::NotRecorded, ByteState::Uninitialised,
                                ByteState::Known, ByteState::Known,       ByteState::Known};
  for (size_t i = 0; i < known.size(); ++i) known[i] = state_of[content[i]];
}

size_t ByteHistory::last_write(uint32_t storage, size_t t, uint64_t begin, uint64_t end) const {
  std::shared_lock lock(mutex_);
  const History* history = history_of(storage);
  const Version* version = history ? history->at(t) : nullptr;
  return version ? tree_.last_write(version->root, version->level, begin, std::min(end, version->nbytes)) : 0;
}

std::vector<PagePiece> ByteHistory::changes(uint32_t storage, size_t number, Cause cause, uint64_t begin,
                                            uint64_t end) const {
  std::shared_lock lock(mutex_);
  const History* history = history_of(storage);
  const Version* version = history ? history->at(number) : nullptr;
  std::vector<PagePiece> changes;
  const bool found_version = version && version->number == number;
  for (uint64_t at = begin; at < end;) {
    const uint64_t page = at / kPageBytes, next = std::min(end, (page + 1) * kPageBytes);
    PageTree::Change found;
    if (found_version)
      found = tree_.change_at(version->root, version->level, page, static_cast<uint32_t>(number), cause);
    PagePiece change{found.content, 0, {}};
    if (found.content == Content::Piece) change.bytes = {store_.piece(found.at), next - at};
    if (found.content == Content::Page) {
      change.page = static_cast<uint32_t>(found.at);
      change.bytes = {store_.page(change.page), kPageBytes};
    }
    changes.push_back(change);
    at = next;
  }
  return changes;
}

}  // namespace cutaway::trace
