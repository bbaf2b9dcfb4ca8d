// Bytes of a storage for the screen: what a file cannot give is "not recorded" there, and the reason goes to the status line.
//
// A damaged member of an archive, or a file that became shorter, must not take the window down with it.
// Thread safety: as Trace::bytes_at.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace cutaway::inspector {

struct ReadBytes {
  std::vector<std::byte> value;
  std::vector<trace::ByteState> state;  // one for each byte
  std::string problem;                  // why the file could not be read; "" when it could
};

// Bytes [begin, begin + count) at time t.
ReadBytes read_bytes(const trace::Trace& trace, size_t t, ObjectId storage, uint64_t begin, size_t count);

// Returns: Known when every byte of unit `i` is, else what one of the others is.
trace::ByteState state_of(const ReadBytes& bytes, size_t i, size_t size);

}  // namespace cutaway::inspector
