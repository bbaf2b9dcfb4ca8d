// The frames of a trace file, shared by writer and reader. For src/trace only.
//
//   +-----------------------------+  8 bytes  "CUTAWAY\x1a"
//   | magic, version, flags       |  4 bytes  version, 4 bytes zero
//   +-----------------------------+
//   | tag, crc32, length          |  4 + 4 + 8 bytes; the checksum is of tag, length and payload
//   |   payload                   |  padded with zeros to a multiple of 8 (not counted in length)
//   +-----------------------------+
//   | ...                         |
//   +-----------------------------+
//
//   tag     payload
//   "PAGE"  up to 256 pages of 4,096 bytes, numbered through the file
//   "CHNK"  FlatBuffers Chunk: up to 1,024 events with all they refer to (trace.fbs)
//   "END."  FlatBuffers End: without it the recording was cut off
//
// All numbers are little-endian, and so must be the machine (a big-endian one would need a copy of every
// struct).
//
// PyTorch: none
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "trace_generated.h"

namespace cutaway::trace {

static_assert(std::endian::native == std::endian::little);

inline constexpr char kMagic[8] = {'C', 'U', 'T', 'A', 'W', 'A', 'Y', '\x1a'};
inline constexpr char kPageTag[5] = "PAGE";
inline constexpr char kChunkTag[5] = "CHNK";
inline constexpr char kEndTag[5] = "END.";
inline constexpr size_t kHeaderBytes = 16;

// What the writer keeps to, and the reader refuses to go beyond.
inline constexpr size_t kEventsPerChunk = 1024;
inline constexpr size_t kPagesPerFrame = 256;
inline constexpr uint64_t kMostChunkBytes = 256u
                                            << 20;  // a chunk is a few hundred KiB; texts may make it larger
inline constexpr size_t kChunkBytesWanted = 1u << 20;  // of inline bytes and texts: then a chunk ends early

struct FrameHeader {
  char tag[4];
  uint32_t crc;
  uint64_t length;
};
static_assert(sizeof(FrameHeader) == 16);

constexpr uint64_t padded(uint64_t length) { return (length + 7) / 8 * 8; }

}  // namespace cutaway::trace
