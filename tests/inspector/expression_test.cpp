#include <doctest/doctest.h>

#include <random>
#include <string>

#include "core/error.h"
#include "inspector/model/view_expression.h"

using namespace cutaway;
using namespace cutaway::inspector;

namespace {

const std::vector<std::string> kNames{"x", "fc1.weight", "fc1", "images"};

Evaluation evaluated(const std::string& text, IntArrayRef sizes) {
  const Geometry g = contiguous_geometry(sizes);
  return evaluate(parse_view_expression(text, kNames), g, {ScalarType::Float, static_cast<uint64_t>(g.numel()) * 4});
}

}  // namespace

TEST_CASE("an expression is a name and a chain of steps; the longest known name wins") {
  const ViewExpression e = parse_view_expression("fc1.weight[0, ::2].unsqueeze(dim=0).T", kNames);
  CHECK(e.name == "fc1.weight");
  CHECK(e.steps.size() == 3);
  CHECK(parse_view_expression("  x ", kNames).steps.empty());
  const Evaluation result = evaluated("x[1:3, None, ..., -1].transpose(0, 1)", {4, 5, 6});
  CHECK(result.error_kind.empty());
  CHECK(IntArrayRef(result.steps.back().geometry.sizes) == IntArrayRef(std::vector<int64_t>{1, 2, 5}));
  CHECK(result.steps.back().geometry.offset == 35);
}

TEST_CASE("bad writing is pointed at") {
  const auto complaint = [](const std::string& text) {
    try {
      parse_view_expression(text, kNames);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("no error");
  };
  CHECK(complaint("x[1:4") == "expected ']' at column 6\n  x[1:4\n       ^");
  CHECK(complaint("x[1}").find("expected ']' at column 4") == 0);
  CHECK(complaint("nose").find("no tensor is called 'nose' here; there is x, fc1.weight") == 0);
  CHECK(complaint("x.flop(1)").find("'flop' is no view operation") == 0);
  CHECK(complaint("x.view(a)").find("expected an integer, a list or name=value at column 8") == 0);
  CHECK(complaint("x.select(0)").find("select() missing 1 required positional argument: 'index'") == 0);
  CHECK(complaint("x[99999999999999999999]").find("the number is too long") == 0);
  CHECK(complaint("x[[1, True]]").find("a list holds either integers or True and False") == 0);
}

TEST_CASE("random garbage is refused, never a crash") {
  constexpr unsigned kSeed = 11;
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  const std::string alphabet = "x[]().,:-0123456789 NoneTrueview=fc1_weight\t\"";
  for (int round = 0; round < 20000; ++round) {
    std::string text = "x";
    for (unsigned i = 0, n = random() % 24; i < n; ++i) text += alphabet[random() % alphabet.size()];
    try {
      evaluated(text, {4, 5, 6});
    } catch (const Error&) {
    }
  }
}

TEST_CASE("VIEW-4a what an operation refuses is a result, with the verdict; a split waits for its index") {
  const Evaluation refused = evaluated("x.transpose(0, 1).view(-1)", {3, 4});
  CHECK(refused.error_kind == "RuntimeError");
  REQUIRE(refused.verdict);
  CHECK(refused.verdict->outer == 0);
  CHECK(refused.failed_call == "view(-1)");
  CHECK(evaluated("x.split(2)[1]", {5}).steps.back().geometry.offset == 2);
  CHECK(evaluated("x.split(2)", {5}).error_kind == "TypeError");
  CHECK(evaluated("x[[0, 2]]", {5}).steps.back().copies);
}
