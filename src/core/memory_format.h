// In which order the dimensions of a dense tensor lie in memory.
//
// Contiguous is row-major. ChannelsLast keeps sizes (N, C, H, W) and lets C vary fastest; ChannelsLast3d the
// same for five dimensions. Preserve, for an op's argument, asks for the order of the input.
//
// PyTorch: c10/core/MemoryFormat.h
#pragma once

#include <cstdint>

namespace cutaway {

enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

// Returns: PyTorch's name without the module, "channels_last".
inline const char* to_string(MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Contiguous: return "contiguous_format";
    case MemoryFormat::Preserve: return "preserve_format";
    case MemoryFormat::ChannelsLast: return "channels_last";
    case MemoryFormat::ChannelsLast3d: return "channels_last_3d";
  }
  return "unknown";
}

}  // namespace cutaway
