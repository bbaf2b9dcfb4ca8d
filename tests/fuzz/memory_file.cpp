#include "tests/fuzz/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"

namespace cutaway::fuzz {

MemoryFile::MemoryFile() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  CUTAWAY_CHECK(descriptor_ >= 0, "MemoryFile: memfd_create failed");
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

void MemoryFile::write(std::string_view bytes) {
  const bool written = ::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, bytes.data(), bytes.size(),
                                                                    0) == static_cast<ssize_t>(bytes.size());
  CUTAWAY_CHECK(written, "MemoryFile: writing failed");
}

}  // namespace cutaway::fuzz
