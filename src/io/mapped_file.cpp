#include "io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/file_error.h"
#include "io/limits.h"

namespace cutaway::io {

namespace {

std::string errno_text(int code) { return std::strerror(code); }

[[noreturn]] void fail_to_open(const std::string& path, int code) {
  if (code == ENOENT || code == ENOTDIR) {
    fail_file(path, "there is no such file", "Check the spelling and the folder it is looked for in.");
  }
  if (code == EACCES || code == EPERM) {
    fail_file(path, "permission denied", "Ask its owner for read access, or copy it as a user who has it.");
  }
  fail_file(path, errno_text(code), "Check that the file can be read by other programs.");
}

// What a path leads to when it is no regular file.
const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISFIFO(mode)) return "it is a pipe";
  if (S_ISSOCK(mode)) return "it is a socket";
  return "it is a device";
}

}  // namespace

MappedRange::MappedRange(MappedRange&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      base_size_(std::exchange(other.base_size_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedRange& MappedRange::operator=(MappedRange&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(base_size_, other.base_size_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedRange::~MappedRange() {
  if (base_) ::munmap(base_, base_size_);
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer. It has no effect on a regular file.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail_to_open(path, errno);
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) {
    const int code = errno;
    ::close(descriptor);
    fail_to_open(path, code);
  }
  if (!S_ISREG(facts.st_mode) || facts.st_size <= 0) {
    ::close(descriptor);
    if (!S_ISREG(facts.st_mode)) {
      fail_file(path, kind_of(facts.st_mode), "Name a tensor file: .npy, .npz or .safetensors.");
    }
    fail_file(path, "it is empty (0 bytes)",
              "Save it again; the program that wrote it may have been stopped.");
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(path, descriptor, static_cast<uint64_t>(facts.st_size)));
}

MappedFile::~MappedFile() { ::close(descriptor_); }

void MappedFile::require_range(uint64_t offset, uint64_t length) const {
  if (offset <= size_ && length <= size_ - offset) return;
  fail_at(path_, offset,
          "the file ends too early: " + std::to_string(length) +
              " bytes are needed from here and the file has " + std::to_string(size_) + " bytes in all",
          "It was probably cut off while being written or copied; fetch or save it again.");
}

bool MappedFile::read(uint64_t offset, uint64_t length, void* out, const Progress& progress) const {
  require_range(offset, length);
  auto* to = static_cast<char*>(out);
  uint64_t done = 0;
  while (done < length) {
    const uint64_t want = std::min(length - done, kProgressBytes);
    const ssize_t got = ::pread(descriptor_, to + done, want, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail_at(path_, offset + done, errno_text(errno), "Check the disk or the network drive that holds it.");
    }
    if (got == 0) {
      fail_at(path_, offset + done,
              "the file has become shorter since it was opened (it had " + std::to_string(size_) + " bytes)",
              "Another program is writing it; open it again when that has finished.");
    }
    done += static_cast<uint64_t>(got);
    bytes_read_.fetch_add(static_cast<uint64_t>(got), std::memory_order_relaxed);
    if (progress && !progress(done, length)) return false;
  }
  return true;
}

std::string MappedFile::read_text(uint64_t offset, uint64_t length) const {
  require_range(offset, length);  // before allocating
  std::string text(length, '\0');
  read(offset, length, text.data());
  return text;
}

MappedRange MappedFile::map(uint64_t offset, uint64_t length) const {
  require_range(offset, length);
  MappedRange range;
  if (length == 0) return range;
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0 || static_cast<uint64_t>(facts.st_size) < offset + length) {
    fail_at(path_, offset,
            "the file has become shorter since it was opened (it had " + std::to_string(size_) + " bytes)",
            "Another program is writing it; open it again when that has finished.");
  }
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t lead = offset % page;
  void* base =
      ::mmap(nullptr, length + lead, PROT_READ, MAP_PRIVATE, descriptor_, static_cast<off_t>(offset - lead));
  if (base == MAP_FAILED) {
    fail_at(path_, offset, "mapping " + std::to_string(length) + " bytes failed: " + errno_text(errno),
            "Read the range instead, or free address space.");
  }
  range.base_ = base;
  range.base_size_ = length + lead;
  range.data_ = static_cast<const std::byte*>(base) + lead;
  range.size_ = length;
  return range;
}

}  // namespace cutaway::io
