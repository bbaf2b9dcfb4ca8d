#include <fcntl.h>
#include <flatbuffers/flatbuffers.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "trace/chunk_decoder.h"
#include "trace/trace_data.h"
#include "trace/trace_file.h"
#include "trace/trace_format.h"

// Reading a trace: frame after frame, each whole before it is used.
//
// Three sieves, each finer than the one before. The checksum of a frame finds damage. FlatBuffers' verifier
// finds a payload that is not laid out as it says. The decoder and the appender find numbers that make no
// sense: a stranger can compute a checksum too. Sizes are compared with what the file still holds before
// anything is allocated for them. A problem is thrown as a `Problem` with its offset; read_trace turns it
// into a TraceFileError or, when only the part in front of it was asked for, into a sentence.

namespace cutaway::trace {
namespace {

// Where the bytes come from: a file, or memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  // Requires: the range lies inside. Returns: "" or why it cannot be read.
  virtual std::string read(uint64_t at, std::span<uint8_t> out) = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  uint64_t size() const override { return bytes_.size(); }
  std::string read(uint64_t at, std::span<uint8_t> out) override {
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + at, out.size());
    return "";
  }

 private:
  std::span<const uint8_t> bytes_;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    const auto fail = [&](const char* what, const char* advice) {
      throw TraceFileError("cannot read", path, std::nullopt, what, advice);
    };
    struct stat facts {};
    if (fd_ < 0 || ::fstat(fd_, &facts) != 0)
      fail(std::strerror(errno), "Check the path and its permissions.");
    const bool regular = S_ISREG(facts.st_mode);
    if (!regular) ::close(fd_);
    if (!regular)
      fail(S_ISDIR(facts.st_mode) ? "it is a directory" : "it is no regular file", "Name a trace file.");
    size_ = static_cast<uint64_t>(facts.st_size);
  }
  ~FileSource() override { ::close(fd_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  uint64_t size() const override { return size_; }
  std::string read(uint64_t at, std::span<uint8_t> out) override {
    for (size_t done = 0; done < out.size();) {
      const ssize_t n = ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(at + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return std::strerror(errno);
      if (n == 0) return "the file became shorter while it was read";
      done += static_cast<size_t>(n);
    }
    return "";
  }

 private:
  int fd_;
  uint64_t size_ = 0;
};

struct Problem {
  uint64_t offset = 0;
  std::string what;
  std::string advice;
  bool cut_off = false;  // nothing is wrong but that the file ends here
};

constexpr const char* kDamaged = "The file is damaged; record it again, or get a whole copy.";
constexpr const char* kCutOff = "The recording was cut off, or the copy is not complete.";

}  // namespace

class FileReader {
 public:
  FileReader(ByteSource& source, TraceBuilder& builder, size_t until)
      : source_(source), data_(builder.data()), decoder_(builder.data(), *builder.appender_), until_(until) {}

  void read_all() {
    read_header();
    while (read_frame())
      if (data_.events.size() == until_) return;
    if (at_ != source_.size())
      throw Problem{at_, detail::concat(source_.size() - at_, " bytes follow the end mark"), kDamaged};
  }

  uint64_t events() const { return data_.events.size(); }

 private:
  void take(uint64_t at, std::span<uint8_t> out) {
    const std::string failure = source_.read(at, out);
    if (!failure.empty()) throw Problem{at, failure, "Try again, or copy the file to another place first."};
  }

  void read_header() {
    uint8_t header[kHeaderBytes] = {};
    const size_t n = std::min<uint64_t>(source_.size(), kHeaderBytes);
    take(0, {header, n});
    if (n < kHeaderBytes && std::memcmp(header, kMagic, std::min(n, sizeof(kMagic))) == 0)
      throw Problem{n, n == 0 ? "the file is empty" : "the file ends inside its header", kCutOff, true};
    if (!looks_like_trace(header))
      throw Problem{0, "this is no Cutaway trace: it does not begin with CUTAWAY",
                    "Open a file written by a Recording."};
    uint32_t version = 0, flags = 0;
    std::memcpy(&version, header + 8, sizeof(version));
    std::memcpy(&flags, header + 12, sizeof(flags));
    if (version != kTraceVersion)
      throw Problem{8,
                    detail::concat("it is a trace of version ", version, ", this program reads version ",
                                   kTraceVersion),
                    version > kTraceVersion ? "Use a newer Cutaway." : kDamaged};
    if (flags != 0)
      throw Problem{12, "its header asks for something this program does not know", "Use a newer Cutaway."};
    at_ = kHeaderBytes;
  }

  // Returns: false after the end mark.
  bool read_frame() {
    const FrameHeader header = read_frame_header();
    const auto is = [&](const char* tag) { return std::memcmp(header.tag, tag, sizeof(header.tag)) == 0; };
    payload_.resize(padded(header.length) / 8);
    auto* bytes = reinterpret_cast<uint8_t*>(payload_.data());
    take(at_ + sizeof(header), {bytes, padded(header.length)});
    uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.tag), sizeof(header.tag));
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(&header.length), sizeof(header.length));
    crc = crc32_z(crc, bytes, header.length);
    if (crc != header.crc)
      throw Problem{at_, "the checksum of the part that begins here does not match", kDamaged};
    for (uint64_t i = header.length; i < padded(header.length); ++i)
      if (bytes[i] != 0)
        throw Problem{at_ + sizeof(header) + i, "there is something where the file is padded", kDamaged};
    read_payload(is(kPageTag), is(kEndTag), {bytes, header.length});
    at_ += sizeof(header) + padded(header.length);
    return !is(kEndTag);
  }

  FrameHeader read_frame_header() {
    FrameHeader header{};
    const uint64_t room = source_.size() - at_;
    if (room < sizeof(header))
      throw Problem{source_.size(),
                    room == 0 ? "the file ends without an end mark" : "the file ends inside a part's header",
                    kCutOff, true};
    take(at_, {reinterpret_cast<uint8_t*>(&header), sizeof(header)});
    bool known = false;
    for (const char* tag : {kPageTag, kChunkTag, kEndTag})
      known |= std::memcmp(header.tag, tag, sizeof(header.tag)) == 0;
    if (!known) throw Problem{at_, "neither a chunk nor the end mark begins here", kDamaged};
    if (header.length > kMostChunkBytes)
      throw Problem{at_ + 8, detail::concat("a part of the file claims ", header.length, " bytes"), kDamaged};
    if (padded(header.length) > room - sizeof(header))
      throw Problem{source_.size(),
                    detail::concat("the file ends inside the part of ", header.length,
                                   " bytes that begins at byte ", at_),
                    kCutOff, true};
    return header;
  }

  void read_payload(bool is_pages, bool is_end, std::span<const uint8_t> payload) {
    const size_t before = data_.events.size();
    try {
      if (is_pages)
        read_pages(payload);
      else if (is_end)
        read_end(payload);
      else
        read_chunk(payload);
    } catch (const ValueError& error) {
      const bool inside = !is_pages && !is_end && data_.events.size() > before;
      const std::string where = inside ? detail::concat(", after its event ", data_.events.size()) : "";
      throw Problem{at_,
                    detail::concat("the part that begins here makes no sense", where, ": ", error.message()),
                    kDamaged};
    }
  }

  void read_pages(std::span<const uint8_t> payload) {
    CUTAWAY_CHECK_VALUE(
        !payload.empty() && payload.size() % kPageBytes == 0 && payload.size() <= kPagesPerFrame * kPageBytes,
        "pages of ", payload.size(), " bytes");
    for (size_t at = 0; at < payload.size(); at += kPageBytes)
      decoder_.add_page(std::as_bytes(payload.subspan(at, kPageBytes)));
  }

  template <class Root>
  const Root& verified(std::span<const uint8_t> payload, uint32_t most_tables) {
    constexpr uint32_t kMostDepth = 4;
    flatbuffers::Verifier verifier(payload.data(), payload.size(), kMostDepth, most_tables);
    CUTAWAY_CHECK_VALUE(payload.size() >= 8 && verifier.VerifyBuffer<Root>(nullptr),
                        "it is not laid out as a trace is");
    return *flatbuffers::GetRoot<Root>(payload.data());
  }

  void read_chunk(std::span<const uint8_t> payload) {
    const auto& chunk = verified<fb::Chunk>(payload, 1);
    CUTAWAY_CHECK_VALUE(chunk.events() && chunk.events()->size() > 0, "it has no events");
    CUTAWAY_CHECK_VALUE(chunk.first_event() == data_.events.size() + 1, "it begins with event ",
                        chunk.first_event(), " where event ", data_.events.size() + 1, " is next");
    decoder_.add_chunk(chunk, until_);
  }

  void read_end(std::span<const uint8_t> payload) {
    const auto& end = verified<fb::End>(payload, 1);
    CUTAWAY_CHECK_VALUE(end.events() == data_.events.size(), "the end mark counts ", end.events(),
                        " events, there are ", data_.events.size());
    if (end.notes())
      for (const auto* note : *end.notes()) data_.notes.push_back(clean_text({note->c_str(), note->size()}));
  }

  ByteSource& source_;
  TraceData& data_;
  ChunkDecoder decoder_;
  size_t until_;
  uint64_t at_ = 0;
  std::vector<uint64_t> payload_;  // aligned for FlatBuffers, which reads numbers in place
};

namespace {

// What a recording that goes on with an opened trace may add.
constexpr uint64_t kMoreBytes = 256ull << 20;

LoadedTrace read_from(ByteSource& source, const std::string& name, ReadOptions options) {
  LoadedTrace loaded;
  loaded.builder = std::make_shared<TraceBuilder>();
  loaded.builder->set_byte_cap(UINT64_MAX);  // the file itself is the bound
  loaded.trace = loaded.builder->trace();
  FileReader reader(source, *loaded.builder, options.until);
  std::optional<Problem> problem;
  try {
    reader.read_all();
  } catch (const Problem& p) {
    problem = p;
  }
  loaded.builder->finish();
  loaded.builder->set_byte_cap(loaded.trace->bytes_kept() + kMoreBytes);
  if (problem) {
    const std::string whole =
        reader.events() == 0 ? (options.partial ? " No event in front of it is whole." : "")
        : options.partial
            ? detail::concat(" Shown are the ", reader.events(), " events before it.")
            : detail::concat(" The ", reader.events(), " events before it are whole; --partial shows them.");
    const TraceFileError error("cannot read", name, problem->offset, problem->what, problem->advice + whole);
    if (!options.partial || reader.events() == 0) throw error;
    loaded.cut_off = problem->cut_off;
    loaded.problems.push_back(error.message());
  }
  for (const std::string& note : loaded.trace->notes()) loaded.problems.push_back(note);
  return loaded;
}

}  // namespace

LoadedTrace read_trace(std::span<const uint8_t> bytes, const std::string& name, ReadOptions options) {
  MemorySource source(bytes);
  return read_from(source, name, options);
}

LoadedTrace read_trace(const std::string& path, ReadOptions options) {
  FileSource source(path);
  return read_from(source, path, options);
}

}  // namespace cutaway::trace
