// A tensor as the writers take it: a name, a dtype, sizes, and dense bytes in one of two orders. Borrowed.
//
// Invariants (checked by require_packed): data_nbytes is numel * element_size; data is not null unless it is
// 0. Thread safety: a plain value; what it points to must not change while it is being written.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scalar_type.h"
#include "io/entry_layout.h"

namespace cutaway::io {

struct PackedTensor {
  std::string name;
  ScalarType dtype = ScalarType::Float;
  std::vector<int64_t> sizes;
  const void* data = nullptr;
  uint64_t data_nbytes = 0;
  MemoryOrder order = MemoryOrder::C;
};

// Throws: ValueError that begins with `writer` when the invariants do not hold.
void require_packed(const char* writer, const PackedTensor& tensor);

}  // namespace cutaway::io
