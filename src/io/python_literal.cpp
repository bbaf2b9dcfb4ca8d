#include "io/python_literal.h"

#include "io/limits.h"
#include "io/outside_text.h"

namespace cutaway::io {

namespace {

// Recursive descent, one function for each kind of literal. Every function starts at the first character of
// what it parses and leaves `at_` behind its last.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Literal parse_all() {
    skip_space();
    Literal result = parse_value(0);
    skip_space();
    if (at_ < text_.size()) fail("expected the end of the header after the closing bracket");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& problem, bool with_found = true) const {
    fail_at_offset(at_, with_found ? problem + ", got " + found() : problem);
  }

  [[noreturn]] static void fail_at_offset(size_t offset, std::string problem) {
    throw LiteralError{offset, std::move(problem)};
  }

  std::string found() const {
    if (at_ >= text_.size()) return "the end of the header";
    return in_quotes(text_.substr(at_, 1));
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
  }

  Literal parse_value(int depth) {
    if (depth > kMaxLiteralNesting) {
      fail("lists and tuples are nested deeper than " + std::to_string(kMaxLiteralNesting), false);
    }
    if (++count_ > kMaxLiteralItems) {
      fail("the header holds more than " + std::to_string(kMaxLiteralItems) + " values", false);
    }
    Literal value;
    value.begin = at_;
    const char c = peek();
    if (c == '{') {
      parse_dict(value, depth);
    } else if (c == '[') {
      parse_sequence(value, ']', depth);
      value.kind = Literal::Kind::List;
    } else if (c == '(') {
      parse_parenthesis(value, depth);
    } else if (c == '\'' || c == '"') {
      parse_string(value);
    } else if (c == '-' || c == '+' || (c >= '0' && c <= '9')) {
      parse_integer(value);
    } else if (!parse_word(value)) {
      fail("expected a dict, list, tuple, string, integer, True, False or None");
    }
    value.end = at_;
    return value;
  }

  void parse_dict(Literal& value, int depth) {
    value.kind = Literal::Kind::Dict;
    ++at_;
    for (skip_space(); peek() != '}'; skip_space()) {
      value.items.push_back(parse_value(depth + 1));
      skip_space();
      if (peek() != ':') fail("expected ':' after a key");
      ++at_;
      skip_space();
      value.items.push_back(parse_value(depth + 1));
      skip_space();
      if (peek() == '}') break;
      if (peek() != ',') fail("expected ',' or '}' after a value");
      ++at_;
    }
    ++at_;
  }

  // Returns: whether the sequence had a comma, which is what makes a tuple of one.
  bool parse_sequence(Literal& value, char close, int depth) {
    bool comma = false;
    ++at_;
    for (skip_space(); peek() != close; skip_space()) {
      value.items.push_back(parse_value(depth + 1));
      skip_space();
      if (peek() == close) break;
      if (peek() != ',') fail(std::string("expected ',' or '") + close + "' after a value");
      comma = true;
      ++at_;
    }
    ++at_;
    return comma;
  }

  void parse_parenthesis(Literal& value, int depth) {
    const bool comma = parse_sequence(value, ')', depth);
    if (comma || value.items.empty()) {
      value.kind = Literal::Kind::Tuple;
      return;
    }
    Literal inner = std::move(value.items[0]);  // (3) is 3
    value = std::move(inner);
  }

  void parse_string(Literal& value) {
    value.kind = Literal::Kind::String;
    const char quote = peek();
    ++at_;
    while (peek() != quote) {
      if (at_ >= text_.size() || peek() == '\n')
        fail_at_offset(value.begin, "this string has no closing quote");
      if (peek() == '\\') {
        parse_escape(value.text);
      } else {
        value.text += text_[at_++];
      }
    }
    ++at_;
  }

  void parse_escape(std::string& to) {
    const size_t begin = at_++;
    const char c = peek();
    ++at_;
    switch (c) {
      case '\\':
      case '\'':
      case '"': to += c; return;
      case 'n': to += '\n'; return;
      case 't': to += '\t'; return;
      case 'r': to += '\r'; return;
      case 'x': append_utf8(to, parse_hex(begin, 2)); return;
      case 'u': append_utf8(to, parse_hex(begin, 4)); return;
      case 'U': append_utf8(to, parse_hex(begin, 8)); return;
      default: fail_at_offset(begin, "unknown escape in a string");
    }
  }

  uint32_t parse_hex(size_t begin, int digits) {
    uint32_t code = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) fail("expected " + std::to_string(digits) + " hexadecimal digits in an escape");
      code = code << 4 | static_cast<uint32_t>(digit);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
      fail_at_offset(begin, "this escape is not a Unicode character");
    }
    return code;
  }

  void parse_integer(Literal& value) {
    value.kind = Literal::Kind::Int;
    const bool negative = peek() == '-';
    if (negative || peek() == '+') ++at_;
    const size_t first = at_;
    int64_t magnitude = 0;
    bool fits = true;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      fits = fits && !__builtin_mul_overflow(magnitude, 10, &magnitude) &&
             !__builtin_add_overflow(magnitude, peek() - '0', &magnitude);
    }
    if (at_ == first) fail("expected a digit");
    if (text_[first] == '0' && at_ - first > 1) fail_at_offset(first, "an integer may not begin with 0");
    if (fits) value.integer = negative ? -magnitude : magnitude;
    if (peek() == 'L') ++at_;  // NumPy under Python 2 wrote long integers so
    if (peek() == '.' || peek() == 'e' || peek() == '_') fail("expected an integer");
  }

  bool parse_word(Literal& value) {
    const std::string_view rest = text_.substr(at_);
    const auto take = [&](std::string_view word) {
      if (rest.substr(0, word.size()) != word) return false;
      at_ += word.size();
      return true;
    };
    if (take("True") || take("False")) {
      value.kind = Literal::Kind::Bool;
      value.boolean = rest[0] == 'T';
      return true;
    }
    return take("None");
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t count_ = 0;
};

}  // namespace

Literal parse_python_literal(std::string_view text) { return Parser(text).parse_all(); }

const char* literal_kind_name(Literal::Kind kind) {
  switch (kind) {
    case Literal::Kind::None: return "None";
    case Literal::Kind::Bool: return "a bool";
    case Literal::Kind::Int: return "an integer";
    case Literal::Kind::String: return "a string";
    case Literal::Kind::Tuple: return "a tuple";
    case Literal::Kind::List: return "a list";
    case Literal::Kind::Dict: return "a dict";
  }
  return "?";
}

}  // namespace cutaway::io
