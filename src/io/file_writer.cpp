#include "io/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"
#include "io/file_error.h"

namespace cutaway::io {

namespace {
constexpr size_t kBufferBytes = 1u << 20;
constexpr mode_t kNewFileMode = 0666;  // less the process's umask
}  // namespace

FileWriter::FileWriter(std::string path)
    : path_(std::move(path)), part_(path_ + ".part-" + std::to_string(::getpid())) {
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kNewFileMode);
  if (descriptor_ < 0) fail(errno);
}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(part_.c_str());
}

void FileWriter::fail(int code) const {
  fail_write(path_, std::strerror(code), "Check that its folder exists, may be written to, and has room.");
}

void FileWriter::write(const void* data, uint64_t length) {
  const auto* from = static_cast<const char*>(data);
  if (length >= kBufferBytes) {
    flush();
    write_through(from, length, position_);
  } else if (length > 0) {
    if (buffer_.size() + length > kBufferBytes) flush();
    buffer_.insert(buffer_.end(), from, from + length);
  }
  position_ += length;
}

void FileWriter::patch(uint64_t offset, std::string_view bytes) {
  CUTAWAY_INTERNAL_ASSERT(offset + bytes.size() <= position_);
  flush();
  write_through(bytes.data(), bytes.size(), offset);
}

void FileWriter::flush() {
  write_through(buffer_.data(), buffer_.size(), position_ - buffer_.size());
  buffer_.clear();
}

void FileWriter::write_through(const char* data, uint64_t length, uint64_t offset) {
  while (length > 0) {
    const ssize_t count = ::pwrite(descriptor_, data, length, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    data += count;
    offset += static_cast<uint64_t>(count);
    length -= static_cast<uint64_t>(count);
  }
}

void FileWriter::commit() {
  flush();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  int code = ::close(descriptor) != 0 ? errno : 0;
  if (code == 0 && std::rename(part_.c_str(), path_.c_str()) != 0) code = errno;
  if (code == 0) return;
  ::unlink(part_.c_str());
  fail(code);
}

}  // namespace cutaway::io
