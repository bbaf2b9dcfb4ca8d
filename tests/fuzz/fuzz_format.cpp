#include "tests/fuzz/fuzz_format.h"

#include "tests/fuzz/tensor_formats.h"
#include "tests/fuzz/trace_format.h"

namespace cutaway::fuzz {

const std::vector<FuzzFormat>& fuzz_formats() {
  static const std::vector<FuzzFormat> formats = {
      {"npy", read_tensor_file, mend_npy, false},
      {"npz", read_tensor_file, mend_npz, false},
      {"safetensors", read_tensor_file, mend_safetensors, false},
      {"trace", read_trace_file, mend_trace, true},
  };
  return formats;
}

const FuzzFormat* find_fuzz_format(std::string_view name) {
  for (const FuzzFormat& format : fuzz_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace cutaway::fuzz
