// .safetensors: the format that model weights are published in. A JSON header, then bytes.
//
// Thread safety: opening and writing are functions without shared state; see io/tensor_file.h for what is
// opened.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/mapped_file.h"
#include "io/packed_tensor.h"
#include "io/tensor_file.h"

namespace cutaway::io {

// Returns: whether a file that begins with `head` (16 bytes or more, or all of it) is a .safetensors: its
// first 8 bytes, taken as a length, fit into the file, and a JSON object follows.
bool looks_like_safetensors(std::string_view head, uint64_t file_size);

// Throws: FileError when the header is broken. Entries that cannot be read get a reason.
std::unique_ptr<TensorFile> open_safetensors(std::shared_ptr<const MappedFile> file);

// Writes tensors in the order of the reference library (larger dtypes first, then by name), which keeps each
// one aligned to its elements. An existing file is replaced only when all is written. Throws: ValueError for
// a name that is empty, used twice or "__metadata__", or an array in Fortran order; FileError when writing
// fails.
void write_safetensors(const std::string& path, const std::vector<PackedTensor>& tensors,
                       const std::vector<MetadataPair>& metadata = {});

}  // namespace cutaway::io
