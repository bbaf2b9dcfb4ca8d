// A file of tensors, opened: what is in it, where it lies, and its bytes on demand. The interface that
// everything above this folder uses; .npy, .npz and .safetensors stand behind it.
//
// Opening reads headers only, whatever the size of the file. A tensor that cannot be read (a dtype we lack, a
// damaged member) is listed with its `reason` and does not spoil the rest; only a file whose own structure is
// broken fails to open.
//
// Invariants: entries do not change after opening. All text in them is well-formed UTF-8 fit to be shown. An
// entry without a `reason` has a dtype, numel * itemsize == storage_nbytes, and lies inside the file. Thread
// safety: everything is const and may be called from several threads at once. Reads of one deflated member
// wait for each other.
//
// PyTorch: torch/serialization.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scalar_type.h"
#include "io/mapped_file.h"

namespace cutaway::io {

enum class FileFormat { Npy, Npz, Safetensors };

// Returns: "npy", "npz", "safetensors".
const char* format_name(FileFormat format);

enum class ByteOrder { Little, Big, None };  // None: one byte an element, or an element we cannot take apart

struct TensorEntry {
  std::string name;        // of an .npy: the file's name without folder and extension
  std::string dtype_text;  // as the file says: "<f4", "BF16", "[('x', '<f4')]"
  std::optional<ScalarType> dtype;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;  // in elements; of a Fortran-ordered array the first is the smallest
  int64_t storage_offset = 0;    // in elements: each tensor of these formats starts its own storage
  int64_t numel = 0;
  uint64_t itemsize = 0;        // bytes an element, 0 when the file's dtype does not tell
  uint64_t storage_nbytes = 0;  // unpacked
  uint64_t file_begin = 0;      // where the raw bytes lie; of a compressed entry, where the packed ones do
  uint64_t file_end = 0;
  ByteOrder byte_order = ByteOrder::None;
  bool compressed = false;
  bool has_bytes = false;  // whether read_bytes works: a dtype we lack may still be shown byte by byte
  uint64_t swap_unit = 0;  // bytes that are reversed together when byte_order is Big (complex: one half)
  std::string reason;      // why it cannot be a tensor here; empty when it can
};

using MetadataPair = std::pair<std::string, std::string>;

class TensorFile {
 public:
  virtual ~TensorFile() = default;
  TensorFile(const TensorFile&) = delete;
  TensorFile& operator=(const TensorFile&) = delete;

  const std::string& path() const { return file_->path(); }
  uint64_t file_size() const { return file_->size(); }
  FileFormat format() const { return format_; }
  const std::vector<TensorEntry>& entries() const { return entries_; }

  // What the file says about itself: safetensors' __metadata__, the version of an .npy, the comment of a zip.
  const std::vector<MetadataPair>& metadata() const { return metadata_; }

  // Remarks for the reader that concern no single entry: bytes that belong to no tensor, data after the end.
  const std::vector<std::string>& notes() const { return notes_; }

  // Returns: the entry of that name (of several, the last, as NumPy does).
  std::optional<size_t> find(std::string_view name) const;

  // Copies bytes [byte_begin, byte_begin + length) of an entry's storage to `out`, as this machine would hold
  // them: unpacked and little-endian. A read of all bytes of an npz member also checks the member's checksum.
  // Returns: false when `progress` stopped it; `out` is then partly written.
  // Throws: IndexError for an entry or range that does not exist, FileError when the file cannot give the
  // bytes.
  bool read_bytes(size_t index, uint64_t byte_begin, uint64_t length, void* out,
                  const Progress& progress = {}) const;

  // Returns: all bytes of an entry. Requires: the caller has looked at storage_nbytes. Throws: as read_bytes.
  std::vector<std::byte> read_all(size_t index) const;

  // Returns: the entry's bytes without a copy; see Note [Why ranges are read, and mapped only on request].
  // Throws: ValueError when they are packed or in the other byte order; else as read_bytes.
  MappedRange map_bytes(size_t index) const;

  // Returns: how many bytes of the file were read so far; listing keeps this to the headers.
  uint64_t bytes_read() const { return file_->bytes_read(); }

 protected:
  TensorFile(std::shared_ptr<const MappedFile> file, FileFormat format)
      : file_(std::move(file)), format_(format) {}

  // Copies bytes of an entry's storage in the file's byte order. Requires: the range is inside the storage.
  // The default reads them where the entry says they lie.
  virtual bool read_stored(size_t index, uint64_t begin, uint64_t length, void* out,
                           const Progress& progress) const;

  void add_note(std::string note);

  std::shared_ptr<const MappedFile> file_;
  std::vector<TensorEntry> entries_;
  std::vector<MetadataPair> metadata_;

 private:
  bool read_swapped(const TensorEntry& entry, size_t index, uint64_t begin, uint64_t length, char* out,
                    const Progress& progress) const;

  FileFormat format_;
  std::vector<std::string> notes_;
  size_t notes_dropped_ = 0;
};

// Opens a tensor file. The format is told by the first bytes, and only when those tell nothing by the
// extension. Throws: FileError that says what was seen and what is supported.
std::unique_ptr<TensorFile> open_tensor_file(const std::string& path);

}  // namespace cutaway::io
