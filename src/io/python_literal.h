// A strict parser for the Python literals that a .npy header is made of.
//
// NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }` and reads it back with Python's
// own parser. This one knows dicts, lists, tuples, strings, integers, True, False and None, and nothing else:
// no names, no calls, no arithmetic, so there is nothing in it that a stranger's file could make happen.
//
// Invariants: a Literal carries the range of text it came from, so that an error about its meaning can point
// at it. Nesting and the number of values are bounded by kMaxLiteralNesting and kMaxLiteralItems. Thread
// safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::io {

struct Literal {
  enum class Kind { None, Bool, Int, String, Tuple, List, Dict };

  Kind kind = Kind::None;
  size_t begin = 0;  // in the text
  size_t end = 0;
  bool boolean = false;
  std::optional<int64_t> integer;  // of Kind::Int; empty when it does not fit
  std::string text;                // of Kind::String, escapes resolved
  std::vector<Literal> items;      // of a tuple or list; of a dict: key, value, key, value, ...
};

// Why a text is not a literal, and where.
struct LiteralError {
  size_t offset = 0;
  std::string problem;  // "expected ':' after a key, got 'x'"
};

// Parses all of `text`, which may be followed by white space only.
// Throws: LiteralError (not an Error: the caller knows the file and turns it into a FileError).
Literal parse_python_literal(std::string_view text);

// Returns: "a tuple", "an integer", ... for messages.
const char* literal_kind_name(Literal::Kind kind);

}  // namespace cutaway::io
