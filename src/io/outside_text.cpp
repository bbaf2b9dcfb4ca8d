#include "io/outside_text.h"

#include <algorithm>

#include "io/limits.h"

namespace cutaway::io {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

// Returns: the length of the well-formed UTF-8 sequence at the start of `text`, or 0 when there is none.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  if (text.empty()) return 0;
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;  // a continuation byte, an overlong form, or beyond U+10FFFF
  if (!continues(1)) return 0;
  if (first < 0xE0) return 2;
  const unsigned char second = byte(1);
  if (!continues(2)) return 0;
  if (first == 0xE0 && second < 0xA0) return 0;  // overlong
  if (first == 0xED && second > 0x9F) return 0;  // surrogate
  if (first < 0xF0) return 3;
  if (!continues(3)) return 0;
  if (first == 0xF0 && second < 0x90) return 0;  // overlong
  if (first == 0xF4 && second > 0x8F) return 0;  // beyond U+10FFFF
  return 4;
}

// C0 and C1 control characters, and the marks that turn the direction of text around: a name must not be able
// to make the rest of a line read backwards.
bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (first < 0x20 || first == 0x7F) return true;
  if (sequence.size() == 2 && first == 0xC2) return static_cast<unsigned char>(sequence[1]) < 0xA0;
  return sequence == "\u200e" || sequence == "\u200f" || (sequence >= "\u2028" && sequence <= "\u202e") ||
         (sequence >= "\u2066" && sequence <= "\u2069");
}

void append_escaped(std::string& to, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    to += "\\x";
    to += kHexDigits[byte >> 4];
    to += kHexDigits[byte & 15];
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_utf8(std::string& to, uint32_t code_point) {
  const auto put = [&](uint32_t byte) { to += static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

std::string shown(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, std::max<size_t>(length, 1));
    if (length == 0 || is_control(sequence)) {
      append_escaped(result, sequence);
    } else {
      result += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kMaxQuotedChars) return "'" + shown(text) + "'";
  size_t cut = kMaxQuotedChars;
  while (cut > kMaxQuotedChars - 4 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return "'" + shown(text.substr(0, cut)) + "...'";
}

std::string caret_excerpt(std::string_view text, size_t offset) {
  constexpr size_t kBefore = 50;
  constexpr size_t kAfter = 30;
  offset = std::min(offset, text.size());
  const size_t begin = offset > kBefore ? offset - kBefore : 0;
  const size_t end = std::min(text.size(), offset + kAfter);
  std::string line = begin > 0 ? "..." : "";
  line += shown(text.substr(begin, offset - begin));
  size_t column = 0;
  for (const char c : line) column += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  line += shown(text.substr(offset, end - offset));
  if (end < text.size()) line += "...";
  return "\n  " + line + "\n  " + std::string(column, ' ') + "^";
}

std::string hex_excerpt(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!hex.empty()) hex += ' ';
    hex += kHexDigits[byte >> 4];
    hex += kHexDigits[byte & 15];
  }
  return hex + " (\"" + shown(bytes) + "\")";
}

}  // namespace cutaway::io
