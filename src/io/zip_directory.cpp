// How a directory is read: `find_end` looks for the end record at the end of the file, `follow_zip64`
// replaces its numbers by those of the zip64 record when there is one, `read_members` walks the directory in
// memory, and `check_local_header` visits each member. Everything up to the walk throws (without a directory
// there is nothing to list); from there on each fault is one member's reason.
#include "io/zip_directory.h"

#include <algorithm>

#include "io/file_error.h"
#include "io/limits.h"
#include "io/outside_text.h"
#include "io/zip_format.h"

namespace cutaway::io {

namespace {

constexpr char kDamaged[] = "The archive is damaged or was cut off; fetch or save it again.";

struct EndRecord {
  uint64_t begin = 0;  // of the record that closes the directory: the zip64 one when there is one
  uint64_t members = 0;
  uint64_t directory_begin = 0;
  uint64_t directory_nbytes = 0;
  std::string comment;
};

// Returns: where in `tail` the end record lies whose comment closes the file, or npos.
size_t find_end_in(std::string_view tail) {
  if (tail.size() < kZipEndBytes) return std::string_view::npos;
  for (size_t at = tail.size() - kZipEndBytes + 1; at-- > 0;) {
    const ZipFields fields(tail.substr(at));
    if (fields.u32(0) == kZipEndSignature && at + kZipEndBytes + fields.u16(20) == tail.size()) return at;
  }
  return std::string_view::npos;
}

EndRecord find_end(const MappedFile& file) {
  constexpr uint64_t kLongestTail = kZipEndBytes + UINT16_MAX;
  // Almost no archive has a comment, so its last 22 bytes are tried before the last 64 KiB.
  for (const uint64_t wanted : {uint64_t{kZipEndBytes}, kLongestTail}) {
    const uint64_t length = std::min(wanted, file.size());
    const std::string tail = file.read_text(file.size() - length, length);
    const size_t at = find_end_in(tail);
    if (at == std::string::npos) continue;
    const ZipFields fields(std::string_view(tail).substr(at));
    EndRecord end;
    end.begin = file.size() - length + at;
    if (fields.u16(4) != 0 || fields.u16(6) != 0 || fields.u16(8) != fields.u16(10)) {
      fail_at(file.path(), end.begin + 4, "the zip archive is split over several files",
              "Join its parts first, for example with `zip -s 0`.");
    }
    end.members = fields.u16(10);
    end.directory_nbytes = fields.u32(12);
    end.directory_begin = fields.u32(16);
    end.comment = shown(fields.text(kZipEndBytes, fields.u16(20)));
    return end;
  }
  fail_at(file.path(), file.size(), "a zip archive begins here but its end record is missing", kDamaged);
}

void follow_zip64(const MappedFile& file, EndRecord& end) {
  const bool escaped = end.members == kZip16Escape || end.directory_nbytes == kZip32Escape ||
                       end.directory_begin == kZip32Escape;
  std::string locator;
  if (end.begin >= kZip64LocatorBytes) {
    locator = file.read_text(end.begin - kZip64LocatorBytes, kZip64LocatorBytes);
  }
  if (locator.empty() || ZipFields(locator).u32(0) != kZip64LocatorSignature) {
    // 65,535 members exactly need no zip64 record, so only a size or an offset proves that one is missing.
    if (escaped && end.members != kZip16Escape) {
      fail_at(file.path(), end.begin, "the end record points to a zip64 record that is not there", kDamaged);
    }
    return;
  }
  const uint64_t locator_begin = end.begin - kZip64LocatorBytes;
  const uint64_t begin = ZipFields(locator).u64(8);
  if (begin > locator_begin || locator_begin - begin < kZip64EndBytes) {
    fail_at(file.path(), locator_begin + 8,
            "the zip64 record is said to lie at byte " + std::to_string(begin) + ", which is not before here",
            kDamaged);
  }
  const std::string record = file.read_text(begin, kZip64EndBytes);
  const ZipFields fields(record);
  if (fields.u32(0) != kZip64EndSignature || fields.u64(4) != locator_begin - begin - 12) {
    fail_at(file.path(), begin, "expected a zip64 end record that reaches to its locator", kDamaged);
  }
  end.begin = begin;
  end.members = fields.u64(32);
  end.directory_nbytes = fields.u64(40);
  end.directory_begin = fields.u64(48);
}

void check_end(const MappedFile& file, const EndRecord& end) {
  const std::string count = std::to_string(end.members);
  if (end.directory_begin > end.begin || end.directory_nbytes != end.begin - end.directory_begin) {
    fail_at(
        file.path(), end.begin,
        "the directory should reach to here, but is said to have " + std::to_string(end.directory_nbytes) +
            " bytes from byte " + std::to_string(end.directory_begin),
        "Bytes may have been lost, or put before the archive; fetch it again, or repair it with `zip -FF`.");
  }
  if (end.directory_nbytes > kMaxZipDirectoryBytes || end.members > kMaxTensors) {
    fail_at(file.path(), end.directory_begin,
            "the directory has " + count + " members in " + std::to_string(end.directory_nbytes) +
                " bytes; at most " + std::to_string(kMaxTensors) + " in " +
                std::to_string(kMaxZipDirectoryBytes) + " are read",
            "Split the archive.");
  }
  if (end.members > end.directory_nbytes / kZipCentralBytes) {
    fail_at(
        file.path(), end.begin,
        count + " members do not fit into a directory of " + std::to_string(end.directory_nbytes) + " bytes",
        kDamaged);
  }
}

// Bytes without the UTF-8 flag are code page 437, the alphabet of the first PCs; Python's zipfile reads them
// so.
std::string decode_name(std::string_view bytes, bool utf8) {
  static constexpr char16_t kHigh[] =
      u"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      u"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0";
  static_assert(sizeof(kHigh) / sizeof(kHigh[0]) == 128 + 1);
  if (utf8) return shown(bytes);
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(text, byte < 0x80 ? byte : kHigh[byte - 0x80]);
  }
  return shown(text);
}

// Puts the 64-bit numbers of the zip64 extra field in the place of escaped ones.
// Returns: whether every escaped number was there.
bool read_zip64_extra(std::string_view extra, ZipMember& member) {
  uint64_t* const slots[] = {&member.unpacked_nbytes, &member.packed_nbytes, &member.header_begin};
  const bool needed = std::any_of(std::begin(slots), std::end(slots),
                                  [](const uint64_t* slot) { return *slot == kZip32Escape; });
  if (!needed) return true;
  while (extra.size() >= 4) {
    const ZipFields fields(extra);
    const size_t length = fields.u16(2);
    if (length > extra.size() - 4) return false;
    if (fields.u16(0) == kZip64ExtraId) {
      size_t at = 4;
      for (uint64_t* slot : slots) {
        if (*slot != kZip32Escape) continue;
        if (at + 8 > 4 + length) return false;
        *slot = fields.u64(at);
        at += 8;
      }
      return true;
    }
    extra.remove_prefix(4 + length);
  }
  return false;
}

const char* method_name(uint16_t method) {
  switch (method) {
    case 9: return "deflate64";
    case 12: return "bzip2";
    case 14: return "LZMA";
    case 93: return "Zstandard";
    case 95: return "XZ";
    default: return "an unknown method";
  }
}

// Returns: why a member cannot be read, going by its directory entry alone.
std::string judge(const ZipMember& member, uint16_t flags, bool zip64_ok) {
  if (flags & (kZipEncrypted | kZipStrongEncryption))
    return "it is encrypted, and passwords are not asked for here";
  if (!zip64_ok) return "its sizes are said to be in a zip64 field that is not there";
  if (member.method != kZipStored && member.method != kZipDeflated) {
    return "it is packed with " + std::string(method_name(member.method)) + " (method " +
           std::to_string(member.method) + "); stored and deflated members are read";
  }
  if (member.method == kZipStored && member.packed_nbytes != member.unpacked_nbytes) {
    return "it is stored as it is, yet its two sizes differ: " + std::to_string(member.packed_nbytes) +
           " and " + std::to_string(member.unpacked_nbytes) + " bytes";
  }
  const bool plausible =
      member.packed_nbytes > UINT64_MAX / (2 * kMaxInflateRatio) ||
      member.unpacked_nbytes <= member.packed_nbytes * kMaxInflateRatio + kInflateRatioSlack;
  if (!plausible) {
    return "it claims to unpack from " + std::to_string(member.packed_nbytes) + " to " +
           std::to_string(member.unpacked_nbytes) +
           " bytes; deflate reaches at most 1 : " + std::to_string(kMaxInflateRatio);
  }
  return "";
}

// Visits the member's local header: finds data_begin, and gives a reason when the two headers disagree.
void check_local_header(const MappedFile& file, std::string_view name, uint64_t directory_begin,
                        uint16_t flags, ZipMember& member) {
  const auto refuse = [&](const std::string& why) {
    if (member.reason.empty()) member.reason = why;
  };
  const uint64_t begin = member.header_begin;
  if (begin > directory_begin || directory_begin - begin < kZipLocalBytes + name.size()) {
    return refuse("it is said to begin at byte " + std::to_string(begin) + ", beyond the space for members");
  }
  const std::string bytes = file.read_text(begin, kZipLocalBytes + name.size());
  const ZipFields local(bytes);
  if (local.u32(0) != kZipLocalSignature) {
    return refuse("no local header lies at byte " + std::to_string(begin) + " where the directory says");
  }
  if (local.u16(26) != name.size() || local.text(kZipLocalBytes, name.size()) != name) {
    return refuse("its local header at byte " + std::to_string(begin) + " carries another name");
  }
  member.data_begin = begin + kZipLocalBytes + name.size() + local.u16(28);
  if (member.data_begin > directory_begin || member.packed_nbytes > directory_begin - member.data_begin) {
    member.data_begin = begin;
    return refuse("its " + std::to_string(member.packed_nbytes) +
                  " bytes would reach into the directory at byte " + std::to_string(directory_begin));
  }
  const auto same = [](uint64_t in_local, uint64_t in_directory) {
    return in_local == in_directory || in_local == kZip32Escape;
  };
  const bool sizes_known = !(flags & kZipDataDescriptor);
  if (local.u16(8) != member.method ||
      (sizes_known && (local.u32(14) != member.crc32 || !same(local.u32(18), member.packed_nbytes) ||
                       !same(local.u32(22), member.unpacked_nbytes)))) {
    refuse("its local header at byte " + std::to_string(begin) + " disagrees with the directory");
  }
}

// Gives a reason to members that share bytes, see Note [Strict zips].
void refuse_overlaps(std::vector<ZipMember>& members) {
  std::vector<ZipMember*> order;
  for (ZipMember& member : members) {
    if (member.data_begin > member.header_begin) order.push_back(&member);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const ZipMember* a, const ZipMember* b) { return a->header_begin < b->header_begin; });
  ZipMember* farthest = nullptr;
  for (ZipMember* member : order) {
    if (farthest && member->header_begin < farthest->data_end()) {
      for (ZipMember* one : {member, farthest}) {
        const ZipMember* other = one == member ? farthest : member;
        if (one->reason.empty()) one->reason = "its bytes overlap those of " + in_quotes(other->name);
      }
    }
    if (!farthest || member->data_end() > farthest->data_end()) farthest = member;
  }
}

void read_members(const MappedFile& file, const EndRecord& end, ZipDirectory& directory) {
  const std::string bytes = file.read_text(end.directory_begin, end.directory_nbytes);
  std::string_view rest = bytes;
  for (uint64_t i = 0; i < end.members; ++i) {
    const uint64_t at = end.directory_begin + (bytes.size() - rest.size());
    const ZipFields fields(rest);
    if (rest.size() < kZipCentralBytes || fields.u32(0) != kZipCentralSignature) {
      fail_at(file.path(), at,
              "expected the directory entry of member " + std::to_string(i + 1) + " of " +
                  std::to_string(end.members),
              kDamaged);
    }
    const size_t name_nbytes = fields.u16(28);
    const size_t extra_nbytes = fields.u16(30);
    const size_t total = kZipCentralBytes + name_nbytes + extra_nbytes + fields.u16(32);
    if (total > rest.size()) {
      fail_at(file.path(), at, "this directory entry reaches beyond the directory", kDamaged);
    }
    const std::string_view name = fields.text(kZipCentralBytes, name_nbytes);
    const uint16_t flags = fields.u16(8);
    ZipMember member;
    member.name = decode_name(name, flags & kZipUtf8);
    member.method = fields.u16(10);
    member.crc32 = fields.u32(16);
    member.packed_nbytes = fields.u32(20);
    member.unpacked_nbytes = fields.u32(24);
    member.header_begin = fields.u32(42);
    const bool zip64_ok = read_zip64_extra(fields.text(kZipCentralBytes + name_nbytes, extra_nbytes), member);
    member.reason = judge(member, flags, zip64_ok);
    check_local_header(file, name, end.directory_begin, flags, member);
    directory.members.push_back(std::move(member));
    rest.remove_prefix(total);
  }
  if (!rest.empty()) {
    fail_at(file.path(), end.begin - rest.size(),
            std::to_string(rest.size()) + " bytes of the directory belong to none of its " +
                std::to_string(end.members) + " members",
            kDamaged);
  }
}

}  // namespace

ZipDirectory read_zip_directory(const MappedFile& file) {
  EndRecord end = find_end(file);
  follow_zip64(file, end);
  check_end(file, end);
  ZipDirectory directory;
  directory.comment = end.comment;
  read_members(file, end, directory);
  refuse_overlaps(directory.members);
  return directory;
}

}  // namespace cutaway::io
