// The central directory of a zip file: which members it holds, and where their bytes lie.
//
//   +--------------+------+--------------+------+ ... +-------------------+--------------+-----------+
//   | local header | data | local header | data |     | central directory | zip64 record | end record|
//   +--------------+------+--------------+------+ ... +-------------------+ and locator  +-----------+
//          ^                                              | each member's     (if needed)      |
//          +----------------------------------------------+ offset <---------------------------+
//
// Read backwards: the end record leads to the directory, the directory to every member. Sizes that a writer
// could not know beforehand (data descriptors, flag bit 3) are right in the directory, so only it is
// believed, and each local header is held against it.
//
// Note [Strict zips]
// Two programs that disagree about where a member lies are how archives are made to look harmless to one and
// not to the other, and members that share bytes are how a 10 MB archive unpacks to terabytes. So one reading
// is enforced: the end record must close the file, the directory must lie right before it, members must lie
// before the directory, must not overlap, and must be called the same in both places. What NumPy and Python's
// zipfile write always is so. A member that breaks a rule gets a reason; a broken directory is an error.
//
// Thread safety: pure functions.
//
// PyTorch: caffe2/serialize/inline_container.h
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/mapped_file.h"

namespace cutaway::io {

struct ZipMember {
  std::string name;     // UTF-8 fit to be shown
  uint16_t method = 0;  // 0 stored, 8 deflated
  uint32_t crc32 = 0;
  uint64_t packed_nbytes = 0;
  uint64_t unpacked_nbytes = 0;
  uint64_t header_begin = 0;  // of the local header
  uint64_t data_begin = 0;    // of the packed bytes
  std::string reason;         // why it cannot be read; empty when it can

  uint64_t data_end() const { return data_begin + packed_nbytes; }
};

struct ZipDirectory {
  std::vector<ZipMember> members;  // in the directory's order
  std::string comment;             // UTF-8 fit to be shown
};

inline constexpr uint16_t kZipStored = 0;
inline constexpr uint16_t kZipDeflated = 8;

// Reads the directory and every member's local header. Throws: FileError when the directory is broken.
ZipDirectory read_zip_directory(const MappedFile& file);

}  // namespace cutaway::io
