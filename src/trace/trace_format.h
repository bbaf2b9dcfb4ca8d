// The framing bytes of a trace file, shared by writer and reader. For src/trace only.
//
// PyTorch: none
#pragma once

#include <cstdint>

#include "trace_generated.h"

namespace cutaway::trace {

inline constexpr char kMagic[8] = {'C', 'U', 'T', 'A', 'W', 'A', 'Y', '\x1a'};
inline constexpr char kChunkTag[5] = "CHNK";
inline constexpr char kEndTag[5] = "END.";

struct FrameHeader {
  char tag[4];
  uint32_t crc;
  uint64_t length;
};
static_assert(sizeof(FrameHeader) == 16);

}  // namespace cutaway::trace
