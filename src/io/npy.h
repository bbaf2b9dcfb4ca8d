// .npy: one array in one file, NumPy's own format.
//
// Thread safety: opening and writing are functions without shared state; see io/tensor_file.h for what is
// opened.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/mapped_file.h"
#include "io/packed_tensor.h"
#include "io/tensor_file.h"

namespace cutaway::io {

// Returns: whether a file that begins with `head` is an .npy.
bool looks_like_npy(std::string_view head, uint64_t file_size);

// Throws: FileError when the header is broken. An array that cannot be a tensor here is one entry with a
// reason.
std::unique_ptr<TensorFile> open_npy(std::shared_ptr<const MappedFile> file);

// Writes one array; its name does not appear in the file. An existing file is replaced only when all is
// written. Throws: ValueError for a dtype that .npy lacks or a size that does not match, FileError when
// writing fails.
void write_npy(const std::string& path, const PackedTensor& tensor);

}  // namespace cutaway::io
