// What fuzzing does with tensor files; see tests/fuzz/fuzz_format.h.
//
// Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>

namespace cutaway::fuzz {

// Lists the file, checks the invariants of io/tensor_file.h, and reads every byte of every tensor.
void read_tensor_file(const std::string& path);

// Adds `grown` to the header's length.
void mend_npy(std::string& bytes, int64_t grown);
void mend_safetensors(std::string& bytes, int64_t grown);

// Points the end record to the directory and the directory to the members, going by their signatures.
void mend_npz(std::string& bytes, int64_t grown);

}  // namespace cutaway::fuzz
