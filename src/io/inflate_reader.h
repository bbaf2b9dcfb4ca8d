// A deflated member of a zip, read at random.
//
// Note [Reading the middle of a deflate stream]
// A deflate stream can only be read from its start, and a member may unpack to more than memory holds, so
// neither "unpack it all" nor "unpack from the start each time" will do. Three things are kept instead, all
// bounded (io/limits.h):
//   - the frontier: a cursor that has seen everything up to the farthest byte asked for so far. It keeps the
//   running
//     CRC of the member, and compares it when it arrives at the end. On its way it leaves restart points, at
//     least kFirstRestartSpacing apart; when there are kMaxRestartPoints, every second one is dropped and the
//     spacing doubles.
//   - the scout: a second cursor, for ranges behind the frontier. It starts at the nearest restart point
//   before
//     the range, or goes on from where it is.
//   - chunks of unpacked bytes, the least recently used dropped first, so that scrolling to and fro costs
//   nothing.
// A range far ahead costs unpacking up to there once; any later range costs at most the spacing.
//
// Thread safety: all public functions may be called from several threads; they wait for each other.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/inflate_cursor.h"
#include "io/limits.h"
#include "io/mapped_file.h"
#include "io/zip_directory.h"

namespace cutaway::io {

class InflateReader {
 public:
  // `spacing` is how far apart restart points are at first. Requires: `member` is deflated and has no reason.
  InflateReader(std::shared_ptr<const MappedFile> file, const ZipMember& member,
                uint64_t spacing = kFirstRestartSpacing);
  ~InflateReader();

  // Copies unpacked bytes [offset, offset + length) to `out`. Requires: inside the member.
  // Returns: false when `progress`, which counts all bytes that must be unpacked, stopped it.
  // Throws: FileError when the stream is damaged, unpacks to another size, or fails its checksum.
  bool read(uint64_t offset, uint64_t length, void* out, const Progress& progress = {});

  // Unpacks what is left up to the end, so that the checksum has been compared. Returns and throws: as read.
  bool verify(const Progress& progress = {});

  size_t restart_points() const;

 private:
  struct Chunk {
    uint64_t index;
    std::vector<std::byte> bytes;
  };
  class Work;

  const Chunk* cached(uint64_t index);
  const Chunk* unpack(uint64_t index, Work& work);
  bool skip_to(InflateCursor& cursor, uint64_t target, Work& work);
  void advance(InflateCursor& cursor, std::byte* out, uint64_t length);
  void advance_frontier(std::byte* out, uint64_t length);
  void leave_restart_point();
  void check_end();
  InflateCursor& nearest_cursor(uint64_t target);
  [[noreturn]] void fail(const std::string& problem) const;

  std::shared_ptr<const MappedFile> file_;
  ZipMember member_;
  mutable std::mutex mutex_;
  std::unique_ptr<InflateCursor> frontier_;
  std::unique_ptr<InflateCursor> scout_;
  std::vector<RestartPoint> points_;  // by rising position
  uint64_t spacing_;
  uint32_t crc_ = 0;
  bool checked_ = false;     // the end was reached and the checksum was right
  std::string damage_;       // the first fault that was met; every later read repeats it
  std::list<Chunk> chunks_;  // most recently used first
};

}  // namespace cutaway::io
