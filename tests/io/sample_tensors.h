// Tensors with known bytes for the tests of readers and writers.
//
// Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/scalar_type.h"
#include "io/packed_tensor.h"
#include "io/tensor_file.h"

namespace cutaway::io {

struct SampleTensor {
  std::string name;
  ScalarType dtype;
  std::vector<int64_t> sizes;
  MemoryOrder order = MemoryOrder::C;
  std::vector<std::byte> bytes;

  PackedTensor packed() const { return {name, dtype, sizes, bytes.data(), bytes.size(), order}; }
};

// Returns: a tensor of random bytes (bools are 0 or 1).
inline SampleTensor sample_tensor(std::string name, ScalarType dtype, std::vector<int64_t> sizes,
                                  uint32_t seed, MemoryOrder order = MemoryOrder::C) {
  SampleTensor tensor{std::move(name), dtype, std::move(sizes), order, {}};
  uint64_t numel = 1;
  for (const int64_t size : tensor.sizes) numel *= static_cast<uint64_t>(size);
  tensor.bytes.resize(numel * element_size(dtype));
  std::mt19937 random(seed);
  for (std::byte& byte : tensor.bytes) {
    byte = static_cast<std::byte>(dtype == ScalarType::Bool ? random() & 1 : random() & 0xFF);
  }
  return tensor;
}

// Returns: one tensor of each dtype, and shapes with no dimension, a 0 and a 1 among them.
inline std::vector<SampleTensor> sample_tensors(bool with_bfloat16) {
  std::vector<SampleTensor> tensors;
  uint32_t seed = 1;
  for (const ScalarType dtype : kScalarTypes) {
    if (dtype == ScalarType::BFloat16 && !with_bfloat16) continue;
    tensors.push_back(sample_tensor(std::string("all.") + dtype_name(dtype), dtype, {3, 1, 5}, seed++));
  }
  tensors.push_back(sample_tensor("scalar", ScalarType::Double, {}, seed++));
  tensors.push_back(sample_tensor("empty", ScalarType::Int, {2, 0, 3}, seed++));
  tensors.push_back(sample_tensor("row", ScalarType::Byte, {7}, seed++));
  return tensors;
}

inline std::vector<PackedTensor> packed(const std::vector<SampleTensor>& tensors) {
  std::vector<PackedTensor> result;
  for (const SampleTensor& tensor : tensors) result.push_back(tensor.packed());
  return result;
}

// Returns: the first way in which `file` differs from `tensor`, or "same".
inline std::string difference(const TensorFile& file, const SampleTensor& tensor) {
  const auto index = file.find(tensor.name);
  if (!index) return "no tensor " + tensor.name;
  const TensorEntry& entry = file.entries()[*index];
  if (!entry.reason.empty()) return entry.reason;
  if (entry.dtype != tensor.dtype) return "dtype " + entry.dtype_text;
  if (entry.sizes != tensor.sizes) return "sizes";
  TensorEntry expected;
  expected.sizes = tensor.sizes;
  expected.itemsize = element_size(tensor.dtype);
  lay_out(expected, tensor.order);
  if (entry.strides != expected.strides) return "strides";
  if (entry.numel != expected.numel || entry.storage_nbytes != tensor.bytes.size()) return "counts";
  if (file.read_all(*index) != tensor.bytes) return "bytes";
  return "same";
}

}  // namespace cutaway::io
