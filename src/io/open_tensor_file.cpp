// Which reader a file gets, and what a file that gets none is told.
#include <algorithm>
#include <cctype>

#include "io/file_error.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/outside_text.h"
#include "io/safetensors.h"
#include "io/tensor_file.h"

namespace cutaway::io {

namespace {

constexpr uint64_t kHeadBytes = 16;

struct Reader {
  std::string_view extension;
  bool (*recognises)(std::string_view head, uint64_t file_size);
  std::unique_ptr<TensorFile> (*open)(std::shared_ptr<const MappedFile> file);
};

constexpr Reader kReaders[] = {
    {".npy", looks_like_npy, open_npy},
    {".npz", looks_like_zip, open_npz},
    {".safetensors", looks_like_safetensors, open_safetensors},
};

// Files that people do try, by their first bytes, and what they may do instead.
struct Foreign {
  std::string_view magic;
  const char* what;
  const char* advice;
};

constexpr char kConvert[] = "Save the tensors with safetensors.torch.save_file or numpy.savez instead.";
constexpr char kUnpack[] = "Unpack it first.";
constexpr char kSupported[] = "Supported are .npy, .npz and .safetensors.";

constexpr Foreign kForeign[] = {
    {"\x80\x02", "a Python pickle, perhaps of an old torch.save", kConvert},
    {"\x80\x03", "a Python pickle", kConvert},
    {"\x80\x04", "a Python pickle", kConvert},
    {"\x80\x05", "a Python pickle", kConvert},
    {"\x89HDF\r\n", "an HDF5 file", "Read it with h5py and save the arrays with numpy.savez."},
    {"GGUF", "a GGUF model", "Read it with the gguf package and save the arrays with numpy.savez."},
    {"\x1f\x8b", "packed with gzip", kUnpack},
    {"\x28\xb5\x2f\xfd", "packed with Zstandard", kUnpack},
    {"\xfd"
     "7zXZ",
     "packed with xz", kUnpack},
    {"\x89PNG", "a PNG picture", ""},
    {"\xff\xd8\xff", "a JPEG picture", ""},
    {"version https://git-lfs", "a Git LFS pointer, not the file itself",
     "Fetch the file with `git lfs pull`."},
};

// Returns: what a file that begins with `head` is known to be, or null.
const Foreign* find_foreign(std::string_view head) {
  for (const Foreign& foreign : kForeign) {
    const std::string_view magic = foreign.magic.substr(0, kHeadBytes);
    if (head.substr(0, magic.size()) == magic) return &foreign;
  }
  return nullptr;
}

[[noreturn]] void refuse(const MappedFile& file, std::string_view head, const Foreign* foreign) {
  std::string problem = "this is no tensor file: it begins with " + hex_excerpt(head.substr(0, 8));
  std::string advice = kSupported;
  if (foreign) {
    problem += std::string(", which is ") + foreign->what;
    if (*foreign->advice) advice = std::string(foreign->advice) + " " + kSupported;
  }
  fail_at(file.path(), 0, problem, advice);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has_extension(const std::string& path, std::string_view extension) {
  return path.size() > extension.size() &&
         lower_case(path.substr(path.size() - extension.size())) == extension;
}

}  // namespace

std::unique_ptr<TensorFile> open_tensor_file(const std::string& path) {
  std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  const std::string head = file->read_text(0, std::min(kHeadBytes, file->size()));
  for (const Reader& reader : kReaders) {
    if (reader.recognises(head, file->size())) return reader.open(std::move(file));
  }
  const Foreign* foreign = find_foreign(head);
  // Bytes that tell nothing: the extension then decides which reader says what is wrong with them.
  for (const Reader& reader : kReaders) {
    if (!foreign && has_extension(path, reader.extension)) return reader.open(std::move(file));
  }
  refuse(*file, head, foreign);
}

}  // namespace cutaway::io
