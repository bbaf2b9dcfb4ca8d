#include "inspector/model/view_expression.h"

#include <doctest/doctest.h>

#include "tests/inspector/model/index_model.h"
#include "tests/inspector/model/small_document.h"
#include "tests/io/temp_file.h"

using namespace cutaway;
using namespace cutaway::inspector;
using cutaway::io::contains;
using cutaway::io::error_of;

namespace {

const std::vector<std::string> kNames{"x", "fc1.weight", "fc1", "images", "x.t", "été"};

Geometry result_of(const std::string& text, const std::vector<int64_t>& sizes = {4, 6}) {
  const Evaluation evaluation =
      evaluate(parse_view_expression(text, kNames), contiguous_geometry(sizes), {ScalarType::Float, {}});
  REQUIRE_MESSAGE(evaluation.error.empty(), text, ": ", evaluation.error);
  return evaluation.steps.empty() ? contiguous_geometry(sizes) : evaluation.steps.back().geometry;
}

std::string parse_error(const std::string& text) {
  return error_of([&] { parse_view_expression(text, kNames); });
}

std::string refusal(const std::string& text, const std::vector<int64_t>& sizes = {4, 6}) {
  const Evaluation evaluation =
      evaluate(parse_view_expression(text, kNames), contiguous_geometry(sizes), {ScalarType::Float, {}});
  return evaluation.error_kind + ": " + evaluation.error;
}

// The elements a geometry reads, in index order.
std::vector<int64_t> elements_of(const Geometry& g) {
  std::vector<int64_t> elements;
  for (int64_t linear = 0; linear < g.numel(); ++linear) {
    DimVector index(g.sizes.size());
    int64_t rest = linear;
    for (size_t i = g.sizes.size(); i-- > 0; rest /= g.sizes[i]) index[i] = rest % g.sizes[i];
    elements.push_back(g.element(index));
  }
  return elements;
}

}  // namespace

TEST_CASE("view expressions: every way of writing an index and an argument") {
  CHECK(result_of("x") == contiguous_geometry({4, 6}));
  CHECK(result_of("x[1]") == Geometry{{6}, {1}, 6});
  CHECK(result_of("x[-1, 2]") == Geometry{{}, {}, 20});
  CHECK(result_of("x[1:4, ::2]") == Geometry{{3, 3}, {6, 2}, 6});
  CHECK(result_of("x[:, None, 3:None:1]") == Geometry{{4, 1, 3}, {6, 6, 1}, 3});
  CHECK(result_of("x[None:2:None]") == Geometry{{2, 6}, {6, 1}, 0});
  CHECK(result_of("x[..., 1]") == Geometry{{4}, {6}, 1});
  CHECK(result_of("x[Ellipsis, -2:]") == Geometry{{4, 2}, {6, 1}, 4});
  CHECK(result_of(" x [ 1 : 4 , : : 2 , ] . transpose ( 0 , 1 , ) ") == Geometry{{3, 3}, {2, 6}, 6});
  CHECK(result_of("x.transpose(dim1=0, dim0=-1)") == Geometry{{6, 4}, {1, 6}, 0});
  CHECK(result_of("x.T") == Geometry{{6, 4}, {1, 6}, 0});
  CHECK(result_of("x.t().T") == contiguous_geometry({4, 6}));
  CHECK(result_of("x.view(2, 2, 6)") == result_of("x.view([2, 2, 6])"));
  CHECK(result_of("x.view((2, 2, 6))") == result_of("x.view(size=[2, 2, 6])"));
  CHECK(result_of("x.split(2)[1]") == Geometry{{2, 6}, {6, 1}, 12});
  CHECK(result_of("x.unbind(1)[-1][1:]") == Geometry{{3}, {6}, 11});
  CHECK(result_of("x.slice(1, None, 4, 2)") == Geometry{{4, 2}, {6, 2}, 0});
  CHECK(result_of("x.as_strided((2, 2), (0, 1), 3)") == Geometry{{2, 2}, {0, 1}, 3});
  CHECK(result_of("x.squeeze()") == contiguous_geometry({4, 6}));
}

TEST_CASE("view expressions: the longest known name wins, and a name before a parenthesis is an operation") {
  CHECK(parse_view_expression("fc1.weight[0].view(-1)", kNames).name == "fc1.weight");
  CHECK(parse_view_expression("fc1.view(-1)", kNames).name == "fc1");
  CHECK(parse_view_expression("x.t()", kNames).name == "x");
  CHECK(parse_view_expression("x.t", kNames).name == "x.t");
  CHECK(parse_view_expression("été[0]", kNames).name == "été");
  CHECK(contains(parse_error("fc1weight"), "no tensor is called 'fc1weight' here"));
}

TEST_CASE("view expressions: what cannot be read points at its place") {
  CHECK(parse_error("x[1:4") == "expected ']' at column 6\n  x[1:4\n       ^");
  CHECK(parse_error("x[]") == "expected an index at column 3\n  x[]\n    ^");
  CHECK(contains(parse_error("x[a]"), "expected an integer, a slice, None, ... or a list at column 3"));
  CHECK(contains(parse_error("x.flip(0)"), "'flip' is no view operation"));
  CHECK(contains(parse_error("x.transpose(0)"), "missing 1 required positional argument: 'dim1'"));
  CHECK(contains(parse_error("x.transpose(0, 1, 2)"), "takes 2 arguments"));
  CHECK(contains(parse_error("x.transpose(dim0=0, 1)"),
                 "a positional argument after one with a name at column 21"));
  CHECK(contains(parse_error("x.transpose(0, dim2=1)"), "unexpected keyword argument 'dim2'"));
  CHECK(contains(parse_error("x.view(a)"), "expected an integer, a list or name=value"));
  CHECK(contains(parse_error("x[[0, True]]"), "either integers or True and False"));
  CHECK(contains(parse_error("x[0]y"), "expected '.' or '[' or the end at column 5"));
  CHECK(contains(parse_error("x.view(99999999999999999999)"), "the number is too long"));
  CHECK(contains(parse_error(""), "expected the name of a tensor at column 1"));
  CHECK(contains(parse_error("été[0"), "at column 6\n  été[0\n       ^"));
  CHECK(contains(parse_error("x[1\n:4"), "  x[1 :4\n"));
  CHECK(contains(parse_error(std::string(5000, 'x')), "too long"));
}

TEST_CASE("view expressions: what an operation refuses stays the library's error") {
  CHECK(contains(refusal("x.t().view(24)"), "RuntimeError: view size is not compatible"));
  CHECK(contains(refusal("x[9]"), "IndexError: index 9 is out of bounds for dimension 0 with size 4"));
  CHECK(contains(refusal("x[::-1]"), "ValueError: step must be greater than zero"));
  CHECK(contains(refusal("x.transpose(0, 2)"),
                 "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"));
  CHECK(contains(refusal("x.split(2)"), "TypeError: this gives 2 tensors; choose one with [i]"));
  CHECK(contains(refusal("x.split(2).t()"), "TypeError: the step before gave 2 tensors"));
  CHECK(contains(refusal("x.split(2)[2]"), "IndexError: tuple index out of range"));
}

TEST_CASE("VIEW-4a M1 a refused view names the two dimensions and the step where it failed") {
  const Evaluation evaluation = evaluate(parse_view_expression("x[1:3].transpose(0, 1).view(-1)[0]", kNames),
                                         contiguous_geometry({4, 6}), {});
  CHECK(evaluation.steps.size() == 2);
  CHECK(evaluation.failed_call == "view(-1)");
  CHECK(evaluation.failed_text == "x[1:3].transpose(0, 1).view(-1)");
  REQUIRE(evaluation.verdict);
  CHECK(evaluation.verdict->outer == 0);
  CHECK(evaluation.verdict->inner == 1);
}

TEST_CASE("VIEW-9 a step says whether it is a view or a copy") {
  const auto copies = [](const std::string& text) {
    const Evaluation evaluation =
        evaluate(parse_view_expression(text, kNames), contiguous_geometry({4, 6}), {});
    REQUIRE(evaluation.error.empty());
    CHECK(evaluation.steps.back().copies == !evaluation.steps.back().why.empty());
    return evaluation.steps.back().copies;
  };
  for (const char* text :
       {"x[1]", "x[1:2]", "x[None]", "x[...]", "x.reshape(24)", "x.contiguous()", "x.detach()"})
    CHECK_FALSE(copies(text));
  for (const char* text :
       {"x[[0, 2]]", "x[[True, False, True, True]]", "x.t().reshape(24)", "x.t().contiguous()", "x.clone()"})
    CHECK(copies(text));
}

TEST_CASE("VIEW-1 VIEW-8 random chains read the elements that brute force names, in the same order") {
  constexpr uint64_t kSeed = 20260401;
  MESSAGE("seed ", kSeed);
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const RandomChain chain = random_chain(
        random, round % 2 ? std::vector<int64_t>{4, 3, 5} : std::vector<int64_t>{6, 7}, 6, false);
    CAPTURE(chain.expression);
    const Geometry g =
        result_of(chain.expression, round % 2 ? std::vector<int64_t>{4, 3, 5} : std::vector<int64_t>{6, 7});
    CHECK(IntArrayRef(g.sizes) == IntArrayRef(chain.model.sizes));
    CHECK(elements_of(g) == chain.model.elements);
  }
}
