// How the numbers of a tensor are arranged: in strides over one storage, or sparse as indices and values.
//
// PyTorch: c10/core/Layout.h
#pragma once

#include <cstdint>

namespace cutaway {

enum class Layout : int8_t { Strided, Sparse };

// Returns: PyTorch's name, "torch.strided" without the module.
inline const char* to_string(Layout layout) { return layout == Layout::Strided ? "strided" : "sparse_coo"; }

}  // namespace cutaway
