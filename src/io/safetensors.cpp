#include "io/safetensors.h"

#include <algorithm>

#include "io/entry_layout.h"
#include "io/file_error.h"
#include "io/limits.h"
#include "io/outside_text.h"
#include "io/safetensors_dtype.h"
#include "io/safetensors_header.h"

namespace cutaway::io {

namespace {

constexpr uint64_t kLengthBytes = 8;

uint64_t little_endian_u64(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = kLengthBytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::string range_text(uint64_t begin, uint64_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

class SafetensorsFile : public TensorFile {
 public:
  SafetensorsFile(std::shared_ptr<const MappedFile> file, SafetensorsHeader header, uint64_t data_begin)
      : TensorFile(std::move(file), FileFormat::Safetensors), data_begin_(data_begin) {
    metadata_ = std::move(header.metadata);
    for (std::string& note : header.notes) add_note(std::move(note));
    entries_.reserve(header.entries.size());
    for (SafetensorsEntry& raw : header.entries) entries_.push_back(make_entry(raw));
    refuse_duplicates();
    check_ranges();
    note_misaligned();
  }

 private:
  TensorEntry make_entry(SafetensorsEntry& raw) const;
  std::string fill_entry(SafetensorsEntry& raw, TensorEntry& entry) const;
  void refuse_duplicates();
  void check_ranges();
  void note_hole(uint64_t begin, uint64_t end, const std::string& where);
  void note_misaligned();

  uint64_t data_begin_;
};

TensorEntry SafetensorsFile::make_entry(SafetensorsEntry& raw) const {
  TensorEntry entry;
  entry.name = shown(raw.name);
  entry.file_begin = entry.file_end = data_begin_;
  entry.reason = fill_entry(raw, entry);
  return entry;
}

// Fills `entry` as far as the description makes sense. Returns: why it cannot be read as a tensor, or "".
std::string SafetensorsFile::fill_entry(SafetensorsEntry& raw, TensorEntry& entry) const {
  if (raw.dtype) entry.dtype_text = shown(*raw.dtype);
  if (raw.sizes) entry.sizes = std::move(*raw.sizes);
  if (!raw.reason.empty()) return raw.reason;
  const char* missing = !raw.dtype ? "dtype" : !raw.sizes ? "shape" : !raw.offsets ? "data_offsets" : nullptr;
  if (missing) return std::string("its description lacks '") + missing + "'";
  if (raw.offsets->size() != 2) return "its 'data_offsets' must be two numbers";

  const SafetensorsDtype* dtype = find_safetensors_dtype(*raw.dtype);
  const bool whole_bytes = dtype && dtype->bits % 8 == 0;
  entry.itemsize = whole_bytes ? dtype->bits / 8 : 0;
  if (std::string problem = lay_out(entry, MemoryOrder::C); !problem.empty()) return problem;

  const uint64_t begin = (*raw.offsets)[0];
  const uint64_t end = (*raw.offsets)[1];
  const uint64_t data_nbytes = file_size() - data_begin_;
  if (begin > end) return "its data_offsets " + range_text(begin, end) + " end before they begin";
  if (end > data_nbytes) {
    return "its data_offsets " + range_text(begin, end) + " reach beyond the " + std::to_string(data_nbytes) +
           " bytes of data; the file was probably cut off";
  }
  if (whole_bytes && entry.storage_nbytes != end - begin) {
    return "shape " + shape_text(entry.sizes) + " of " + entry.dtype_text + " needs " +
           std::to_string(entry.storage_nbytes) + " bytes, its data_offsets " + range_text(begin, end) +
           " give " + std::to_string(end - begin);
  }
  entry.storage_nbytes = end - begin;
  entry.file_begin = data_begin_ + begin;
  entry.file_end = data_begin_ + end;
  entry.has_bytes = true;
  if (!dtype) return "the dtype " + in_quotes(*raw.dtype) + " is not known";
  entry.dtype = dtype->type;
  if (entry.itemsize > 1) entry.byte_order = ByteOrder::Little;
  return dtype->type ? std::string() : entry.dtype_text + ": " + std::string(dtype->reason);
}

void SafetensorsFile::refuse_duplicates() {
  std::vector<TensorEntry*> order;
  for (TensorEntry& entry : entries_) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(),
                   [](const TensorEntry* a, const TensorEntry* b) { return a->name < b->name; });
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    if (order[i]->name != order[i + 1]->name) continue;
    for (TensorEntry* entry : {order[i], order[i + 1]}) {
      if (entry->reason.empty()) entry->reason = "another tensor has the same name, which the format forbids";
    }
  }
}

// Every byte of the data must belong to exactly one tensor. Two that share bytes are refused both; bytes of
// none are only a remark, for they harm nobody who reads the others.
void SafetensorsFile::check_ranges() {
  std::vector<TensorEntry*> order;
  for (TensorEntry& entry : entries_) {
    if (entry.has_bytes) order.push_back(&entry);
  }
  std::stable_sort(order.begin(), order.end(), [](const TensorEntry* a, const TensorEntry* b) {
    return std::pair(a->file_begin, a->file_end) < std::pair(b->file_begin, b->file_end);
  });
  uint64_t covered = data_begin_;
  TensorEntry* farthest = nullptr;
  for (TensorEntry* entry : order) {
    if (entry->file_begin > covered)
      note_hole(covered, entry->file_begin, "before " + in_quotes(entry->name));
    if (farthest && entry->file_begin < farthest->file_end && entry->file_end > entry->file_begin) {
      for (TensorEntry* one : {entry, farthest}) {
        const TensorEntry* other = one == entry ? farthest : entry;
        if (one->reason.empty()) one->reason = "its bytes overlap those of " + in_quotes(other->name);
      }
    }
    if (entry->file_end >= covered) {
      covered = entry->file_end;
      farthest = entry;
    }
  }
  if (covered < file_size()) note_hole(covered, file_size(), "at the end");
}

void SafetensorsFile::note_hole(uint64_t begin, uint64_t end, const std::string& where) {
  add_note(std::to_string(end - begin) + " bytes " + where + " (bytes " + range_text(begin, end) +
           " of the file) belong to no tensor; the safetensors library refuses such a file");
}

void SafetensorsFile::note_misaligned() {
  size_t count = 0;
  const TensorEntry* first = nullptr;
  for (const TensorEntry& entry : entries_) {
    if (!entry.has_bytes || entry.itemsize == 0 || entry.file_begin % entry.itemsize == 0) continue;
    if (count++ == 0) first = &entry;
  }
  if (count == 0) return;
  add_note(std::to_string(count) +
           " tensors do not begin at a multiple of their element's size, the first is " +
           in_quotes(first->name) + " at byte " + std::to_string(first->file_begin) +
           "; they cannot be mapped in place");
}

}  // namespace

bool looks_like_safetensors(std::string_view head, uint64_t file_size) {
  return head.size() > kLengthBytes && head[kLengthBytes] == '{' &&
         little_endian_u64(head) <= file_size - kLengthBytes;
}

std::unique_ptr<TensorFile> open_safetensors(std::shared_ptr<const MappedFile> file) {
  constexpr char kAdvice[] = "Save it again with safetensors, or fetch it again if it was cut off.";
  const std::string& path = file->path();
  if (file->size() < kLengthBytes) {
    fail_at(path, file->size(), "the file ends inside the 8 bytes that give the length of its header",
            kAdvice);
  }
  const uint64_t length = little_endian_u64(file->read_text(0, kLengthBytes));
  if (length > file->size() - kLengthBytes) {
    fail_at(path, 0,
            "the header claims " + std::to_string(length) + " bytes and only " +
                std::to_string(file->size() - kLengthBytes) + " follow",
            kAdvice);
  }
  if (length > kMaxSafetensorsHeaderBytes) {
    fail_at(path, 0,
            "the header claims " + std::to_string(length) + " bytes; at most " +
                std::to_string(kMaxSafetensorsHeaderBytes) + " are read",
            "Split the file into shards.");
  }
  const std::string text = file->read_text(kLengthBytes, length);
  if (text.empty() || text[0] != '{') {
    fail_at(
        path, kLengthBytes,
        "the header must begin with '{', got " + (text.empty() ? "nothing" : in_quotes(text.substr(0, 1))),
        kAdvice);
  }
  SafetensorsHeader header;
  try {
    header = parse_safetensors_header(text);
  } catch (const SafetensorsHeaderError& error) {
    fail_at(path, kLengthBytes + error.offset, error.problem + caret_excerpt(text, error.offset), kAdvice);
  }
  return std::make_unique<SafetensorsFile>(std::move(file), std::move(header), kLengthBytes + length);
}

}  // namespace cutaway::io
