#include "tests/fuzz/tensor_formats.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.h"
#include "io/outside_text.h"
#include "io/tensor_file.h"

namespace cutaway::fuzz {

namespace {

constexpr uint64_t kPieceBytes = 64u << 10;

// A broken promise is a finding, which an Error would not be.
void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void check_text(const std::string& text) {
  promise(io::is_utf8(text) && io::shown(text) == text, "text is fit to be shown");
}

void check_entry(const io::TensorFile& file, const io::TensorEntry& entry) {
  check_text(entry.name);
  check_text(entry.dtype_text);
  check_text(entry.reason);
  promise(entry.file_begin <= entry.file_end && entry.file_end <= file.file_size(),
          "bytes lie inside the file");
  if (!entry.reason.empty()) return;
  promise(entry.dtype.has_value(), "a tensor without a reason has a dtype");
  promise(entry.has_bytes, "a tensor without a reason has bytes");
  promise(entry.strides.size() == entry.sizes.size(), "there is a stride for each size");
  promise(entry.itemsize == element_size(*entry.dtype), "the dtype decides the size of an element");
  promise(static_cast<uint64_t>(entry.numel) * entry.itemsize == entry.storage_nbytes,
          "bytes are counted right");
  promise(entry.compressed || entry.file_end - entry.file_begin == entry.storage_nbytes,
          "all bytes are there");
}

void read_bytes_of(const io::TensorFile& file, size_t index) {
  const uint64_t nbytes = file.entries()[index].storage_nbytes;
  std::vector<char> piece(std::min(nbytes, kPieceBytes));
  for (uint64_t at = 0; at < nbytes; at += piece.size()) {
    promise(file.read_bytes(index, at, std::min<uint64_t>(piece.size(), nbytes - at), piece.data()),
            "nothing stops reading");
  }
  if (nbytes <= kPieceBytes) file.read_all(index);  // at once, which compares checksums
}

void set_little_endian(std::string& bytes, size_t at, size_t width, uint64_t value) {
  if (bytes.size() < at + width) return;
  for (size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFF);
}

void add_little_endian(std::string& bytes, size_t at, size_t width, int64_t grown) {
  if (bytes.size() < at + width) return;
  uint64_t value = 0;
  for (size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  set_little_endian(bytes, at, width, value + static_cast<uint64_t>(grown));
}

}  // namespace

void read_tensor_file(const std::string& path) {
  const auto file = io::open_tensor_file(path);
  for (const auto& [key, value] : file->metadata()) {
    check_text(key);
    check_text(value);
  }
  for (const std::string& note : file->notes()) check_text(note);
  for (size_t i = 0; i < file->entries().size(); ++i) {
    check_entry(*file, file->entries()[i]);
    if (!file->entries()[i].has_bytes) continue;
    try {
      read_bytes_of(*file, i);
    } catch (const Error&) {
      // Damage that only shows in the bytes: the other tensors must still be readable.
    }
  }
}

void mend_npy(std::string& bytes, int64_t grown) {
  const bool wide = bytes.size() > 6 && bytes[6] != 1;
  add_little_endian(bytes, 8, wide ? 4 : 2, grown);
}

void mend_npz(std::string& bytes, int64_t) {
  const size_t end = bytes.rfind("PK\5\6");
  const size_t directory = bytes.find("PK\1\2");
  if (end == std::string::npos || directory == std::string::npos || directory > end) return;
  size_t local = bytes.find("PK\3\4");
  size_t central = directory;
  while (local < directory && central < end) {
    set_little_endian(bytes, central + 42, 4, local);
    local = bytes.find("PK\3\4", local + 4);
    central = bytes.find("PK\1\2", central + 4);
  }
  set_little_endian(bytes, end + 12, 4, end - directory);
  set_little_endian(bytes, end + 16, 4, directory);
}

void mend_safetensors(std::string& bytes, int64_t grown) { add_little_endian(bytes, 0, 8, grown); }

}  // namespace cutaway::fuzz
