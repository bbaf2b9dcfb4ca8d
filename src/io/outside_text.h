// Text that came from a file, made fit to be shown: in an error, in a reason, as a name in a list.
//
// Invariants: what these return is well-formed UTF-8 without control characters, whatever went in, and
// bounded in length where the name says so. Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::io {

// Returns: whether `text` is well-formed UTF-8 (no overlong forms, no surrogates).
bool is_utf8(std::string_view text);

// Appends one code point as UTF-8. Requires: a scalar value (below 0x110000, no surrogate).
void append_utf8(std::string& to, uint32_t code_point);

// Returns: `text` as it may be shown: control characters, and bytes that are not UTF-8, as \xNN.
std::string shown(std::string_view text);

// Returns: shown(text), cut at kMaxQuotedChars with "..." and in single quotes.
std::string in_quotes(std::string_view text);

// Returns: the part of `text` around byte `offset` in one line, and a line with a caret under that byte, each
// after a line break and indented by two.
std::string caret_excerpt(std::string_view text, size_t offset);

// Returns: bytes as "89 50 4e 47 ("\x89PNG")".
std::string hex_excerpt(std::string_view bytes);

}  // namespace cutaway::io
