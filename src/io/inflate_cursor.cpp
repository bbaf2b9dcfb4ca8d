#include "io/inflate_cursor.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "io/file_error.h"

namespace cutaway::io {

namespace {

constexpr int kRawDeflate = -MAX_WBITS;  // zip members have no zlib header
constexpr size_t kWindowBytes = 32u << 10;
// What inflate() leaves in z_stream::data_type.
constexpr int kUnusedBits = 7;
constexpr int kLastBlock = 64;
constexpr int kBehindBlock = 128;

}  // namespace

InflateCursor::InflateCursor(std::shared_ptr<const MappedFile> file, uint64_t packed_begin,
                             uint64_t packed_end, size_t input_bytes)
    : file_(std::move(file)),
      packed_next_(packed_begin),
      packed_end_(packed_end),
      input_(std::clamp<uint64_t>(packed_end - packed_begin, 1, input_bytes)) {
  if (inflateInit2(&stream_, kRawDeflate) != Z_OK) throw std::bad_alloc();
}

InflateCursor::~InflateCursor() { inflateEnd(&stream_); }

void InflateCursor::fail(const std::string& problem) const {
  fail_at(file_->path(), packed_next_ - stream_.avail_in, problem,
          "The archive is damaged; fetch or save it again.");
}

void InflateCursor::refill() {
  const uint64_t length = std::min<uint64_t>(input_.size(), packed_end_ - packed_next_);
  file_->read(packed_next_, length, input_.data());
  packed_next_ += length;
  stream_.next_in = input_.data();
  stream_.avail_in = static_cast<uInt>(length);
}

uint64_t InflateCursor::read(std::byte* out, uint64_t length, bool stop_at_block) {
  uint64_t produced = 0;
  at_block_ = false;
  while (produced < length && !finished_) {
    if (stream_.avail_in == 0) refill();
    const auto room = static_cast<uInt>(std::min<uint64_t>(length - produced, 1u << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(out + produced);
    stream_.avail_out = room;
    const int result = inflate(&stream_, stop_at_block ? Z_BLOCK : Z_NO_FLUSH);
    const uInt got = room - stream_.avail_out;
    produced += got;
    position_ += got;
    if (result == Z_STREAM_END) {
      finished_ = true;
    } else if (result == Z_BUF_ERROR && packed_next_ == packed_end_) {
      fail("the deflate stream ends too early, after " + std::to_string(position_) + " unpacked bytes");
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail(std::string("the deflate stream is damaged (") + (stream_.msg ? stream_.msg : zError(result)) +
           ")");
    } else if (stop_at_block && (stream_.data_type & kBehindBlock) && !(stream_.data_type & kLastBlock)) {
      at_block_ = true;
      break;
    }
  }
  return produced;
}

RestartPoint InflateCursor::restart_point() const {
  RestartPoint point;
  point.unpacked = position_;
  point.packed = packed_next_ - stream_.avail_in;
  point.bits = stream_.data_type & kUnusedBits;
  point.window.resize(kWindowBytes);
  uInt length = 0;
  // zlib's signature lacks a const; the stream is only looked at.
  inflateGetDictionary(const_cast<z_stream*>(&stream_), point.window.data(), &length);
  point.window.resize(length);
  point.window.shrink_to_fit();
  return point;
}

void InflateCursor::restart(const RestartPoint& point) {
  inflateReset(&stream_);
  stream_.avail_in = 0;
  packed_next_ = point.packed - (point.bits > 0 ? 1 : 0);
  if (point.bits > 0) {
    refill();
    inflatePrime(&stream_, point.bits, input_[0] >> (8 - point.bits));
    ++stream_.next_in;
    --stream_.avail_in;
  }
  if (!point.window.empty()) {
    inflateSetDictionary(&stream_, point.window.data(), static_cast<uInt>(point.window.size()));
  }
  position_ = point.unpacked;
  finished_ = false;
  at_block_ = false;
}

}  // namespace cutaway::io
