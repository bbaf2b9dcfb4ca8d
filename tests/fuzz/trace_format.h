// What fuzzing does with trace files; see tests/fuzz/fuzz_format.h.
//
// Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>

namespace cutaway::fuzz {

// Reads the file whole, or what of it lies in front of the damage, then does with it what the inspector does:
// every sentence, every world forward and back, the bytes of every storage.
void read_trace_file(const std::string& path);

// Makes the frames fit again: adds `grown` to the length of the frame behind which no other begins, and gives
// every frame its checksum, so that damage reaches FlatBuffers' verifier and the appender.
void mend_trace(std::string& bytes, int64_t grown);

}  // namespace cutaway::fuzz
