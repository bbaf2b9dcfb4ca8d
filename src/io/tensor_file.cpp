#include "io/tensor_file.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "io/limits.h"
#include "io/outside_text.h"

namespace cutaway::io {

namespace {

constexpr uint64_t kLargestSwapUnit = 32;

// Reverses each group of `unit` bytes. Requires: length is a multiple of unit.
void swap_bytes(char* bytes, uint64_t length, uint64_t unit) {
  switch (unit) {
    case 2:
      for (uint64_t i = 0; i < length; i += 2) std::swap(bytes[i], bytes[i + 1]);
      return;
    case 4:
    case 8: {
      for (uint64_t i = 0; i < length; i += unit) {
        uint64_t value = 0;
        std::memcpy(&value, bytes + i, unit);
        value = __builtin_bswap64(value) >> (64 - 8 * unit);
        std::memcpy(bytes + i, &value, unit);
      }
      return;
    }
    default:
      for (uint64_t i = 0; i < length; i += unit) std::reverse(bytes + i, bytes + i + unit);
  }
}

}  // namespace

const char* format_name(FileFormat format) {
  switch (format) {
    case FileFormat::Npy: return "npy";
    case FileFormat::Npz: return "npz";
    case FileFormat::Safetensors: return "safetensors";
  }
  return "?";
}

std::optional<size_t> TensorFile::find(std::string_view name) const {
  for (size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].name == name) return i;
  }
  return std::nullopt;
}

void TensorFile::add_note(std::string note) {
  if (notes_.size() < kMaxNotes) {
    notes_.push_back(std::move(note));
    return;
  }
  ++notes_dropped_;
  notes_.back() = "and " + std::to_string(notes_dropped_ + 1) + " more remarks";
}

bool TensorFile::read_stored(size_t index, uint64_t begin, uint64_t length, void* out,
                             const Progress& progress) const {
  return file_->read(entries_[index].file_begin + begin, length, out, progress);
}

bool TensorFile::read_bytes(size_t index, uint64_t byte_begin, uint64_t length, void* out,
                            const Progress& progress) const {
  CUTAWAY_CHECK_INDEX(index < entries_.size(), "read_bytes: index ", index, " is out of range: '",
                      shown(path()), "' has ", entries_.size(), " tensors");
  const TensorEntry& entry = entries_[index];
  CUTAWAY_CHECK_VALUE(entry.has_bytes, "read_bytes: tensor ", in_quotes(entry.name), " in '", shown(path()),
                      "' cannot be read: ", entry.reason);
  CUTAWAY_CHECK_INDEX(byte_begin <= entry.storage_nbytes && length <= entry.storage_nbytes - byte_begin,
                      "read_bytes: ", length, " bytes from byte ", byte_begin, " of tensor ",
                      in_quotes(entry.name), " are out of range: it has ", entry.storage_nbytes, " bytes");
  if (length == 0) return true;
  const bool swap = entry.byte_order == ByteOrder::Big && entry.swap_unit > 1;
  if (!swap) return read_stored(index, byte_begin, length, out, progress);
  return read_swapped(entry, index, byte_begin, length, static_cast<char*>(out), progress);
}

// A range may begin and end inside an element. The two torn elements are read whole and their parts copied;
// what lies between is read in place and swapped there.
bool TensorFile::read_swapped(const TensorEntry& entry, size_t index, uint64_t begin, uint64_t length,
                              char* out, const Progress& progress) const {
  const uint64_t unit = entry.swap_unit;
  CUTAWAY_INTERNAL_ASSERT(unit <= kLargestSwapUnit && entry.storage_nbytes % unit == 0);
  const uint64_t end = begin + length;
  while (begin < end) {
    const uint64_t within = begin % unit;
    const uint64_t whole = within == 0 ? (end - begin) / unit * unit : 0;
    uint64_t count = whole;
    if (whole > 0) {
      if (!read_stored(index, begin, whole, out, progress)) return false;
      swap_bytes(out, whole, unit);
    } else {
      char element[kLargestSwapUnit];
      if (!read_stored(index, begin - within, unit, element, progress)) return false;
      swap_bytes(element, unit, unit);
      count = std::min(unit - within, end - begin);
      std::memcpy(out, element + within, count);
    }
    out += count;
    begin += count;
  }
  return true;
}

std::vector<std::byte> TensorFile::read_all(size_t index) const {
  CUTAWAY_CHECK_INDEX(index < entries_.size(), "read_all: index ", index, " is out of range: '",
                      shown(path()), "' has ", entries_.size(), " tensors");
  std::vector<std::byte> bytes(entries_[index].has_bytes ? entries_[index].storage_nbytes : 0);
  read_bytes(index, 0, bytes.size(), bytes.data());
  return bytes;
}

MappedRange TensorFile::map_bytes(size_t index) const {
  CUTAWAY_CHECK_INDEX(index < entries_.size(), "map_bytes: index ", index, " is out of range: '",
                      shown(path()), "' has ", entries_.size(), " tensors");
  const TensorEntry& entry = entries_[index];
  CUTAWAY_CHECK_VALUE(entry.has_bytes && !entry.compressed && entry.byte_order != ByteOrder::Big,
                      "map_bytes: the bytes of tensor ", in_quotes(entry.name), " in '", shown(path()),
                      "' are ",
                      !entry.has_bytes   ? "not readable: " + entry.reason
                      : entry.compressed ? "packed; read them instead"
                                         : "in big-endian order; read them instead");
  return file_->map(entry.file_begin, entry.storage_nbytes);
}

}  // namespace cutaway::io
