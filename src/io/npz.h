// .npz: a zip file whose members are .npy files, as numpy.savez and savez_compressed write it.
//
// Only the directory, the local headers and the start of each member are read when one is opened. Stored
// members are read where they lie; deflated ones through an InflateReader each, of which the last few used
// stay open. Thread safety: see io/tensor_file.h. NpzWriter belongs to one thread.
//
// PyTorch: caffe2/serialize/inline_container.h
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "io/file_writer.h"
#include "io/mapped_file.h"
#include "io/packed_tensor.h"
#include "io/tensor_file.h"

namespace cutaway::io {

// Returns: whether a file that begins with `head` is a zip.
bool looks_like_zip(std::string_view head, uint64_t file_size);

// Throws: FileError when the archive's directory is broken, or when it is a PyTorch checkpoint and not an
// .npz.
std::unique_ptr<TensorFile> open_npz(std::shared_ptr<const MappedFile> file);

struct NpzOptions {
  bool deflate = false;
  int level = 6;             // zlib's, 1 to 9
  bool force_zip64 = false;  // write 64-bit fields where 32 bits would do, as a test of readers
};

// Writes members one after the other. The same tensors give the same bytes: no dates, no user ids.
class NpzWriter {
 public:
  explicit NpzWriter(std::string path, NpzOptions options = {});

  // Appends a member `tensor.name` + ".npy".
  // Throws: ValueError for a dtype .npy lacks, or a name that was used before or is empty; FileError.
  void add(const PackedTensor& tensor);

  // Writes the directory and puts the file in its place. Requires: called once, last. Throws: FileError.
  void finish();

 private:
  struct Written {
    std::string name;
    uint32_t crc32 = 0;
    uint64_t packed_nbytes = 0;
    uint64_t unpacked_nbytes = 0;
    uint64_t header_begin = 0;
  };

  bool needs_zip64(const Written& member) const;
  std::string local_header(const Written& member, uint64_t padding) const;
  std::string central_header(const Written& member) const;
  uint64_t write_deflated(std::string_view header, const PackedTensor& tensor);

  NpzOptions options_;
  FileWriter writer_;
  std::vector<Written> members_;
  std::unordered_set<std::string> names_;
};

// Writes all of `tensors` into one .npz. Throws: as NpzWriter.
void write_npz(const std::string& path, const std::vector<PackedTensor>& tensors, NpzOptions options = {});

}  // namespace cutaway::io
