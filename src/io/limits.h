// Every limit that the file readers hold outside data to, in one place, each with its reason.
//
// A number in a file is a claim by a stranger. Nothing is allocated, looped over or recursed into on the word
// of such a number before it was compared with one of these, or with the size of the file itself. A limit
// that only concerns one tensor gives that tensor a reason and leaves the rest of the file readable. Thread
// safety: constants.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>

namespace cutaway::io {

// Tensors in one file. The largest published models have under 100,000 over all their shards; half a million
// entries of about 300 bytes each stay well under the gigabyte that reading any file may cost.
inline constexpr size_t kMaxTensors = 500'000;

// Dimensions of one tensor: NumPy's own limit (64 since NumPy 2, 32 before).
inline constexpr size_t kMaxRank = 64;

// Bytes of one .npy header. NumPy pads it to a multiple of 64 and rarely passes 128; only a structured dtype
// with thousands of fields comes near this.
inline constexpr uint64_t kMaxNpyHeaderBytes = 1u << 20;

// Bytes of .npy headers read over all members of one .npz, so that many members cannot each claim a large
// one.
inline constexpr uint64_t kMaxNpzHeaderBytes = 64u << 20;

// Lists and tuples within each other in a .npy header. A plain dtype needs 2 levels; structured ones nest one
// level for each record within a record. The parser recurses, so this bounds its stack.
inline constexpr int kMaxLiteralNesting = 32;

// Values in one .npy header: about 5 for each field of a structured dtype.
inline constexpr size_t kMaxLiteralItems = 20'000;

// Bytes of a .safetensors JSON header: the limit of the reference implementation in Rust.
inline constexpr uint64_t kMaxSafetensorsHeaderBytes = 100'000'000;

// Objects and arrays within each other in a .safetensors header. The format needs 3; the rest is room for
// fields that later versions may add to an entry.
inline constexpr int kMaxJsonNesting = 16;

// Key and value pairs of a .safetensors __metadata__, and the bytes of each that are kept.
inline constexpr size_t kMaxMetadataPairs = 10'000;
inline constexpr size_t kMaxMetadataBytes = 1u << 20;

// Bytes of a zip's central directory: 500,000 members with names of 80 bytes.
inline constexpr uint64_t kMaxZipDirectoryBytes = 64u << 20;

// A deflate stream cannot grow by more than 1032 : 1 (258 bytes from 2 bits), so a larger claim is a lie. An
// honest array of zeros comes within 1 % of it, so a lower limit would refuse honest files; what a bomb does
// to memory is bounded by the cache and the seek index below instead, never by the claim.
inline constexpr uint64_t kMaxInflateRatio = 1032;
inline constexpr uint64_t kInflateRatioSlack = 4096;  // a few bytes of stream may end in one long match

// How a deflated member is read at random: unpacked bytes are cached in chunks, and restart points of 32 KiB
// are kept. Per open member that is at most 8 MiB + 8 MiB, and at most kMaxOpenInflaters members are open at
// once.
inline constexpr size_t kInflateChunkBytes = 256u << 10;
inline constexpr size_t kInflateCacheChunks = 32;
inline constexpr size_t kMaxRestartPoints = 256;
inline constexpr uint64_t kFirstRestartSpacing = 1u << 20;
inline constexpr size_t kMaxOpenInflaters = 8;

// Bytes between two calls of a progress callback when plain ranges are read: about 2 ms of a warm page cache.
inline constexpr uint64_t kProgressBytes = 8u << 20;

// Remarks about a file that are kept (a hole here, a trailing byte there); further ones are only counted.
inline constexpr size_t kMaxNotes = 100;

// Characters of outside text (a dtype, a name) that an error or a reason repeats.
inline constexpr size_t kMaxQuotedChars = 120;

}  // namespace cutaway::io
