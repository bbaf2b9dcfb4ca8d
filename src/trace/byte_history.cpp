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

void ByteHistory::set_provider(ObjectId storage, ByteProvider provider) {
  std::unique_lock lock(mutex_);
  histories_[storage].provider = std::make_shared<const ByteProvider>(std::move(provider));
}

void ByteHistory::set_provider(ByteProvider provider) {
  std::unique_lock lock(mutex_);
  provider_ = std::make_shared<const ByteProvider>(std::move(provider));
}

const ByteHistory::Version* ByteHistory::History::at(size_t t) const {
  const auto after = std::upper_bound(versions.begin(), versions.end(), t,
                                      [](size_t time, const Version& v) { return time < v.number; });
  return after == versions.begin() ? nullptr : &*(after - 1);
}

const ByteHistory::History* ByteHistory::history_of(ObjectId storage) const {
  const auto found = histories_.find(storage);
  return found == histories_.end() ? nullptr : &found->second;
}

// The version that event `number` makes: it begins as the one before, with a root that is high enough for `nbytes`.
ByteHistory::Version& ByteHistory::version_for(History& history, size_t number, uint64_t nbytes) {
  Version next = history.versions.empty() ? Version() : history.versions.back();
  next.nbytes = nbytes;
  for (; PageTree::capacity(next.level) < nbytes; ++next.level) next.root = tree_.raised(next.root);
  if (!history.versions.empty() && next.number == number) return history.versions.back() = next;
  next.number = static_cast<uint32_t>(number);
  return history.versions.emplace_back(next);
}

// Returns: whether the bytes were kept.
bool ByteHistory::paint(Version& version, PageTree::Brush brush) {
  bool all_kept = true;
  brush.nbytes = version.nbytes;
  brush.number = version.number;
  version.root = tree_.paint(version.root, version.level, brush, store_, all_kept);
  return all_kept;
}

void ByteHistory::allocate(ObjectId storage, size_t number, uint64_t nbytes, uint64_t known,
                           const Contents& contents, bool initialised) {
  std::unique_lock lock(mutex_);
  Version& version = version_for(histories_[storage], number, nbytes);
  PageTree::Brush brush;
  brush.end = nbytes;
  brush.cause = Cause::Birth;
  brush.content = initialised ? Content::Outside : Content::Uninitialised;
  if (known < nbytes) paint(version, brush);
  brush.content = Content::NotRecorded;
  brush.end = known;
  brush.contents = contents;
  paint(version, brush);
}

void ByteHistory::resize(ObjectId storage, size_t number, uint64_t nbytes, bool recorded) {
  std::unique_lock lock(mutex_);
  History& history = histories_[storage];
  PageTree::Brush brush;
  brush.begin = history.versions.empty() ? 0 : history.versions.back().nbytes;
  brush.end = nbytes;
  brush.cause = Cause::Birth;
  brush.content = recorded ? Content::Uninitialised : Content::NotRecorded;
  paint(version_for(history, number, nbytes), brush);
}

bool ByteHistory::write(ObjectId storage, size_t number, uint64_t begin, uint64_t end,
                        const Contents& contents) {
  std::unique_lock lock(mutex_);
  History& history = histories_[storage];
  const uint64_t nbytes = history.versions.empty() ? end : history.versions.back().nbytes;
  PageTree::Brush brush;
  brush.begin = begin;
  brush.end = end;
  brush.contents = contents;
  return paint(version_for(history, number, nbytes), brush) && (!contents.empty() || begin == end);
}

void ByteHistory::see(ObjectId storage, size_t number, uint64_t begin, uint64_t end, const Contents& contents) {
  std::unique_lock lock(mutex_);
  History& history = histories_[storage];
  if (history.versions.empty() || begin == end) return;
  PageTree::Brush brush;
  brush.begin = begin;
  brush.end = end;
  brush.cause = Cause::Seen;
  brush.contents = contents;
  paint(version_for(history, number, history.versions.back().nbytes), brush);
}

std::optional<uint32_t> ByteHistory::add_page(std::span<const std::byte> bytes) {
  std::unique_lock lock(mutex_);
  return store_.add_page(bytes);
}

// Fills the runs that only the provider knows.
void ByteHistory::ask(const ByteProvider& provider, ObjectId storage, uint64_t begin, std::span<std::byte> out,
                      std::span<const ContentByte> content) {
  for (size_t from = 0; from < out.size();) {
    const auto start = std::find(content.begin() + static_cast<ptrdiff_t>(from), content.end(), byte_of(Content::Outside));
    const auto stop = std::find_if(start, content.end(), [](ContentByte c) { return c != byte_of(Content::Outside); });
    const auto at = static_cast<size_t>(start - content.begin()), end = static_cast<size_t>(stop - content.begin());
    if (at < end) provider(storage, begin + at, out.subspan(at, end - at));
    from = end;
  }
}

void ByteHistory::read(ObjectId storage, size_t t, uint64_t begin, std::span<std::byte> out,
                       std::span<ByteState> known) const {
  static_assert(sizeof(ContentByte) == sizeof(ByteState));
  // `known` holds ContentBytes until the end: it is as long and as wide, and may be many megabytes.
  const std::span<ContentByte> content(reinterpret_cast<ContentByte*>(known.data()), known.size());
  std::fill(out.begin(), out.end(), std::byte{0});
  std::fill(content.begin(), content.end(), byte_of(Content::NotRecorded));
  std::shared_ptr<const ByteProvider> provider;
  {
    std::shared_lock lock(mutex_);
    const History* history = history_of(storage);
    const Version* version = history ? history->at(t) : nullptr;
    const uint64_t size = version ? version->nbytes : 0;
    const size_t n = begin < size ? std::min<uint64_t>(out.size(), size - begin) : 0;
    if (n > 0) tree_.read(version->root, version->level, begin, out.first(n), content.first(n), store_);
    if (history) provider = history->provider ? history->provider : provider_;
  }
  if (provider && *provider) ask(*provider, storage, begin, out, content);
  const ByteState outside = provider && *provider ? ByteState::Known : ByteState::NotRecorded;
  const ByteState state_of[] = {outside,          ByteState::NotRecorded, ByteState::Uninitialised,
                                ByteState::Known, ByteState::Known,       ByteState::Known};
  for (size_t i = 0; i < known.size(); ++i) known[i] = state_of[content[i]];
}

size_t ByteHistory::last_write(ObjectId storage, size_t t, uint64_t begin, uint64_t end) const {
  std::shared_lock lock(mutex_);
  const History* history = history_of(storage);
  const Version* version = history ? history->at(t) : nullptr;
  return version ? tree_.last_write(version->root, version->level, begin, std::min(end, version->nbytes)) : 0;
}

std::vector<PagePiece> ByteHistory::changes(ObjectId storage, size_t number, Cause cause, uint64_t begin,
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
