#include "io/npy_dtype.h"

#include <iterator>

#include "io/outside_text.h"

namespace cutaway::io {

namespace {

struct KnownDtype {
  char kind;
  uint64_t itemsize;
  ScalarType type;
  std::string_view descr;
};

constexpr KnownDtype kKnown[] = {
    {'b', 1, ScalarType::Bool, "|b1"},   {'u', 1, ScalarType::Byte, "|u1"},
    {'i', 1, ScalarType::Char, "|i1"},   {'i', 2, ScalarType::Short, "<i2"},
    {'i', 4, ScalarType::Int, "<i4"},    {'i', 8, ScalarType::Long, "<i8"},
    {'f', 2, ScalarType::Half, "<f2"},   {'f', 4, ScalarType::Float, "<f4"},
    {'f', 8, ScalarType::Double, "<f8"},
};

// A dtype string taken apart: "<M8[ns]" is order '<', kind 'M', count 8.
struct DescrParts {
  char order = '=';
  char kind = '\0';
  uint64_t count = 0;
  bool understood = false;
};

DescrParts take_apart(std::string_view text) {
  DescrParts parts;
  if (!text.empty() && (text[0] == '<' || text[0] == '>' || text[0] == '|' || text[0] == '=')) {
    parts.order = text[0];
    text.remove_prefix(1);
  }
  if (text.empty()) return parts;
  parts.kind = text[0];
  text.remove_prefix(1);
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    parts.count = parts.count * 10 + static_cast<uint64_t>(text[digits] - '0');
    if (parts.count > INT32_MAX) return parts;  // NumPy counts an item's bytes in 31 bits
  }
  text.remove_prefix(digits);
  const bool unit =
      (parts.kind == 'M' || parts.kind == 'm') && !text.empty() && text.front() == '[' && text.back() == ']';
  parts.understood = (digits > 0 || parts.kind == 'O') && (text.empty() || unit);
  return parts;
}

// The kinds of NumPy that have no counterpart here.
void describe_foreign(const DescrParts& parts, NpyDtype& result) {
  const std::string bits = std::to_string(parts.count * 8);
  result.itemsize = result.swap_unit = parts.count;
  switch (parts.kind) {
    case 'u': result.reason = "uint" + bits + ": the only unsigned integer here is uint8"; return;
    case 'f':
      result.reason =
          "float" + bits + ": the floating-point types here are float16, bfloat16, float32 and float64";
      return;
    case 'c':
      result.swap_unit = parts.count / 2;
      result.reason = "complex" + bits + ": there are no complex numbers here";
      return;
    case 'O':
      result.itemsize = result.swap_unit = 0;
      result.reason =
          "Python objects: they are stored as a pickle, which can run code and is never opened here";
      return;
    case 'U':
      result.itemsize = parts.count * 4;
      result.swap_unit = 4;
      result.reason = "text of " + std::to_string(parts.count) + " characters: only numbers make a tensor";
      return;
    case 'S':
    case 'a':
      result.swap_unit = 0;
      result.reason = "strings of " + std::to_string(parts.count) + " bytes: only numbers make a tensor";
      return;
    case 'V':
      result.swap_unit = 0;
      result.reason = "raw items of " + std::to_string(parts.count) +
                      " bytes: NumPy writes bfloat16 and float8 so, and the file does not say which";
      return;
    case 'M': result.reason = "dates: only numbers make a tensor"; return;
    case 'm': result.reason = "time differences: only numbers make a tensor"; return;
    default: result.itemsize = result.swap_unit = 0;
  }
}

NpyDtype from_text(const std::string& text) {
  NpyDtype result;
  const DescrParts parts = take_apart(text);
  if (parts.understood) {
    for (const KnownDtype& known : kKnown) {
      if (known.kind != parts.kind || known.itemsize != parts.count) continue;
      result.dtype = known.type;
      result.itemsize = result.swap_unit = known.itemsize;
    }
    if (!result.dtype) describe_foreign(parts, result);
  }
  if (!result.dtype && result.reason.empty()) {
    result.reason = "the dtype " + in_quotes(text) + " is not one that NumPy writes";
  }
  if (result.swap_unit > 1) {
    result.byte_order = parts.order == '>' ? ByteOrder::Big : ByteOrder::Little;
  }
  return result;
}

uint64_t itemsize_of(const Literal& descr);

// Returns: elements of a sub-array's shape, a tuple or one integer; 0 when it is neither.
uint64_t subarray_count(const Literal& shape) {
  if (shape.kind == Literal::Kind::Int) return shape.integer && *shape.integer > 0 ? *shape.integer : 0;
  if (shape.kind != Literal::Kind::Tuple) return 0;
  uint64_t count = 1;
  for (const Literal& size : shape.items) {
    if (size.kind != Literal::Kind::Int || !size.integer || *size.integer <= 0) return 0;
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(*size.integer), &count)) return 0;
  }
  return count;
}

uint64_t product_or_zero(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > INT32_MAX ? 0 : product;
}

// Returns: bytes of one record, or 0 when a field's size cannot be told.
uint64_t record_size(const Literal& fields) {
  uint64_t total = 0;
  for (const Literal& field : fields.items) {
    const size_t parts = field.items.size();
    if (field.kind != Literal::Kind::Tuple || parts < 2 || parts > 3) return 0;
    uint64_t size = itemsize_of(field.items[1]);
    if (parts == 3) size = product_or_zero(size, subarray_count(field.items[2]));
    if (size == 0 || total + size > INT32_MAX) return 0;
    total += size;
  }
  return total;
}

uint64_t itemsize_of(const Literal& descr) {
  if (descr.kind == Literal::Kind::String) return from_text(descr.text).itemsize;
  if (descr.kind == Literal::Kind::List) return record_size(descr);
  if (descr.kind == Literal::Kind::Tuple && descr.items.size() == 2) {
    return product_or_zero(itemsize_of(descr.items[0]), subarray_count(descr.items[1]));
  }
  return 0;
}

}  // namespace

NpyDtype npy_dtype(const Literal& descr) {
  if (descr.kind == Literal::Kind::String) return from_text(descr.text);
  NpyDtype result;
  result.itemsize = itemsize_of(descr);
  if (descr.kind == Literal::Kind::List) {
    result.reason = "records of " + std::to_string(descr.items.size()) +
                    " fields (a structured dtype): save each field as an array of its own";
  } else {
    result.reason = std::string("the dtype is given as ") + literal_kind_name(descr.kind) +
                    ", which is not a single number";
  }
  return result;
}

std::string_view npy_descr(ScalarType type) {
  for (const KnownDtype& known : kKnown) {
    if (known.type == type) return known.descr;
  }
  return {};
}

}  // namespace cutaway::io
