// An open file of outside data: its bytes by range, copied or mapped, and never more of them than were asked
// for.
//
// Invariants: the file is a regular one, open for reading, and had `size()` > 0 bytes when it was opened;
// that size is what every range is held against. Nothing is read or mapped at construction.
//
// Note [Why ranges are read, and mapped only on request]
// A mapping of a file that somebody else makes shorter is a trap: touching a page past the new end is not an
// error that can be caught but SIGBUS, which ends the program. Checking the size first does not help, the
// file may shrink between the check and the touch. A viewer that is open beside a training run that rewrites
// its checkpoint meets exactly this. So everything the readers look at (headers, and the ranges that are on a
// screen) goes through pread, which copies out of the same page cache as a mapping would show, costs about
// 0.1 us more a range, and answers a shrunken file with a short count, which becomes an ordinary FileError
// here. A mapping is what the tensor library wants, whose kernels need pointers: `map` gives one range,
// privately (writes never reach the file), after comparing with the size of that moment. Whoever takes one
// accepts that the file must not shrink while it is held. Neither way copies or reads ahead more of a 10 GB
// file than the range.
//
// Thread safety: everything is const and may be called from several threads at once; pread has no file
// position.
//
// PyTorch: aten/src/ATen/MapAllocator.h
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::io {

// Told how far long work has come, in bytes. Returns: false to stop it.
using Progress = std::function<bool(uint64_t done, uint64_t total)>;

// A mapped range of a file; unmapped when it goes.
class MappedRange {
 public:
  MappedRange() = default;
  MappedRange(MappedRange&& other) noexcept;
  MappedRange& operator=(MappedRange&& other) noexcept;
  ~MappedRange();

  const std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }

 private:
  friend class MappedFile;
  void* base_ = nullptr;  // start of the mapping, on a page border
  size_t base_size_ = 0;
  const std::byte* data_ = nullptr;  // the first byte that was asked for
  uint64_t size_ = 0;
};

class MappedFile {
 public:
  // Opens `path` for reading, without reading any of it.
  // Throws: FileError when it is missing, not permitted, not a regular file, or empty.
  static std::shared_ptr<const MappedFile> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }

  // Copies `length` bytes from `offset` to `out`. `progress` is asked every kProgressBytes.
  // Returns: false when `progress` stopped it; `out` is then partly written.
  // Throws: FileError when the range is outside the file, or the file has become shorter, or the disk fails.
  bool read(uint64_t offset, uint64_t length, void* out, const Progress& progress = {}) const;

  // Returns: a copy of `length` bytes from `offset`. Requires: the caller has bounded `length`. Throws: as
  // `read`.
  std::string read_text(uint64_t offset, uint64_t length) const;

  // Returns: the range as memory, see Note [Why ranges are read, and mapped only on request].
  // Throws: FileError when the range is outside the file as it is now, or mapping fails.
  MappedRange map(uint64_t offset, uint64_t length) const;

  // Returns: how many bytes were read so far by anyone, mappings not counted. Listing a file must keep this
  // small.
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

 private:
  MappedFile(std::string path, int descriptor, uint64_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}
  void require_range(uint64_t offset, uint64_t length) const;

  std::string path_;
  int descriptor_;
  uint64_t size_;
  mutable std::atomic<uint64_t> bytes_read_{0};
};

}  // namespace cutaway::io
