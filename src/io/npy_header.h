// The header of the .npy format, versions 1.0 to 3.0: read and written.
//
//   byte 0      6        7        8            10 (1.0) or 12 (2.0, 3.0)
//        +------+--------+--------+------------+------------------------------------------+---------
//        |magic | major  | minor  | length     | {'descr': '<f4', ..., }   spaces \n       | elements
//        +------+--------+--------+------------+------------------------------------------+---------
//                                  2 or 4 bytes, ends at a multiple of 64
//
// Version 1.0 counts its header in 16 bits, 2.0 in 32, and 3.0 is 2.0 with UTF-8 text.
//
// Note [Two callers of one header]
// The same header stands at the start of a file and at the start of every member of an .npz, where a broken
// one must not spoil the other members. So reading it throws a NpyHeaderError that knows the place within the
// header only; npy.cpp makes a FileError of it, npz.cpp the reason of one entry.
//
// Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/scalar_type.h"
#include "io/entry_layout.h"
#include "io/python_literal.h"
#include "io/tensor_file.h"

namespace cutaway::io {

inline constexpr std::string_view kNpyMagic{"\x93NUMPY", 6};

struct NpyHeader {
  int major = 0;
  int minor = 0;
  uint64_t data_begin = 0;  // bytes from the start of the magic to the first element
  Literal descr;
  std::string descr_text;  // as the file says, fit to be shown
  MemoryOrder order = MemoryOrder::C;
  std::vector<int64_t> sizes;
};

struct NpyHeaderError {
  uint64_t offset = 0;  // from the start of the magic
  std::string problem;
  std::string excerpt;  // two lines, the second with a caret; may be empty
};

// Gives `length` bytes from `offset` after the start of the magic. Never asked beyond `available`.
using ByteReader = std::function<std::string(uint64_t offset, uint64_t length)>;

// Reads the header of an array of which `available` bytes exist.
// Throws: NpyHeaderError, see Note [Two callers of one header]; and whatever `read` throws.
NpyHeader read_npy_header(const ByteReader& read, uint64_t available);

// Fills the entry's dtype, sizes, strides and byte counts from the header, and has_bytes if `available` bytes
// (of header and elements) hold them all; sets the entry's reason otherwise.
void describe_array(const NpyHeader& header, uint64_t available, TensorEntry& entry);

// Returns: magic, version, length and text for an array, padded so that the elements begin at a multiple
// of 64. The lowest version that can hold it. Throws: ValueError when .npy has no such dtype.
std::string make_npy_header(ScalarType type, const std::vector<int64_t>& sizes, MemoryOrder order);

}  // namespace cutaway::io
