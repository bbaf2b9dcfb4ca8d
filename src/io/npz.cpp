#include "io/npz.h"

#include <zlib.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "io/file_error.h"
#include "io/inflate_cursor.h"
#include "io/inflate_reader.h"
#include "io/limits.h"
#include "io/npy_header.h"
#include "io/outside_text.h"
#include "io/zip_directory.h"

namespace cutaway::io {

namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr size_t kHeaderInputBytes = 4096;  // packed bytes that are enough for nearly every .npy header

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The first bytes of a member, unpacked as far as they were asked for.
class MemberStart {
 public:
  MemberStart(const std::shared_ptr<const MappedFile>& file, const ZipMember& member)
      : file_(file), member_(member) {
    if (member.method == kZipDeflated) {
      cursor_ =
          std::make_unique<InflateCursor>(file, member.data_begin, member.data_end(), kHeaderInputBytes);
    }
  }

  std::string read(uint64_t offset, uint64_t length) {
    if (!cursor_) return file_->read_text(member_.data_begin + offset, length);
    while (unpacked_.size() < offset + length) {
      const size_t have = unpacked_.size();
      unpacked_.resize(offset + length);
      const uint64_t got =
          cursor_->read(reinterpret_cast<std::byte*>(unpacked_.data() + have), unpacked_.size() - have);
      unpacked_.resize(have + got);
      if (cursor_->finished() && unpacked_.size() < offset + length) {
        fail_at(file_->path(), member_.data_begin,
                "it unpacks to " + std::to_string(unpacked_.size()) + " bytes instead of " +
                    std::to_string(member_.unpacked_nbytes),
                "The archive is damaged; fetch or save it again.");
      }
    }
    return unpacked_.substr(offset, length);
  }

 private:
  std::shared_ptr<const MappedFile> file_;
  const ZipMember& member_;
  std::unique_ptr<InflateCursor> cursor_;
  std::string unpacked_;
};

class NpzFile : public TensorFile {
 public:
  explicit NpzFile(std::shared_ptr<const MappedFile> file) : TensorFile(std::move(file), FileFormat::Npz) {
    ZipDirectory directory = read_zip_directory(*file_);
    members_ = std::move(directory.members);
    refuse_checkpoint();
    if (!directory.comment.empty()) metadata_.emplace_back("zip comment", directory.comment);
    entries_.reserve(members_.size());
    array_begin_.reserve(members_.size());
    for (const ZipMember& member : members_) add_entry(member);
    mark_hidden();
  }

 protected:
  bool read_stored(size_t index, uint64_t begin, uint64_t length, void* out,
                   const Progress& progress) const override;

 private:
  void refuse_checkpoint() const;
  void add_entry(const ZipMember& member);
  std::string describe_member(const ZipMember& member, TensorEntry& entry, uint64_t& array_begin);
  void mark_hidden();
  void check_stored(size_t index, const void* array) const;
  std::shared_ptr<InflateReader> inflater(size_t index) const;

  std::vector<ZipMember> members_;     // one for each entry
  std::vector<uint64_t> array_begin_;  // unpacked bytes before the first element, for each entry
  uint64_t header_bytes_ = 0;          // read from all members so far

  mutable std::mutex mutex_;
  mutable std::vector<std::pair<size_t, std::shared_ptr<InflateReader>>>
      inflaters_;  // the last used at the end
};

void NpzFile::refuse_checkpoint() const {
  for (const ZipMember& member : members_) {
    if (member.name != "data.pkl" && !ends_with(member.name, "/data.pkl")) continue;
    fail_at(path(), member.header_begin,
            "this is a checkpoint of torch.save (member " + in_quotes(member.name) +
                "), whose structure is a pickle; those are not read yet",
            "Save the tensors with safetensors.torch.save_file or numpy.savez instead.");
  }
}

void NpzFile::add_entry(const ZipMember& member) {
  TensorEntry entry;
  entry.name = ends_with(member.name, kSuffix) ? member.name.substr(0, member.name.size() - kSuffix.size())
                                               : member.name;
  entry.compressed = member.method != kZipStored;
  entry.file_begin = member.data_begin;
  entry.file_end = member.reason.empty() ? member.data_end() : member.data_begin;
  entry.storage_nbytes = member.unpacked_nbytes;
  uint64_t array_begin = 0;
  const std::string problem =
      member.reason.empty() ? describe_member(member, entry, array_begin) : member.reason;
  if (!problem.empty()) {
    entry.has_bytes = false;
    entry.reason = problem;
  } else if (!entry.compressed) {
    entry.file_begin = member.data_begin + array_begin;
    if (entry.has_bytes) entry.file_end = entry.file_begin + entry.storage_nbytes;
  }
  array_begin_.push_back(array_begin);
  entries_.push_back(std::move(entry));
}

// Reads the member's .npy header into `entry`. Returns: why that failed, or "".
std::string NpzFile::describe_member(const ZipMember& member, TensorEntry& entry, uint64_t& array_begin) {
  if (header_bytes_ > kMaxNpzHeaderBytes) {
    return "the headers of the members before it take more than " + std::to_string(kMaxNpzHeaderBytes) +
           " bytes, so it was not looked at";
  }
  MemberStart start(file_, member);
  const ByteReader read = [&](uint64_t offset, uint64_t length) {
    header_bytes_ += length;
    return start.read(offset, length);
  };
  try {
    if (member.unpacked_nbytes < kNpyMagic.size() || read(0, kNpyMagic.size()) != kNpyMagic) {
      return "it is not an .npy array";
    }
    const NpyHeader header = read_npy_header(read, member.unpacked_nbytes);
    describe_array(header, member.unpacked_nbytes, entry);
    array_begin = header.data_begin;
    return "";
  } catch (const NpyHeaderError& error) {
    return "its .npy header is broken at byte " + std::to_string(error.offset) +
           " of the member: " + error.problem;
  } catch (const FileError& error) {
    return error.problem();
  }
}

// NumPy reads the last of several members of one name.
void NpzFile::mark_hidden() {
  std::vector<size_t> order(entries_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return entries_[a].name < entries_[b].name; });
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    TensorEntry& entry = entries_[order[i]];
    if (entry.name != entries_[order[i + 1]].name || !entry.reason.empty()) continue;
    entry.reason = "a later member has the same name; NumPy reads that one";
  }
}

bool NpzFile::read_stored(size_t index, uint64_t begin, uint64_t length, void* out,
                          const Progress& progress) const {
  const TensorEntry& entry = entries_[index];
  if (entry.compressed) return inflater(index)->read(array_begin_[index] + begin, length, out, progress);
  if (!file_->read(entry.file_begin + begin, length, out, progress)) return false;
  if (begin == 0 && length == entry.storage_nbytes) check_stored(index, out);
  return true;
}

// Compares the checksum of a stored member, of whose bytes the array was just read.
void NpzFile::check_stored(size_t index, const void* array) const {
  const ZipMember& member = members_[index];
  const uint64_t array_nbytes = entries_[index].storage_nbytes;
  uLong crc = 0;
  const auto add = [&](const void* bytes, uint64_t count) {
    crc = crc32_z(crc, static_cast<const Bytef*>(bytes), count);
  };
  const std::string header = file_->read_text(member.data_begin, array_begin_[index]);
  add(header.data(), header.size());
  if (array_nbytes > 0) add(array, array_nbytes);  // zlib takes a null pointer for "start over"
  for (uint64_t at = entries_[index].file_end; at < member.data_end();) {
    const uint64_t count = std::min<uint64_t>(kInflateChunkBytes, member.data_end() - at);
    const std::string rest = file_->read_text(at, count);
    add(rest.data(), rest.size());
    at += count;
  }
  if (crc == member.crc32) return;
  fail_at(path(), member.data_begin,
          "member " + in_quotes(member.name) +
              " fails its checksum: its bytes are not the ones that were written",
          "The archive is damaged; fetch or save it again.");
}

std::shared_ptr<InflateReader> NpzFile::inflater(size_t index) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(inflaters_.begin(), inflaters_.end(), [&](const auto& one) { return one.first == index; });
  if (found != inflaters_.end()) {
    std::rotate(found, found + 1, inflaters_.end());
  } else {
    if (inflaters_.size() == kMaxOpenInflaters) inflaters_.erase(inflaters_.begin());
    inflaters_.emplace_back(index, std::make_shared<InflateReader>(file_, members_[index]));
  }
  return inflaters_.back().second;
}

}  // namespace

bool looks_like_zip(std::string_view head, uint64_t) {
  return head.substr(0, 4) == std::string_view("PK\3\4", 4) ||
         head.substr(0, 4) == std::string_view("PK\5\6", 4);
}

std::unique_ptr<TensorFile> open_npz(std::shared_ptr<const MappedFile> file) {
  return std::make_unique<NpzFile>(std::move(file));
}

}  // namespace cutaway::io
