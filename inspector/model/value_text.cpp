#include "inspector/model/value_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/convert.h"

namespace cutaway::inspector {
namespace {

int64_t element_as_int(ScalarType dtype, const std::byte* element) {
  // The byte of a bool in a file may be anything; as a C++ bool it may not.
  if (dtype == ScalarType::Bool) return *element != std::byte{0};
  int64_t value = 0;
  convert_element(ScalarType::Long, &value, dtype, element);
  return value;
}

std::string printed(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), pattern, value);
  return text;
}

std::string printed(const char* pattern, int decimals, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), pattern, decimals, value);
  return text;
}

std::string special_text(double value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

}  // namespace

ValueFormat choose_format(ScalarType dtype, std::span<const std::byte> bytes) {
  ValueFormat format;
  if (!is_floating(dtype)) return format;
  const size_t itemsize = element_size(dtype);
  double largest = 0;
  bool whole = true;
  for (size_t at = 0; at + itemsize <= bytes.size(); at += itemsize) {
    const double value = element_as_double(dtype, bytes.data() + at);
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::fabs(value));
    whole &= value == std::trunc(value);
  }
  if (largest >= 1e6 || (largest > 0 && largest < 1e-3)) {
    format.style = ValueFormat::Style::Scientific;
    format.decimals = 1;
  } else {
    format.style = ValueFormat::Style::Fixed;
    format.decimals = whole ? 0 : largest >= 10000 ? 0 : largest >= 1000 ? 1 : largest >= 0.1 ? 2 : 4;
  }
  return format;
}

std::string value_text(ScalarType dtype, const std::byte* element, const ValueFormat& format) {
  if (dtype == ScalarType::Undefined) return "?";
  if (dtype == ScalarType::Bool) return element_as_int(dtype, element) ? "True" : "False";
  if (!is_floating(dtype)) {
    const int64_t value = element_as_int(dtype, element);
    std::string text = std::to_string(value);
    return text.size() <= 7 ? text : printed("%.1e", static_cast<double>(value));
  }
  const double value = element_as_double(dtype, element);
  if (!std::isfinite(value)) return special_text(value);
  if (value == 0 && format.style == ValueFormat::Style::Scientific) return std::signbit(value) ? "-0" : "0";
  if (format.style == ValueFormat::Style::Scientific) return printed("%.*e", format.decimals, value);
  // A number that is not zero must not read as zero, nor one spill out of its cell.
  const bool vanishes = value != 0 && std::fabs(value) < 0.5 * std::pow(10.0, -format.decimals);
  const std::string text = printed("%.*f", format.decimals, value);
  return vanishes ? printed("%.0e", value) : text.size() > 9 ? printed("%.1e", value) : text;
}

std::string full_value_text(ScalarType dtype, const std::byte* element) {
  if (dtype == ScalarType::Undefined) return "?";
  if (dtype == ScalarType::Bool) return element_as_int(dtype, element) ? "True" : "False";
  if (!is_floating(dtype)) return std::to_string(element_as_int(dtype, element));
  const double value = element_as_double(dtype, element);
  if (!std::isfinite(value)) return special_text(value);
  return printed(dtype == ScalarType::Double ? "%.17g" : dtype == ScalarType::Float ? "%.9g" : "%.6g", value);
}

bool is_special(ScalarType dtype, const std::byte* element) {
  return is_floating(dtype) && !std::isfinite(element_as_double(dtype, element));
}

std::string grouped(uint64_t n) {
  std::string text = std::to_string(n);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, " ");
  return text;
}

std::string bytes_text(uint64_t nbytes) {
  if (nbytes < 10000) return grouped(nbytes) + " B";
  const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(nbytes) / 1024;
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return printed(value < 100 ? "%.1f " : "%.0f ", value) + units[unit];
}

std::string shape_text(std::span<const int64_t> sizes) {
  if (sizes.empty()) return "scalar";
  std::string text;
  for (int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

std::string index_text(std::span<const int64_t> index) {
  std::string text = "[";
  for (size_t i = 0; i < index.size(); ++i) text += (i ? ", " : "") + std::to_string(index[i]);
  return text + "]";
}

std::string tuple_text(std::span<const int64_t> row) {
  std::string text = "(";
  for (size_t i = 0; i < row.size(); ++i) text += (i ? ", " : "") + std::to_string(row[i]);
  return text + (row.size() == 1 ? ",)" : ")");
}

std::string quick_rule_text(InternalOverlap verdict) {
  if (verdict == InternalOverlap::TooHard) return "PyTorch's quick rule cannot tell (TooHard)";
  return std::string("PyTorch's quick rule says ") + to_string(verdict);
}

size_t display_width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

std::vector<BitField> bit_fields(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::Half: return {{"sign", 15, 15}, {"exponent", 14, 10}, {"fraction", 9, 0}};
    case ScalarType::BFloat16: return {{"sign", 15, 15}, {"exponent", 14, 7}, {"fraction", 6, 0}};
    case ScalarType::Float: return {{"sign", 31, 31}, {"exponent", 30, 23}, {"fraction", 22, 0}};
    case ScalarType::Double: return {{"sign", 63, 63}, {"exponent", 62, 52}, {"fraction", 51, 0}};
    case ScalarType::Undefined: return {};
    default: break;
  }
  const int bits = static_cast<int>(element_size(dtype)) * 8;
  // Two's complement: the highest bit counts as its negative.
  if (is_signed(dtype)) return {{"sign", bits - 1, bits - 1}, {"value", bits - 2, 0}};
  return {{"value", bits - 1, 0}};
}

}  // namespace cutaway::inspector
