#include <zlib.h>

#include <algorithm>
#include <new>

#include "core/error.h"
#include "io/npy_header.h"
#include "io/npz.h"
#include "io/outside_text.h"
#include "io/zip_directory.h"
#include "io/zip_format.h"

namespace cutaway::io {

namespace {

// Note [When a member gets 64-bit sizes]
// A member's local header is written before its packed size is known and patched afterwards, so whether it
// has the longer 64-bit fields must be decided by the unpacked size. Deflate may add up to 5 bytes for each
// 16 KiB that it cannot pack, and the limit stays 6 % below 4 GiB so that this never matters.
constexpr uint64_t kZip64From = 0xF0000000;

constexpr uint16_t kVersionPlain = 20;
constexpr uint16_t kVersionZip64 = 45;
constexpr uint16_t kMadeByUnix = 3 << 8;
constexpr uint16_t kFirstDate = 1 << 5 | 1;  // 1980-01-01, the oldest date a zip can name
constexpr uint32_t kPlainFile = 0100644u << 16;
constexpr uint64_t kAlignment = 64;
constexpr uint16_t kAlignmentExtraId =
    0xD935;                                   // the registered extra field for alignment: 2 bytes and padding
constexpr uint64_t kAlignmentExtraBytes = 6;  // without padding
constexpr uint64_t kZip64ExtraBytes = 20;     // of a local header
constexpr size_t kDeflateOutBytes = 256u << 10;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

uint16_t flags_of(const std::string& name) { return is_ascii(name) ? 0 : kZipUtf8; }

uint32_t add_crc(uint32_t crc, const void* data, uint64_t length) {
  if (length == 0) return crc;  // zlib takes a null pointer for "start over"
  return static_cast<uint32_t>(crc32_z(crc, static_cast<const Bytef*>(data), length));
}

// A deflate stream on its way into a file.
class Deflater {
 public:
  Deflater(FileWriter& writer, int level) : writer_(writer), out_(kDeflateOutBytes) {
    constexpr int kMostMemory = 9;
    if (deflateInit2(&stream_, level, Z_DEFLATED, -MAX_WBITS, kMostMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(const void* data, uint64_t length) {
    const auto* from = static_cast<const Bytef*>(data);
    while (length > 0) {
      const auto count = static_cast<uInt>(std::min<uint64_t>(length, 1u << 30));
      stream_.next_in = const_cast<Bytef*>(from);  // zlib's signature lacks the const
      stream_.avail_in = count;
      while (stream_.avail_in > 0) step(Z_NO_FLUSH);
      from += count;
      length -= count;
    }
  }

  // Returns: the bytes of the whole stream.
  uint64_t finish() {
    while (step(Z_FINISH) != Z_STREAM_END) {
    }
    return written_;
  }

 private:
  int step(int flush) {
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<uInt>(out_.size());
    const int result = deflate(&stream_, flush);
    const uint64_t count = out_.size() - stream_.avail_out;
    writer_.write(out_.data(), count);
    written_ += count;
    return result;
  }

  FileWriter& writer_;
  std::vector<Bytef> out_;
  z_stream stream_{};
  uint64_t written_ = 0;
};

}  // namespace

NpzWriter::NpzWriter(std::string path, NpzOptions options) : options_(options), writer_(std::move(path)) {}

// See Note [When a member gets 64-bit sizes].
bool NpzWriter::needs_zip64(const Written& member) const {
  return options_.force_zip64 || member.unpacked_nbytes >= kZip64From;
}

std::string NpzWriter::local_header(const Written& member, uint64_t padding) const {
  const bool zip64 = needs_zip64(member);
  const uint64_t extra = (zip64 ? kZip64ExtraBytes : 0) + padding;
  ZipRecord record;
  record.u32(kZipLocalSignature).u16(zip64 ? kVersionZip64 : kVersionPlain).u16(flags_of(member.name));
  record.u16(options_.deflate ? kZipDeflated : kZipStored).u16(0).u16(kFirstDate).u32(member.crc32);
  record.u32(zip64 ? kZip32Escape : member.packed_nbytes).u32(zip64 ? kZip32Escape : member.unpacked_nbytes);
  record.u16(member.name.size()).u16(extra).text(member.name);
  if (zip64) record.u16(kZip64ExtraId).u16(16).u64(member.unpacked_nbytes).u64(member.packed_nbytes);
  if (padding > 0) {
    record.u16(kAlignmentExtraId).u16(padding - 4).u16(kAlignment);
    record.text(std::string(padding - kAlignmentExtraBytes, '\0'));
  }
  return record.bytes();
}

std::string NpzWriter::central_header(const Written& member) const {
  const bool zip64 = needs_zip64(member);
  const bool far = zip64 || member.header_begin >= kZip32Escape;
  ZipRecord extra;
  if (zip64) extra.u64(member.unpacked_nbytes).u64(member.packed_nbytes);
  if (far) extra.u64(member.header_begin);
  ZipRecord record;
  record.u32(kZipCentralSignature).u16(kMadeByUnix | kVersionZip64).u16(far ? kVersionZip64 : kVersionPlain);
  record.u16(flags_of(member.name)).u16(options_.deflate ? kZipDeflated : kZipStored).u16(0).u16(kFirstDate);
  record.u32(member.crc32);
  record.u32(zip64 ? kZip32Escape : member.packed_nbytes).u32(zip64 ? kZip32Escape : member.unpacked_nbytes);
  record.u16(member.name.size()).u16(far ? 4 + extra.bytes().size() : 0).u16(0).u16(0).u16(0).u32(kPlainFile);
  record.u32(far ? kZip32Escape : member.header_begin).text(member.name);
  if (far) record.u16(kZip64ExtraId).u16(extra.bytes().size()).text(extra.bytes());
  return record.bytes();
}

uint64_t NpzWriter::write_deflated(std::string_view header, const PackedTensor& tensor) {
  Deflater deflater(writer_, options_.level);
  deflater.add(header.data(), header.size());
  deflater.add(tensor.data, tensor.data_nbytes);
  return deflater.finish();
}

void NpzWriter::add(const PackedTensor& tensor) {
  require_packed("write_npz", tensor);
  constexpr size_t kLongestName = UINT16_MAX;
  Written member;
  member.name = tensor.name + ".npy";
  CUTAWAY_CHECK_VALUE(!tensor.name.empty() && member.name.size() <= kLongestName && is_utf8(member.name),
                      "write_npz: a name must be UTF-8 of 1 to ", kLongestName - 4, " bytes, got ",
                      in_quotes(tensor.name));
  CUTAWAY_CHECK_VALUE(names_.insert(tensor.name).second, "write_npz: the name ", in_quotes(tensor.name),
                      " is used twice");
  const std::string header = make_npy_header(tensor.dtype, tensor.sizes, tensor.order);
  member.header_begin = writer_.position();
  member.unpacked_nbytes = header.size() + tensor.data_nbytes;
  member.crc32 = add_crc(add_crc(0, header.data(), header.size()), tensor.data, tensor.data_nbytes);
  uint64_t padding = 0;
  if (!options_.deflate) {
    const uint64_t unpadded = member.header_begin + local_header(member, 0).size() + kAlignmentExtraBytes;
    padding = kAlignmentExtraBytes + (kAlignment - unpadded % kAlignment) % kAlignment;
    member.packed_nbytes = member.unpacked_nbytes;
  }
  writer_.write(local_header(member, padding));
  if (options_.deflate) {
    member.packed_nbytes = write_deflated(header, tensor);
    writer_.patch(member.header_begin, local_header(member, padding));
  } else {
    writer_.write(header);
    writer_.write(tensor.data, tensor.data_nbytes);
  }
  members_.push_back(std::move(member));
}

void NpzWriter::finish() {
  const uint64_t begin = writer_.position();
  for (const Written& member : members_) writer_.write(central_header(member));
  const uint64_t end = writer_.position();
  const uint64_t count = members_.size();
  const bool zip64 = options_.force_zip64 || count >= kZip16Escape || end >= kZip32Escape;
  ZipRecord record;
  if (zip64) {
    record.u32(kZip64EndSignature)
        .u64(kZip64EndBytes - 12)
        .u16(kMadeByUnix | kVersionZip64)
        .u16(kVersionZip64);
    record.u32(0).u32(0).u64(count).u64(count).u64(end - begin).u64(begin);
    record.u32(kZip64LocatorSignature).u32(0).u64(end).u32(1);
  }
  record.u32(kZipEndSignature)
      .u16(0)
      .u16(0)
      .u16(zip64 ? kZip16Escape : count)
      .u16(zip64 ? kZip16Escape : count);
  record.u32(zip64 ? kZip32Escape : end - begin).u32(zip64 ? kZip32Escape : begin).u16(0);
  writer_.write(record.bytes());
  writer_.commit();
}

void write_npz(const std::string& path, const std::vector<PackedTensor>& tensors, NpzOptions options) {
  NpzWriter writer(path, options);
  for (const PackedTensor& tensor : tensors) writer.add(tensor);
  writer.finish();
}

}  // namespace cutaway::io
