// A place in a deflate stream inside a file, moving forward: unpacked bytes in order, and restart points on
// the way.
//
// Invariants: `position()` is the number of unpacked bytes produced since the start of the stream, also after
// a restart. Only the packed bytes of [packed_begin, packed_end) are ever read, in pieces of `input_bytes`.
// After an exception the cursor must not be used again.
// Thread safety: none; one thread at a time.
//
// PyTorch: none
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/mapped_file.h"

namespace cutaway::io {

// All that zlib needs to begin in the middle: where, and the last 32 KiB before it, to which matches refer
// back.
struct RestartPoint {
  uint64_t unpacked = 0;
  uint64_t packed = 0;  // in the file: the next byte to read
  int bits = 0;         // bits of the byte before `packed` that are not used yet
  std::vector<unsigned char> window;
};

class InflateCursor {
 public:
  InflateCursor(std::shared_ptr<const MappedFile> file, uint64_t packed_begin, uint64_t packed_end,
                size_t input_bytes);
  ~InflateCursor();
  InflateCursor(const InflateCursor&) = delete;
  InflateCursor& operator=(const InflateCursor&) = delete;

  uint64_t position() const { return position_; }

  // Produces up to `length` bytes; stops early at the end of the stream and, when `stop_at_block`, behind a
  // block. Returns: how many were produced. Throws: FileError when the stream is damaged or ends inside a
  // block.
  uint64_t read(std::byte* out, uint64_t length, bool stop_at_block = false);

  bool finished() const { return finished_; }

  // Whether the last `read` stopped behind a block that is not the last one: only there can work restart.
  bool can_restart_here() const { return at_block_; }

  // Requires: can_restart_here().
  RestartPoint restart_point() const;

  // Goes to a restart point of the same stream.
  void restart(const RestartPoint& point);

 private:
  void refill();
  [[noreturn]] void fail(const std::string& problem) const;

  std::shared_ptr<const MappedFile> file_;
  uint64_t packed_next_;  // next byte of the file to put into input_
  uint64_t packed_end_;
  std::vector<unsigned char> input_;
  z_stream stream_{};
  uint64_t position_ = 0;
  bool finished_ = false;
  bool at_block_ = false;
};

}  // namespace cutaway::io
