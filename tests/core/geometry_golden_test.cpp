// Replays chains of view operations recorded from PyTorch: same sizes, strides and offset, or the same error.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "core/geometry/view_op_table.h"

using namespace cutaway;

namespace {

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> row;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');)
    if (!word.empty()) row.push_back(std::stoll(word));
  return row;
}

// "2" is an integer, "[2,3]" a list, "None" none.
ViewArg argument(const std::string& text) {
  if (text == "None") return ViewArgNone{};
  if (text.front() == '[') return numbers(text.substr(1, text.size() - 2));
  return std::stoll(text);
}

struct Step {
  const ViewOp* op;
  std::vector<ViewArg> args;
  int64_t pick = -1;  // of several results
};

Step parse_step(const std::string& text) {
  std::istringstream words(text);
  std::string name, word;
  words >> name;
  Step step{find_view_op(name), {}, -1};
  REQUIRE_MESSAGE(step.op, name);
  std::vector<ViewArg> given;
  while (words >> word) {
    if (word[0] == '#')
      step.pick = std::stoll(word.substr(1));
    else
      given.push_back(argument(word));
  }
  step.args = bind_view_args(*step.op, given, {});
  return step;
}

std::string outcome_of(const std::string& sizes, const std::string& steps) {
  Geometry g = contiguous_geometry(numbers(sizes));
  const ViewContext context{ScalarType::Float, static_cast<uint64_t>(g.numel()) * 4};
  std::istringstream in(steps);
  try {
    for (std::string text; std::getline(in, text, ';');) {
      const Step step = parse_step(text);
      const ViewOutcome outcome = step.op->apply(g, step.args, context);
      if (outcome.copies) return "copy";
      g = outcome.results.at(step.pick < 0 ? 0 : static_cast<size_t>(step.pick));
    }
  } catch (const Error& error) {
    return std::string(to_string(error.kind())) + " " + error.message();
  }
  std::ostringstream out;
  out << IntArrayRef(g.sizes) << ' ' << IntArrayRef(g.strides) << ' ' << g.offset;
  return out.str();
}

}  // namespace

TEST_CASE("VIEW-8 thousands of random chains of view operations equal PyTorch's") {
  std::ifstream golden(std::string(CUTAWAY_GOLDEN_DIR) + "/views.txt");
  REQUIRE(golden.good());
  int checked = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t first = line.find('|'), second = line.find('|', first + 1);
    const std::string sizes = line.substr(0, first), steps = line.substr(first + 1, second - first - 1);
    CHECK_MESSAGE(outcome_of(sizes, steps) == line.substr(second + 1), line);
    ++checked;
  }
  CHECK(checked >= 2000);
}
