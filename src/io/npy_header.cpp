#include "io/npy_header.h"

#include <algorithm>

#include "core/error.h"
#include "io/limits.h"
#include "io/npy_dtype.h"
#include "io/outside_text.h"

namespace cutaway::io {

namespace {

constexpr uint64_t kAlignment = 64;  // NumPy's, so that a mapped array suits every vector instruction

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// The three keys of the dict, found once each.
struct HeaderKeys {
  const Literal* descr = nullptr;
  const Literal* fortran_order = nullptr;
  const Literal* shape = nullptr;
};

HeaderKeys find_keys(const Literal& dict) {
  if (dict.kind != Literal::Kind::Dict) {
    throw LiteralError{dict.begin, std::string("expected a dict, got ") + literal_kind_name(dict.kind)};
  }
  HeaderKeys keys;
  for (size_t i = 0; i < dict.items.size(); i += 2) {
    const Literal& key = dict.items[i];
    const Literal** slot = key.kind != Literal::Kind::String ? nullptr
                           : key.text == "descr"             ? &keys.descr
                           : key.text == "fortran_order"     ? &keys.fortran_order
                           : key.text == "shape"             ? &keys.shape
                                                             : nullptr;
    if (!slot) throw LiteralError{key.begin, "expected the keys 'descr', 'fortran_order' and 'shape' only"};
    if (*slot) throw LiteralError{key.begin, "the key " + in_quotes(key.text) + " is there twice"};
    *slot = &dict.items[i + 1];
  }
  const char* missing = !keys.descr           ? "descr"
                        : !keys.fortran_order ? "fortran_order"
                        : !keys.shape         ? "shape"
                                              : nullptr;
  if (missing) throw LiteralError{dict.end - 1, std::string("the key '") + missing + "' is missing"};
  return keys;
}

std::vector<int64_t> read_shape(const Literal& shape) {
  if (shape.kind != Literal::Kind::Tuple) {
    throw LiteralError{shape.begin,
                       std::string("'shape' must be a tuple, got ") + literal_kind_name(shape.kind)};
  }
  if (shape.items.size() > kMaxRank) {
    throw LiteralError{shape.begin, "'shape' has " + std::to_string(shape.items.size()) +
                                        " dimensions; at most " + std::to_string(kMaxRank) + " are read"};
  }
  std::vector<int64_t> sizes;
  for (const Literal& size : shape.items) {
    if (size.kind != Literal::Kind::Int) {
      throw LiteralError{size.begin,
                         std::string("a size must be an integer, got ") + literal_kind_name(size.kind)};
    }
    if (!size.integer) throw LiteralError{size.begin, "this size does not fit into 63 bits"};
    if (*size.integer < 0) throw LiteralError{size.begin, "a size may not be negative"};
    sizes.push_back(*size.integer);
  }
  return sizes;
}

void read_dict(std::string_view text, NpyHeader& header) {
  const Literal dict = parse_python_literal(text);
  const HeaderKeys keys = find_keys(dict);
  if (keys.fortran_order->kind != Literal::Kind::Bool) {
    throw LiteralError{keys.fortran_order->begin, std::string("'fortran_order' must be True or False, got ") +
                                                      literal_kind_name(keys.fortran_order->kind)};
  }
  header.order = keys.fortran_order->boolean ? MemoryOrder::Fortran : MemoryOrder::C;
  header.sizes = read_shape(*keys.shape);
  header.descr = *keys.descr;
  if (header.descr.kind == Literal::Kind::String) {
    header.descr_text = shown(header.descr.text);
  } else {
    header.descr_text = shown(text.substr(header.descr.begin, header.descr.end - header.descr.begin));
  }
}

}  // namespace

NpyHeader read_npy_header(const ByteReader& read, uint64_t available) {
  if (available < 10) {
    throw NpyHeaderError{available, "the file ends inside the first 10 bytes of an .npy header"};
  }
  const std::string start = read(0, std::min<uint64_t>(available, 12));
  const std::string_view magic = std::string_view(start).substr(0, 6);
  if (magic != kNpyMagic) {
    throw NpyHeaderError{
        0, "expected the magic bytes " + hex_excerpt(kNpyMagic) + ", got " + hex_excerpt(magic)};
  }
  NpyHeader header;
  header.major = static_cast<unsigned char>(start[6]);
  header.minor = static_cast<unsigned char>(start[7]);
  if (header.major < 1 || header.major > 3 || header.minor != 0) {
    throw NpyHeaderError{6, "the format version is " + std::to_string(header.major) + "." +
                                std::to_string(header.minor) + "; 1.0, 2.0 and 3.0 are known"};
  }
  const uint64_t text_begin = header.major == 1 ? 10 : 12;
  if (start.size() < text_begin) throw NpyHeaderError{8, "the file ends inside the length of the header"};
  const uint64_t length = little_endian(std::string_view(start).substr(8, text_begin - 8));
  if (length > available - text_begin) {
    throw NpyHeaderError{8, "the header claims " + std::to_string(length) + " bytes and only " +
                                std::to_string(available - text_begin) + " follow"};
  }
  if (length > kMaxNpyHeaderBytes) {
    throw NpyHeaderError{8, "the header claims " + std::to_string(length) + " bytes; at most " +
                                std::to_string(kMaxNpyHeaderBytes) + " are read"};
  }
  header.data_begin = text_begin + length;
  const std::string text = read(text_begin, length);
  if (header.major == 3 && !is_utf8(text)) {
    throw NpyHeaderError{text_begin, "the header of a version 3.0 file must be UTF-8 and is not"};
  }
  try {
    read_dict(text, header);
  } catch (const LiteralError& error) {
    throw NpyHeaderError{text_begin + error.offset, error.problem, caret_excerpt(text, error.offset)};
  }
  return header;
}

void describe_array(const NpyHeader& header, uint64_t available, TensorEntry& entry) {
  NpyDtype dtype = npy_dtype(header.descr);
  entry.dtype_text = header.descr_text;
  entry.dtype = dtype.dtype;
  entry.sizes = header.sizes;
  entry.itemsize = dtype.itemsize;
  entry.swap_unit = dtype.swap_unit;
  entry.byte_order = dtype.byte_order;
  entry.reason = std::move(dtype.reason);
  if (const std::string problem = lay_out(entry, header.order); !problem.empty()) {
    entry.reason = problem;
    return;
  }
  const uint64_t present = available - header.data_begin;
  if (entry.itemsize == 0) {  // an object array: all that follows is its pickle
    entry.storage_nbytes = present;
    return;
  }
  if (entry.storage_nbytes > present) {
    entry.reason = "it is cut off: shape " + shape_text(entry.sizes) + " of " + entry.dtype_text + " needs " +
                   std::to_string(entry.storage_nbytes) + " bytes and only " + std::to_string(present) +
                   " are there";
    return;
  }
  entry.has_bytes = true;
}

std::string make_npy_header(ScalarType type, const std::vector<int64_t>& sizes, MemoryOrder order) {
  const std::string_view descr = npy_descr(type);
  CUTAWAY_CHECK_VALUE(!descr.empty(), "write_npy: .npy has no dtype for ", dtype_name(type),
                      "; write .safetensors, or convert to float32 first");
  std::string text = "{'descr': '" + std::string(descr) +
                     "', 'fortran_order': " + (order == MemoryOrder::Fortran ? "True" : "False") +
                     ", 'shape': " + shape_text(sizes) + ", }";
  const auto padded = [&](uint64_t text_begin) {
    const uint64_t end = text_begin + text.size() + 1;
    return text.size() + 1 + (kAlignment - end % kAlignment) % kAlignment;
  };
  const bool small = padded(10) <= UINT16_MAX;
  const uint64_t length = padded(small ? 10 : 12);
  text.resize(length - 1, ' ');
  text += '\n';
  std::string header(kNpyMagic);
  header += small ? '\1' : '\2';
  header += '\0';
  for (int i = 0; i < (small ? 2 : 4); ++i) header += static_cast<char>(length >> (8 * i) & 0xFF);
  return header + text;
}

}  // namespace cutaway::io
