// Lets Python see what the readers see, and read what the writers write.
//
//   io_dump list FILE...   prints a JSON array: for each file its tensors, with all bytes in hexadecimal
//   io_dump write DIR      writes one file of each kind into DIR and prints what Python must find in them
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "tests/io/sample_tensors.h"

namespace cutaway::io {

namespace {

using Json = nlohmann::ordered_json;

std::string hex(const std::vector<std::byte>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<int>(byte) >> 4];
    text += kDigits[std::to_integer<int>(byte) & 15];
  }
  return text;
}

Json describe(const TensorFile& file, size_t index) {
  const TensorEntry& entry = file.entries()[index];
  Json json;
  json["name"] = entry.name;
  json["dtype_text"] = entry.dtype_text;
  json["dtype"] = entry.dtype ? Json(dtype_name(*entry.dtype)) : Json();
  json["sizes"] = entry.sizes;
  json["strides"] = entry.strides;
  json["storage_offset"] = entry.storage_offset;
  json["numel"] = entry.numel;
  json["storage_nbytes"] = entry.storage_nbytes;
  json["file_begin"] = entry.file_begin;
  json["file_end"] = entry.file_end;
  json["byte_order"] = entry.byte_order == ByteOrder::Big      ? "big"
                       : entry.byte_order == ByteOrder::Little ? "little"
                                                               : "none";
  json["compressed"] = entry.compressed;
  json["reason"] = entry.reason;
  json["bytes"] = entry.has_bytes ? Json(hex(file.read_all(index))) : Json();
  return json;
}

Json list(const std::string& path) {
  Json json;
  json["path"] = path;
  try {
    const auto file = open_tensor_file(path);
    json["format"] = format_name(file->format());
    json["metadata"] = Json::object();
    for (const auto& [key, value] : file->metadata()) json["metadata"][key] = value;
    json["notes"] = file->notes();
    json["tensors"] = Json::array();
    for (size_t i = 0; i < file->entries().size(); ++i) json["tensors"].push_back(describe(*file, i));
  } catch (const Error& error) {
    json["error"] = error.message();
  }
  return json;
}

Json expectation(const std::string& path, const std::vector<SampleTensor>& tensors) {
  Json json;
  json["path"] = path;
  for (const SampleTensor& tensor : tensors) {
    json["tensors"][tensor.name] = {{"dtype", dtype_name(tensor.dtype)},
                                    {"sizes", tensor.sizes},
                                    {"fortran", tensor.order == MemoryOrder::Fortran},
                                    {"bytes", hex(tensor.bytes)}};
  }
  return json;
}

Json write(const std::string& folder) {
  Json files = Json::array();
  std::vector<SampleTensor> tensors = sample_tensors(true);
  write_safetensors(folder + "/a.safetensors", packed(tensors), {{"format", "pt"}, {"k\"\u00e9", "v\n"}});
  files.push_back(expectation(folder + "/a.safetensors", tensors));

  tensors = sample_tensors(false);
  tensors.push_back(sample_tensor("fortran", ScalarType::Short, {4, 5, 3}, 77, MemoryOrder::Fortran));
  tensors.push_back(sample_tensor("\u00e9t\u00e9", ScalarType::Half, {3}, 78));
  for (const SampleTensor& tensor : tensors) {
    const std::string path = folder + "/" + std::to_string(files.size()) + ".npy";
    write_npy(path, tensor.packed());
    files.push_back(expectation(path, {tensor}));
  }
  for (const bool deflate : {false, true}) {
    for (const bool zip64 : {false, true}) {
      const std::string path = folder + "/" + std::to_string(files.size()) + ".npz";
      write_npz(path, packed(tensors), {deflate, 6, zip64});
      files.push_back(expectation(path, tensors));
    }
  }
  return files;
}

}  // namespace

}  // namespace cutaway::io

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || (words[0] != "list" && words[0] != "write")) {
    std::cerr << "usage: io_dump list FILE... | io_dump write DIR\n";
    return 2;
  }
  cutaway::io::Json json = cutaway::io::Json::array();
  if (words[0] == "write") {
    json = cutaway::io::write(words[1]);
  } else {
    for (size_t i = 1; i < words.size(); ++i) json.push_back(cutaway::io::list(words[i]));
  }
  std::cout << json.dump(1) << "\n";
  return 0;
}
