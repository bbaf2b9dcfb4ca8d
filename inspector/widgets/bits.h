// Bits as boxes and bytes as chips: what a key set holds, and how a number lies in its bytes.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::inspector {

struct Bit {
  std::string name;
  bool on = false;
  int view = 0;  // hue when it is on
};
// Boxes in rows, the first at the left. Returns: the one that is pointed at, -1 for none.
int bit_row(std::span<const Bit> bits);

// Bits [first, last] of a number, from the lowest, that mean something together.
struct BitField {
  std::string_view name;  // "exponent"
  int first = 0;
  int last = 0;
  int view = 0;
};
// Each byte in hexadecimal over its eight bits, lowest address at the left; fields by hue, with a legend. With little-endian
// numbers the sign is in the last byte.
void byte_chips(std::span<const uint8_t> bytes, std::span<const BitField> fields);

}  // namespace cutaway::inspector
