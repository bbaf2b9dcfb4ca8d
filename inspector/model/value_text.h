// How numbers are shown: short, right-aligned, one precision for all that stand together; NaN and infinity in words.
//
// PyTorch: torch/_tensor_str.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/geometry/overlap.h"
#include "core/scalar_type.h"

namespace cutaway::inspector {

// One way of writing numbers, chosen from all that will be shown together.
struct ValueFormat {
  enum class Style { Integer, Fixed, Scientific } style = Style::Integer;
  int decimals = 2;
};

// `bytes`: whole elements of that dtype, little-endian, any alignment.
ValueFormat choose_format(ScalarType dtype, std::span<const std::byte> bytes);

// Returns: at most nine characters ("-1.2e+05", "nan", "True").
std::string value_text(ScalarType dtype, const std::byte* element, const ValueFormat& format);
// Returns: the element with all its digits, for a tooltip.
std::string full_value_text(ScalarType dtype, const std::byte* element);

// Bits [low, high] of an element and what they are: "sign", "exponent", "fraction"; "value" for integers.
struct BitField {
  const char* name = "";
  int high = 0;
  int low = 0;
};
// Returns: from the highest bit down.
std::vector<BitField> bit_fields(ScalarType dtype);

// Whether the element is NaN or infinite.
bool is_special(ScalarType dtype, const std::byte* element);

// Returns: "1 234 567", groups of three.
std::string grouped(uint64_t n);
// Returns: "512 B", "4.0 KiB", "1.2 GiB".
std::string bytes_text(uint64_t nbytes);
// Returns: "10, 2"; "scalar" for no dimensions.
std::string shape_text(std::span<const int64_t> sizes);
std::string index_text(std::span<const int64_t> index);
// Returns: as Python writes a tuple: "()", "(3,)", "(2, 3)".
std::string tuple_text(std::span<const int64_t> row);
// Returns: "PyTorch's quick rule says no", or that it cannot tell.
std::string quick_rule_text(InternalOverlap verdict);
// Columns on the screen: bytes that continue a UTF-8 character take none.
size_t display_width(const std::string& text);

}  // namespace cutaway::inspector
