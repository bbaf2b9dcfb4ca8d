#include "core/error.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/array_ref.h"
#include "core/observer.h"
#include "core/warning.h"

using namespace cutaway;

namespace {

struct LastError : Observer {
  LastError() { set_observer(this); }
  ~LastError() override { set_observer(nullptr); }
  void error_raised(std::string_view kind, std::string_view message) override {
    text = std::string(kind) + ": " + std::string(message);
  }
  std::string text;
};

template <class F>
Error caught(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  FAIL("nothing was thrown");
  return Error(ErrorKind::Runtime, "", "", 0);
}

}  // namespace

TEST_CASE("each check throws its kind with its parts put together") {
  const IntArrayRef sizes{};
  const std::string name = "dim";
  CHECK_THROWS_WITH_AS(([] { CUTAWAY_CHECK(1 > 2, "op: expected ", 2, ", got ", 1.5, '!'); }()),
                       "op: expected 2, got 1.5!", Error);
  CHECK_THROWS_WITH_AS(([&] { CUTAWAY_CHECK_INDEX(false, name, " of ", sizes); }()), "dim of []", IndexError);
  CHECK_THROWS_AS(([] { CUTAWAY_CHECK_VALUE(false, "v"); }()), ValueError);
  CHECK_THROWS_AS(([] { CUTAWAY_CHECK_TYPE(false, "t"); }()), TypeError);
  CHECK_THROWS_AS(([] { CUTAWAY_CHECK_NOT_IMPLEMENTED(false, "n"); }()), NotImplementedError);
  CHECK_THROWS_WITH_AS(([] { CUTAWAY_INTERNAL_ASSERT(2 < 1, "so ", "it is"); }()),
                       doctest::Contains(": 2 < 1 so it is"), Error);
  CHECK_THROWS_AS(([] { CUTAWAY_INTERNAL_ASSERT(2 < 1); }()), Error);
}

TEST_CASE("an error keeps its kind, its message and the line that threw it") {
  const int line = __LINE__ + 1;
  const Error e = caught([] { CUTAWAY_CHECK_INDEX(false, "out of range"); });
  CHECK(e.kind() == ErrorKind::Index);
  CHECK(std::string(to_string(e.kind())) == "IndexError");
  CHECK(e.message() == "out of range");
  CHECK(std::string(e.what()) == e.message());
  CHECK(e.line() == line);
  CHECK(std::string_view(e.file()).ends_with("error_test.cpp"));
}

TEST_CASE("the parts of a message are evaluated only when the check fails") {
  int evaluated = 0;
  const auto part = [&] { return ++evaluated; };
  CUTAWAY_CHECK(true, part());
  CHECK(evaluated == 0);
  CHECK_THROWS_WITH_AS(([&] { CUTAWAY_CHECK(false, part()); }()), "1", Error);
}

TEST_CASE("the observer hears of an error when it is thrown") {
  LastError last;
  CHECK_THROWS_AS(([] { CUTAWAY_CHECK_VALUE(false, "no ", "good"); }()), ValueError);
  CHECK(last.text == "ValueError: no good");
}

TEST_CASE("a warning goes to the handler, and the one before can be put back") {
  static std::string heard;
  const WarningHandler before = set_warning_handler([](const std::string& message) { heard = message; });
  warn("mind the gap");
  CHECK(heard == "mind the gap");
  const WarningHandler ours = set_warning_handler(before);
  CHECK((ours != before));
}
