// Zips that lie. Each case takes a good archive apart into its records, changes one field, and puts it
// together.
#include "io/zip_directory.h"

#include <doctest/doctest.h>

#include "io/npy_header.h"
#include "io/npz.h"
#include "io/zip_format.h"
#include "tests/io/sample_tensors.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

namespace {

// An archive of three members "a", "b" and "c" whose fields can be changed in place.
class ZipBytes {
 public:
  explicit ZipBytes(NpzOptions options = {}) {
    const TempFile file("x.npz");
    std::vector<SampleTensor> tensors;
    for (const char* name : {"a", "b", "c"})
      tensors.push_back(sample_tensor(name, ScalarType::Int, {2, 3}, 1));
    write_npz(file.path(), packed(tensors), options);
    bytes = file.read();
  }

  // Returns: where the record of member `index` begins.
  size_t local(int index) const { return nth("PK\3\4", index); }
  size_t central(int index) const { return nth("PK\1\2", index); }
  size_t end() const { return bytes.rfind("PK\5\6"); }
  size_t end64() const { return bytes.rfind("PK\6\6"); }

  void set(size_t at, int width, uint64_t value) {
    for (int i = 0; i < width; ++i)
      bytes[at + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i) & 0xFF);
  }
  uint32_t u32(size_t at) const { return ZipFields(std::string_view(bytes).substr(at)).u32(0); }

  std::string bytes;

 private:
  size_t nth(std::string_view signature, int index) const {
    size_t at = bytes.find(signature);
    while (index-- > 0) at = bytes.find(signature, at + 4);
    return at;
  }
};

std::string open_error(const ZipBytes& zip) {
  const TempFile file("x.npz", zip.bytes);
  return error_of([&] { open_tensor_file(file.path()); });
}

// Returns: the reason of each member.
std::vector<std::string> reasons(const ZipBytes& zip) {
  const TempFile file("x.npz", zip.bytes);
  const auto opened = open_tensor_file(file.path());
  std::vector<std::string> result;
  for (const TensorEntry& entry : opened->entries()) result.push_back(entry.reason);
  return result;
}

// Checks that member 1 has a reason with `part` in it and that the other two are fine.
void check_only_second(const ZipBytes& zip, const char* part) {
  CAPTURE(part);
  const std::vector<std::string> all = reasons(zip);
  REQUIRE(all.size() == 3);
  CHECK(all[0] == "");
  CHECK(all[2] == "");
  INFO(all[1]);
  CHECK(contains(all[1], part));
}

}  // namespace

TEST_CASE("zip: a fault of one member is its reason, the others stay readable") {
  const auto changed = [](auto change) {
    ZipBytes zip;
    change(zip);
    return zip;
  };
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 8, 2, 1); }), "encrypted");
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 10, 2, 12); }),
                    "packed with bzip2 (method 12)");
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 10, 2, 77); }), "an unknown method");
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 20, 4, 5); }), "its two sizes differ");
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 24, 4, 0xFFFFFFFF); }), "zip64 field");
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 42, 4, 1); }),
                    "no local header lies at byte 1");
  check_only_second(changed([](ZipBytes& z) { z.set(z.central(1) + 42, 4, 1u << 30); }),
                    "beyond the space for members");
  check_only_second(changed([](ZipBytes& z) { z.bytes[z.local(1) + 30] = 'x'; }), "carries another name");
  check_only_second(changed([](ZipBytes& z) { z.set(z.local(1) + 8, 2, 8); }),
                    "disagrees with the directory");
  check_only_second(changed([](ZipBytes& z) { z.set(z.local(1) + 14, 4, 1); }),
                    "disagrees with the directory");
  check_only_second(changed([](ZipBytes& z) { z.set(z.local(1) + 22, 4, 1); }),
                    "disagrees with the directory");
  check_only_second(changed([](ZipBytes& z) { z.set(z.local(1) + 28, 2, 60'000); }),
                    "reach into the directory");
}

TEST_CASE("zip: a member that claims to unpack beyond what deflate can do is refused") {
  ZipBytes zip({true});
  for (const size_t at : {zip.central(1) + 24, zip.local(1) + 22}) zip.set(at, 4, 1u << 30);
  check_only_second(zip, "deflate reaches at most 1 : 1032");
}

TEST_CASE("zip: members that share bytes are refused, the rest is not") {
  ZipBytes zip;
  // Member b grows over member c.
  const uint32_t nbytes = zip.u32(zip.central(1) + 24) + 100;
  for (const size_t at : {zip.central(1) + 20, zip.central(1) + 24, zip.local(1) + 18, zip.local(1) + 22}) {
    zip.set(at, 4, nbytes);
  }
  const std::vector<std::string> all = reasons(zip);
  CHECK(all[0] == "");
  CHECK(contains(all[1], "overlap those of 'c.npy'"));
  CHECK(contains(all[2], "overlap those of 'b.npy'"));

  ZipBytes twice;  // two directory entries for one local header
  twice.set(twice.central(1) + 42, 4, 0);
  twice.bytes[twice.central(1) + 46] = 'a';
  CHECK(contains(reasons(twice)[0], "overlap"));
  CHECK(contains(reasons(twice)[1], "overlap"));
}

TEST_CASE("zip: of two members of one name, the first is marked and the last is found") {
  ZipBytes zip;
  zip.bytes[zip.central(1) + 46] = 'a';
  zip.bytes[zip.local(1) + 30] = 'a';
  CHECK(contains(reasons(zip)[0], "a later member has the same name"));
  CHECK(reasons(zip)[1] == "");
  const TempFile file("x.npz", zip.bytes);
  CHECK(open_tensor_file(file.path())->find("a") == 1);
}

TEST_CASE("zip: a member that is no array, or a broken one, is listed with the reason") {
  ZipBytes zip;
  zip.bytes[zip.local(1) + 30 + 5 + ZipFields(std::string_view(zip.bytes).substr(zip.local(1))).u16(28)] =
      'x';
  check_only_second(zip, "it is not an .npy array");
  ZipBytes broken;
  broken.bytes[broken.bytes.find("{'descr'", broken.local(1))] = '[';
  check_only_second(broken, "header is broken at byte");
  CHECK(reasons(broken)[1].find('\n') == std::string::npos);  // one line, for a list
}

TEST_CASE("zip: a directory that is broken is an error with the place") {
  const auto error_after = [](auto change, NpzOptions options = {}) {
    ZipBytes zip(options);
    change(zip);
    return open_error(zip);
  };
  CHECK(contains(error_after([](ZipBytes& z) { z.bytes.resize(z.bytes.size() - 1); }),
                 "end record is missing"));
  CHECK(contains(error_after([](ZipBytes& z) { z.bytes += "tail"; }), "end record is missing"));
  CHECK(contains(error_after([](ZipBytes& z) { z.bytes.insert(z.local(1), 10, 'x'); }),
                 "the directory should reach to here"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end() + 16, 4, 0); }),
                 "the directory should reach to here"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end() + 4, 2, 1); }), "split over several files"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end() + 8, 4, 0xFF00FF00); }),
                 "do not fit into a directory"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end() + 8, 4, 0x00020002); }),
                 "belong to none of its 2 members"));
  CHECK(contains(error_after([](ZipBytes& z) { z.bytes[z.central(1)] = 'Q'; }),
                 "expected the directory entry of member 2 of 3"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.central(2) + 28, 2, 5'000); }),
                 "reaches beyond the directory"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end() + 12, 4, 0xFFFFFFFF); }),
                 "a zip64 record that is not there"));
  const NpzOptions zip64{false, 6, true};
  CHECK(contains(error_after([](ZipBytes& z) { z.bytes[z.end64()] = 'Q'; }, zip64),
                 "expected a zip64 end record"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end() - 12, 8, 1u << 30); }, zip64),
                 "which is not before here"));
  CHECK(contains(error_after([](ZipBytes& z) { z.set(z.end64() + 32, 8, uint64_t{1} << 60); }, zip64),
                 "are read"));
}

TEST_CASE("zip: a comment at the end is found and shown") {
  ZipBytes zip;
  zip.set(zip.end() + 20, 2, 5);
  zip.bytes += "hi\nyo";
  const TempFile file("x.npz", zip.bytes);
  const auto opened = open_tensor_file(file.path());
  REQUIRE(opened->metadata().size() == 1);
  CHECK(opened->metadata()[0] == MetadataPair{"zip comment", "hi\\x0ayo"});
}

TEST_CASE("zip: names without the UTF-8 flag are code page 437, and control characters are escaped") {
  ZipBytes zip;
  for (const size_t at : {zip.central(0) + 46, zip.local(0) + 30}) zip.bytes[at] = '\x82';
  for (const size_t at : {zip.central(1) + 46, zip.local(1) + 30}) zip.bytes[at] = '\n';
  const TempFile file("x.npz", zip.bytes);
  const auto opened = open_tensor_file(file.path());
  CHECK(opened->entries()[0].name == "\u00e9");
  CHECK(opened->entries()[1].name == "\\x0a");
}

TEST_CASE("zip: a checkpoint of torch.save is recognised and refused with advice") {
  ZipBytes zip;
  for (const size_t at : {zip.central(0) + 46, zip.local(0) + 30}) zip.bytes.replace(at, 5, "x/d.p");
  CHECK(open_error(zip) == "");  // only the real name counts
  const TempFile file("model.pt");
  SampleTensor tensor = sample_tensor("archive/data.pkl", ScalarType::Int, {2}, 1);
  write_npz(file.path(), {tensor.packed()});
  std::string bytes = file.read();
  for (size_t at; (at = bytes.find("data.pkl.npy")) != std::string::npos;)
    bytes.replace(at, 12, "xxxx/dat.pkl");
  file.write(bytes);
  CHECK(error_of([&] { open_tensor_file(file.path()); }) == "");
  for (size_t at; (at = bytes.find("xxxx/dat.pkl")) != std::string::npos;)
    bytes.replace(at, 12, "abc/data.pkl");
  file.write(bytes);
  CHECK(contains(error_of([&] { open_tensor_file(file.path()); }), "a checkpoint of torch.save"));
}

TEST_CASE("zip: a data descriptor's sizes come from the directory") {
  ZipBytes zip({true});
  zip.set(zip.central(1) + 8, 2, 8);
  zip.set(zip.local(1) + 6, 2, 8);
  for (const int field : {14, 18, 22}) zip.set(zip.local(1) + static_cast<size_t>(field), 4, 0);
  const std::vector<std::string> all = reasons(zip);
  CHECK(all == std::vector<std::string>{"", "", ""});
}

TEST_CASE("zip: members and offsets beyond 4 GiB") {
  // Written by hand into a sparse file: a first member of 5 GiB, all hole, and a second behind it.
  const uint64_t large = uint64_t{5} << 30;
  const TempFile file("large.npz");
  std::ofstream out(file.path(), std::ios::binary);
  ZipRecord central;
  for (const auto& [name, data_nbytes] : {std::pair<const char*, uint64_t>{"a.npy", large}, {"b.npy", 8}}) {
    const std::string header =
        make_npy_header(ScalarType::Byte, {static_cast<int64_t>(data_nbytes)}, MemoryOrder::C);
    const uint64_t nbytes = header.size() + data_nbytes;
    const auto begin = static_cast<uint64_t>(out.tellp());
    ZipRecord local;
    local.u32(kZipLocalSignature).u16(45).u16(0).u16(0).u32(0).u32(0).u32(kZip32Escape).u32(kZip32Escape);
    local.u16(5).u16(20).text(name).u16(kZip64ExtraId).u16(16).u64(nbytes).u64(nbytes).text(header);
    out << local.bytes();
    out.seekp(static_cast<std::streamoff>(data_nbytes), std::ios::cur);
    central.u32(kZipCentralSignature).u16(45).u16(45).u16(0).u16(0).u32(0).u32(0).u32(kZip32Escape);
    central.u32(kZip32Escape).u16(5).u16(28).u16(0).u16(0).u16(0).u32(0).u32(kZip32Escape).text(name);
    central.u16(kZip64ExtraId).u16(24).u64(nbytes).u64(nbytes).u64(begin);
  }
  const auto begin = static_cast<uint64_t>(out.tellp());
  const auto end = begin + central.bytes().size();
  ZipRecord closing;
  closing.u32(kZip64EndSignature)
      .u64(44)
      .u16(45)
      .u16(45)
      .u32(0)
      .u32(0)
      .u64(2)
      .u64(2)
      .u64(end - begin)
      .u64(begin);
  closing.u32(kZip64LocatorSignature).u32(0).u64(end).u32(1);
  closing.u32(kZipEndSignature).u32(0).u16(2).u16(2).u32(kZip32Escape).u32(kZip32Escape).u16(0);
  out << central.bytes() << closing.bytes();
  out.close();

  const auto opened = open_tensor_file(file.path());
  REQUIRE(opened->entries().size() == 2);
  CHECK(opened->entries()[0].reason == "");
  CHECK(opened->entries()[0].storage_nbytes == large);
  CHECK(opened->entries()[1].reason == "");
  CHECK(opened->entries()[1].file_begin > large);
  std::byte last[16];
  CHECK(opened->read_bytes(0, large - 16, 16, last));
  CHECK(opened->bytes_read() < 2'000);
}

}  // namespace cutaway::io
