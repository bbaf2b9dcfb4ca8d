#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/file_writer.h"
#include "io/outside_text.h"
#include "io/safetensors.h"
#include "io/safetensors_dtype.h"

namespace cutaway::io {

namespace {

constexpr size_t kHeaderAlignment = 8;

void check_tensors(const std::vector<const PackedTensor*>& sorted) {
  for (const PackedTensor* tensor : sorted) {
    require_packed("write_safetensors", *tensor);
    CUTAWAY_CHECK_VALUE(!tensor->name.empty() && tensor->name != "__metadata__" && is_utf8(tensor->name),
                        "write_safetensors: a name must be UTF-8, not empty and not '__metadata__', got ",
                        in_quotes(tensor->name));
    CUTAWAY_CHECK_VALUE(tensor->order == MemoryOrder::C || tensor->sizes.size() < 2,
                        "write_safetensors: tensor ", in_quotes(tensor->name),
                        " is in Fortran order, which the format does not have; make it contiguous first");
  }
}

void check_unique(std::vector<const PackedTensor*> tensors) {
  const auto by_name = [](const PackedTensor* a, const PackedTensor* b) { return a->name < b->name; };
  std::sort(tensors.begin(), tensors.end(), by_name);
  for (size_t i = 0; i + 1 < tensors.size(); ++i) {
    CUTAWAY_CHECK_VALUE(tensors[i]->name != tensors[i + 1]->name, "write_safetensors: the name ",
                        in_quotes(tensors[i]->name), " is used twice");
  }
}

std::string json_string(const std::string& text) {
  CUTAWAY_CHECK_VALUE(is_utf8(text), "write_safetensors: metadata must be UTF-8, got ", in_quotes(text));
  return nlohmann::json(text).dump();
}

std::string make_header(const std::vector<const PackedTensor*>& sorted,
                        const std::vector<MetadataPair>& metadata) {
  std::string text = "{";
  if (!metadata.empty()) {
    text += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) text += json_string(key) + ":" + json_string(value) + ",";
    text.back() = '}';
    text += ",";
  }
  uint64_t offset = 0;
  for (const PackedTensor* tensor : sorted) {
    text += json_string(tensor->name) + ":{\"dtype\":\"";
    text += safetensors_dtype_of(tensor->dtype).name;
    text += "\",\"shape\":[";
    for (const int64_t size : tensor->sizes) text += std::to_string(size) + ",";
    if (!tensor->sizes.empty()) text.pop_back();
    text += "],\"data_offsets\":[" + std::to_string(offset) + ",";
    offset += tensor->data_nbytes;
    text += std::to_string(offset) + "]},";
  }
  if (text.back() == ',') text.pop_back();
  text += "}";
  text.resize((text.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
  return text;
}

}  // namespace

void write_safetensors(const std::string& path, const std::vector<PackedTensor>& tensors,
                       const std::vector<MetadataPair>& metadata) {
  std::vector<const PackedTensor*> sorted;
  for (const PackedTensor& tensor : tensors) sorted.push_back(&tensor);
  check_tensors(sorted);
  check_unique(sorted);
  // The table is ordered by alignment, so a place in it is what to sort by.
  const auto rank = [](const PackedTensor* tensor) { return &safetensors_dtype_of(tensor->dtype); };
  std::sort(sorted.begin(), sorted.end(), [&](const PackedTensor* a, const PackedTensor* b) {
    return rank(a) != rank(b) ? rank(a) > rank(b) : a->name < b->name;
  });
  const std::string header = make_header(sorted, metadata);
  std::string length;
  for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  FileWriter writer(path);
  writer.write(length);
  writer.write(header);
  for (const PackedTensor* tensor : sorted) writer.write(tensor->data, tensor->data_nbytes);
  writer.commit();
}

}  // namespace cutaway::io
