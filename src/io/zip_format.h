// The records of the zip format as bytes: signatures, sizes, field offsets, and a reader of little-endian
// fields. Shared by the code that reads zips and the code that writes them, so that each number is written
// down once.
//
// Invariants: offsets are from the start of a record, its signature included.
// Thread safety: constants and pure functions.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::io {

inline constexpr uint32_t kZipLocalSignature = 0x04034b50;
inline constexpr uint32_t kZipCentralSignature = 0x02014b50;
inline constexpr uint32_t kZipEndSignature = 0x06054b50;
inline constexpr uint32_t kZip64EndSignature = 0x06064b50;
inline constexpr uint32_t kZip64LocatorSignature = 0x07064b50;

inline constexpr size_t kZipLocalBytes = 30;
inline constexpr size_t kZipCentralBytes = 46;
inline constexpr size_t kZipEndBytes = 22;
inline constexpr size_t kZip64EndBytes = 56;
inline constexpr size_t kZip64LocatorBytes = 20;

inline constexpr uint16_t kZip64ExtraId = 0x0001;
inline constexpr uint16_t kZipEncrypted = 0x0001;  // flag bits
inline constexpr uint16_t kZipDataDescriptor = 0x0008;
inline constexpr uint16_t kZipStrongEncryption = 0x0040;
inline constexpr uint16_t kZipUtf8 = 0x0800;
inline constexpr uint16_t kZip16Escape = 0xFFFF;  // "see the zip64 field"
inline constexpr uint32_t kZip32Escape = 0xFFFFFFFF;

// Reads little-endian fields of a record. Requires: offset + width <= size, which callers check for whole
// records.
class ZipFields {
 public:
  explicit ZipFields(std::string_view bytes) : bytes_(bytes) {}

  uint16_t u16(size_t offset) const { return static_cast<uint16_t>(read(offset, 2)); }
  uint32_t u32(size_t offset) const { return static_cast<uint32_t>(read(offset, 4)); }
  uint64_t u64(size_t offset) const { return read(offset, 8); }
  std::string_view text(size_t offset, size_t length) const { return bytes_.substr(offset, length); }
  size_t size() const { return bytes_.size(); }

 private:
  uint64_t read(size_t offset, int width) const {
    uint64_t value = 0;
    for (int i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[offset + i]);
    return value;
  }

  std::string_view bytes_;
};

// Appends little-endian fields of a record.
class ZipRecord {
 public:
  ZipRecord& u16(uint64_t value) { return put(value, 2); }
  ZipRecord& u32(uint64_t value) { return put(value, 4); }
  ZipRecord& u64(uint64_t value) { return put(value, 8); }
  ZipRecord& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  ZipRecord& put(uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }

  std::string bytes_;
};

}  // namespace cutaway::io
