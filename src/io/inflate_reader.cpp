// See Note [Reading the middle of a deflate stream]. Both cursors move in whole chunks, so the scout, which
// is only used for chunks before the frontier, never passes it.
#include "io/inflate_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "io/file_error.h"
#include "io/limits.h"
#include "io/outside_text.h"

namespace cutaway::io {

namespace {
constexpr size_t kInputBytes = 64u << 10;
}

// One call's progress, counted in unpacked bytes.
class InflateReader::Work {
 public:
  Work(const Progress& progress, uint64_t total) : progress_(progress), total_(total) {}

  // Returns: whether to go on.
  bool step(uint64_t unpacked) {
    done_ = std::min(done_ + unpacked, total_);
    return !progress_ || progress_(done_, total_);
  }

 private:
  const Progress& progress_;
  uint64_t done_ = 0;
  uint64_t total_;
};

InflateReader::InflateReader(std::shared_ptr<const MappedFile> file, const ZipMember& member,
                             uint64_t spacing)
    : file_(std::move(file)), member_(member), spacing_(spacing) {
  frontier_ = std::make_unique<InflateCursor>(file_, member_.data_begin, member_.data_end(), kInputBytes);
  points_.push_back(RestartPoint{0, member_.data_begin, 0, {}});
}

InflateReader::~InflateReader() = default;

size_t InflateReader::restart_points() const {
  const std::lock_guard lock(mutex_);
  return points_.size();
}

void InflateReader::fail(const std::string& problem) const {
  fail_at(file_->path(), member_.data_begin, "member " + in_quotes(member_.name) + " " + problem,
          "The archive is damaged; fetch or save it again.");
}

bool InflateReader::read(uint64_t offset, uint64_t length, void* out, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (!damage_.empty()) fail(damage_);
  if (length == 0) return true;
  auto* to = static_cast<std::byte*>(out);
  const uint64_t end = offset + length;
  const uint64_t first = offset / kInflateChunkBytes * kInflateChunkBytes;
  const uint64_t start = std::min(first, nearest_cursor(first).position());
  Work work(progress, std::min(member_.unpacked_nbytes, end + kInflateChunkBytes) - start);
  for (uint64_t at = offset; at < end;) {
    const uint64_t index = at / kInflateChunkBytes;
    const Chunk* chunk = cached(index);
    if (!chunk) chunk = unpack(index, work);
    if (!chunk) return false;
    const uint64_t within = at - index * kInflateChunkBytes;
    const uint64_t count = std::min<uint64_t>(end - at, chunk->bytes.size() - within);
    std::memcpy(to, chunk->bytes.data() + within, count);
    to += count;
    at += count;
  }
  return true;
}

bool InflateReader::verify(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (!damage_.empty()) fail(damage_);
  if (member_.unpacked_nbytes == 0) check_end();
  Work work(progress, member_.unpacked_nbytes - frontier_->position());
  return skip_to(*frontier_, member_.unpacked_nbytes, work);
}

const InflateReader::Chunk* InflateReader::cached(uint64_t index) {
  const auto found =
      std::find_if(chunks_.begin(), chunks_.end(), [&](const Chunk& c) { return c.index == index; });
  if (found == chunks_.end()) return nullptr;
  chunks_.splice(chunks_.begin(), chunks_, found);
  return &chunks_.front();
}

const InflateReader::Chunk* InflateReader::unpack(uint64_t index, Work& work) {
  const uint64_t begin = index * kInflateChunkBytes;
  InflateCursor& cursor = nearest_cursor(begin);
  if (!skip_to(cursor, begin, work)) return nullptr;
  Chunk chunk{
      index, std::vector<std::byte>(std::min<uint64_t>(kInflateChunkBytes, member_.unpacked_nbytes - begin))};
  advance(cursor, chunk.bytes.data(), chunk.bytes.size());
  const bool go_on = work.step(chunk.bytes.size());
  chunks_.push_front(std::move(chunk));
  if (chunks_.size() > kInflateCacheChunks) chunks_.pop_back();
  return go_on ? &chunks_.front() : nullptr;
}

InflateCursor& InflateReader::nearest_cursor(uint64_t target) {
  if (frontier_->position() <= target) return *frontier_;
  const auto behind = std::upper_bound(points_.begin(), points_.end(), target,
                                       [](uint64_t at, const RestartPoint& p) { return at < p.unpacked; });
  const RestartPoint& point = *std::prev(behind);  // points_[0] is at 0
  if (!scout_) {
    scout_ = std::make_unique<InflateCursor>(file_, member_.data_begin, member_.data_end(), kInputBytes);
  }
  if (scout_->position() > target || scout_->position() < point.unpacked) scout_->restart(point);
  return *scout_;
}

bool InflateReader::skip_to(InflateCursor& cursor, uint64_t target, Work& work) {
  std::vector<std::byte> scratch;
  while (cursor.position() < target) {
    // To the next multiple of the chunk size, for a restart point may lie anywhere.
    const uint64_t to_border = kInflateChunkBytes - cursor.position() % kInflateChunkBytes;
    const uint64_t length = std::min(to_border, target - cursor.position());
    scratch.resize(kInflateChunkBytes);
    advance(cursor, scratch.data(), length);
    if (!work.step(length)) return false;
  }
  return true;
}

void InflateReader::advance(InflateCursor& cursor, std::byte* out, uint64_t length) {
  try {
    if (&cursor == frontier_.get()) {
      advance_frontier(out, length);
    } else if (cursor.read(out, length) != length) {
      fail("unpacks to something else than a moment ago");  // the file was changed under us
    }
  } catch (const FileError&) {
    if (damage_.empty()) damage_ = "could not be unpacked when it was tried before";
    throw;
  }
}

void InflateReader::advance_frontier(std::byte* out, uint64_t length) {
  while (length > 0) {
    const uint64_t count = frontier_->read(out, length, true);
    crc_ = static_cast<uint32_t>(crc32_z(crc_, reinterpret_cast<const Bytef*>(out), count));
    out += count;
    length -= count;
    if (frontier_->can_restart_here()) {
      leave_restart_point();
    } else if (frontier_->finished() && length > 0) {
      fail("unpacks to " + std::to_string(frontier_->position()) + " bytes instead of " +
           std::to_string(member_.unpacked_nbytes));
    }
  }
  if (frontier_->position() == member_.unpacked_nbytes) check_end();
}

void InflateReader::leave_restart_point() {
  if (frontier_->position() < points_.back().unpacked + spacing_) return;
  points_.push_back(frontier_->restart_point());
  if (points_.size() <= kMaxRestartPoints) return;
  size_t kept = 0;
  for (size_t i = 0; i < points_.size(); i += 2) {
    if (kept != i) points_[kept] = std::move(points_[i]);
    ++kept;
  }
  points_.resize(kept);
  spacing_ *= 2;
}

void InflateReader::check_end() {
  if (checked_) return;
  std::byte more{};
  if (frontier_->read(&more, 1) != 0) {
    fail("unpacks to more than the " + std::to_string(member_.unpacked_nbytes) + " bytes it claims");
  }
  if (crc_ != member_.crc32) {
    chunks_.clear();
    fail("fails its checksum: its bytes are not the ones that were written");
  }
  checked_ = true;
}

}  // namespace cutaway::io
