#include "io/npy.h"

#include "io/file_error.h"
#include "io/file_writer.h"
#include "io/npy_header.h"
#include "io/outside_text.h"

namespace cutaway::io {

namespace {

// The name of a file without folder and extension.
std::string stem(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const size_t dot = name.find_last_of('.');
  if (dot != std::string::npos && dot > 0) name.resize(dot);
  return name;
}

class NpyFile : public TensorFile {
 public:
  NpyFile(std::shared_ptr<const MappedFile> file, const NpyHeader& header)
      : TensorFile(std::move(file), FileFormat::Npy) {
    TensorEntry entry;
    entry.name = shown(stem(path()));
    describe_array(header, file_size(), entry);
    entry.file_begin = header.data_begin;
    entry.file_end = entry.has_bytes ? header.data_begin + entry.storage_nbytes : file_size();
    metadata_.emplace_back("npy version", std::to_string(header.major) + "." + std::to_string(header.minor));
    metadata_.emplace_back("fortran_order", header.order == MemoryOrder::Fortran ? "True" : "False");
    if (entry.file_end < file_size()) {
      add_note(std::to_string(file_size() - entry.file_end) + " bytes follow the array, from byte " +
               std::to_string(entry.file_end) + "; NumPy ignores them too");
    }
    entries_.push_back(std::move(entry));
  }
};

}  // namespace

bool looks_like_npy(std::string_view head, uint64_t) { return head.substr(0, kNpyMagic.size()) == kNpyMagic; }

std::unique_ptr<TensorFile> open_npy(std::shared_ptr<const MappedFile> file) {
  const ByteReader read = [&](uint64_t offset, uint64_t length) { return file->read_text(offset, length); };
  NpyHeader header;
  try {
    header = read_npy_header(read, file->size());
  } catch (const NpyHeaderError& error) {
    fail_at(file->path(), error.offset, error.problem + error.excerpt, "Save it again with numpy.save.");
  }
  return std::make_unique<NpyFile>(std::move(file), header);
}

void write_npy(const std::string& path, const PackedTensor& tensor) {
  require_packed("write_npy", tensor);
  const std::string header = make_npy_header(tensor.dtype, tensor.sizes, tensor.order);
  FileWriter writer(path);
  writer.write(header);
  writer.write(tensor.data, tensor.data_nbytes);
  writer.commit();
}

}  // namespace cutaway::io
