#include "io/python_literal.h"

#include <doctest/doctest.h>

#include "io/limits.h"
#include "io/outside_text.h"
#include "tests/io/temp_file.h"

namespace cutaway::io {

namespace {

// Returns: the problem, "@" and the offset; or "fine".
std::string problem_of(std::string_view text) {
  try {
    parse_python_literal(text);
  } catch (const LiteralError& error) {
    return error.problem + " @" + std::to_string(error.offset);
  }
  return "fine";
}

}  // namespace

TEST_CASE("the header that NumPy writes is parsed") {
  const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n";
  const Literal dict = parse_python_literal(text);
  REQUIRE(dict.kind == Literal::Kind::Dict);
  REQUIRE(dict.items.size() == 6);
  CHECK(dict.items[0].text == "descr");
  CHECK(dict.items[1].text == "<f4");
  CHECK(dict.items[3].kind == Literal::Kind::Bool);
  CHECK(!dict.items[3].boolean);
  CHECK(dict.items[5].kind == Literal::Kind::Tuple);
  CHECK(dict.items[5].items[1].integer == 4);
  CHECK(text.substr(dict.items[5].begin, dict.items[5].end - dict.items[5].begin) == "(3, 4)");
}

TEST_CASE("tuples, brackets and integers mean what they mean in Python") {
  CHECK(parse_python_literal("()").kind == Literal::Kind::Tuple);
  CHECK(parse_python_literal("(3)").kind == Literal::Kind::Int);
  CHECK(parse_python_literal("(3,)").kind == Literal::Kind::Tuple);
  CHECK(parse_python_literal("[1, 2]").kind == Literal::Kind::List);
  CHECK(parse_python_literal("-7").integer == -7);
  CHECK(parse_python_literal("12L").integer == 12);  // Python 2
  CHECK(parse_python_literal("9223372036854775807").integer == INT64_MAX);
  CHECK(!parse_python_literal("9223372036854775808").integer);
  CHECK(!parse_python_literal("99999999999999999999999999").integer);
  CHECK(parse_python_literal("None").kind == Literal::Kind::None);
  CHECK(parse_python_literal("True").boolean);
}

TEST_CASE("escapes in strings are resolved") {
  CHECK(parse_python_literal(R"('a\'b\\\n')").text == "a'b\\\n");
  CHECK(parse_python_literal(R"("\x41\u00e9\U0001F600")").text == "A\u00e9\U0001F600");
  CHECK(problem_of(R"('\ud800')") == "this escape is not a Unicode character @1");
  CHECK(problem_of(R"('\xg0')") == "expected 2 hexadecimal digits in an escape, got 'g' @3");
  CHECK(problem_of(R"('\q')") == "unknown escape in a string @1");
}

TEST_CASE("what is not a literal is refused, with the place") {
  CHECK(problem_of("") ==
        "expected a dict, list, tuple, string, integer, True, False or None, got the end of the header @0");
  CHECK(problem_of("{'a' 1}") == "expected ':' after a key, got '1' @5");
  CHECK(problem_of("{'a': 1 'b': 2}") == "expected ',' or '}' after a value, got ''' @8");
  CHECK(problem_of("(1 2)") == "expected ',' or ')' after a value, got '2' @3");
  CHECK(problem_of("[1") == "expected ',' or ']' after a value, got the end of the header @2");
  CHECK(problem_of("'abc") == "this string has no closing quote @0");
  CHECK(problem_of("1.5") == "expected an integer, got '.' @1");
  CHECK(problem_of("007") == "an integer may not begin with 0 @0");
  CHECK(problem_of("{} x") == "expected the end of the header after the closing bracket, got 'x' @3");
  CHECK(problem_of(std::string("{\0}", 3)) ==
        "expected a dict, list, tuple, string, integer, True, False or None, got '\\x00' @1");
}

TEST_CASE("nothing that could run is understood") {
  for (const char* text :
       {"__import__('os').system('id')", "os", "open('x')", "lambda: 0", "1+1", "[x for x in y]", "f'{1}'",
        "b'x'", "{**{}}", "{1, 2}", "...", "0x10", "1_000", "1e3"}) {
    CAPTURE(text);
    CHECK(problem_of(text) != "fine");
  }
}

TEST_CASE("nesting and count are bounded") {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '(') + "1" + [&] {
      std::string closing;
      for (int i = 0; i < depth; ++i) closing += ",)";
      return closing;
    }();
  };
  CHECK(problem_of(nested(kMaxLiteralNesting)) == "fine");
  CHECK(contains(problem_of(nested(kMaxLiteralNesting + 1)), "nested deeper than 32"));
  CHECK(contains(problem_of(std::string(1'000'000, '[')), "nested deeper than"));
  std::string many = "[";
  for (size_t i = 0; i < kMaxLiteralItems; ++i) many += "1,";
  CHECK(contains(problem_of(many + "]"), "more than 20000 values"));
}

TEST_CASE(
    "a caret stands under the byte it is about, also after text that is shown longer or shorter than it is") {
  CHECK(caret_excerpt("{'descr' x}", 9) == "\n  {'descr' x}\n           ^");
  CHECK(caret_excerpt("\u00e9\x01y", 3) == "\n  \u00e9\\x01y\n       ^");
  const std::string excerpt = caret_excerpt(std::string(200, 'a') + "!" + std::string(200, 'b'), 200);
  const size_t second = excerpt.rfind('\n');
  CHECK(excerpt[excerpt.find('!')] == '!');
  CHECK(excerpt.find('!') - 1 == excerpt.size() - 1 - second - 1);
}

TEST_CASE("outside text is made fit to be shown") {
  CHECK(shown("weight.0") == "weight.0");
  CHECK(shown("\u00e9\u4e2d\U0001F600") == "\u00e9\u4e2d\U0001F600");
  CHECK(shown("a\nb\x7f") == "a\\x0ab\\x7f");
  CHECK(shown("\xff\xfe") == "\\xff\\xfe");
  CHECK(shown("\xc0\x80") == "\\xc0\\x80");           // overlong
  CHECK(shown("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // surrogate
  CHECK(shown("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(shown("ok\u202egnp.exe") == "ok\\xe2\\x80\\xaegnp.exe");  // turns the direction of the text around
  CHECK(shown("\u0085") == "\\xc2\\x85");
  CHECK(in_quotes(std::string(300, 'a')) == "'" + std::string(kMaxQuotedChars, 'a') + "...'");
  CHECK(is_utf8("\u00e9"));
  CHECK(!is_utf8("\xe9"));
}

}  // namespace cutaway::io
