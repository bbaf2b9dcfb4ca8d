#include "inspector/model/view_expression.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {
namespace {

constexpr size_t kMostSteps = 100;

// A recursive-descent parser over the text; every method leaves `at_` behind what it read.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& names) : text_(text), names_(names) {
    // Line breaks and tabs are spaces, so that an error stays on one line and its caret under the place.
    for (char& c : text_)
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }

  ViewExpression parse() {
    ViewExpression expression;
    expression.text = text_;
    skip_space();
    expression.name = name();
    while (skip_space(), at_ < text_.size()) {
      if (expression.steps.size() == kMostSteps) fail("more than 100 steps");
      ExpressionStep step;
      step.begin = at_;
      if (text_[at_] == '[')
        step.what = index_step();
      else if (text_[at_] == '.')
        step.what = call_step();
      else
        fail("expected '.' or '[' or the end");
      step.end = at_;
      expression.steps.push_back(std::move(step));
    }
    return expression;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
  [[noreturn]] void fail_at(size_t at, const std::string& what) const {
    const size_t column = display_width(text_.substr(0, at));
    CUTAWAY_CHECK_VALUE(false, what, " at column ", column + 1, "\n  ", text_, "\n  ",
                        std::string(column, ' '), "^");
    __builtin_unreachable();
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }
  static bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  // A name ends where a word does; one before a parenthesis is that of an operation: `x.t()` where a tensor is called x.t.
  bool ends_name(size_t at) const {
    if (at < text_.size() && word_char(text_[at])) return false;
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at >= text_.size() || text_[at] != '(';
  }

  std::string name() {
    const std::string* best = nullptr;
    for (const std::string& candidate : names_) {
      if (candidate.empty() || text_.compare(at_, candidate.size(), candidate) != 0) continue;
      if (ends_name(at_ + candidate.size()) && (!best || candidate.size() > best->size())) best = &candidate;
    }
    if (best) {
      at_ += best->size();
      return *best;
    }
    size_t end = at_;
    while (end < text_.size() && (word_char(text_[end]) || text_[end] == '.')) ++end;
    if (end == at_) fail("expected the name of a tensor");
    std::string known;
    for (size_t i = 0; i < names_.size() && i < 8; ++i) known += (i ? ", " : "") + names_[i];
    if (names_.size() > 8) known += ", ... (" + std::to_string(names_.size()) + " in all)";
    fail("no tensor is called '" + text_.substr(at_, end - at_) + "' here (" +
         (known.empty() ? "there is none" : "there is " + known) + "):");
  }

  std::string word() {
    skip_space();
    const size_t begin = at_;
    while (at_ < text_.size() && word_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::optional<int64_t> integer() {
    skip_space();
    const size_t begin = at_;
    size_t end = at_;
    if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
    const size_t digits = end;
    while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end]))) ++end;
    if (end == digits) return std::nullopt;
    if (end - digits > 18) fail("the number is too long");
    at_ = end;
    return std::stoll(text_.substr(begin, end - begin));
  }

  bool take_word(const char* wanted) {
    skip_space();
    const std::string w = wanted;
    if (text_.compare(at_, w.size(), w) != 0) return false;
    if (at_ + w.size() < text_.size() && word_char(text_[at_ + w.size()])) return false;
    at_ += w.size();
    return true;
  }

  IndexStep index_step() {
    expect('[');
    IndexStep step;
    if (take(']')) fail_at(at_ - 1, "expected an index");
    do {
      skip_space();
      if (at_ < text_.size() && text_[at_] == ']' && !step.items.empty()) break;  // a trailing comma
      step.items.push_back(index_item());
    } while (take(','));
    expect(']');
    return step;
  }

  IndexItem index_item() {
    skip_space();
    if (text_.compare(at_, 3, "...") == 0) {
      at_ += 3;
      return IndexEllipsis{};
    }
    if (take_word("Ellipsis")) return IndexEllipsis{};
    if (at_ < text_.size() && text_[at_] == '[') return list_item();
    const bool none = take_word("None");
    const std::optional<int64_t> first = none ? std::nullopt : integer();
    if (!take(':')) {
      if (none) return IndexNone{};
      if (!first) fail("expected an integer, a slice, None, ... or a list");
      return *first;
    }
    IndexSlice slice;
    slice.start = first;
    slice.end = slice_part();
    if (take(':')) slice.step = slice_part();
    return slice;
  }

  // Of x[1:None:2]: None is the same as nothing.
  std::optional<int64_t> slice_part() { return take_word("None") ? std::nullopt : integer(); }

  IndexItem list_item() {
    expect('[');
    IndexList list;
    IndexMask mask;
    if (take(']')) return list;
    do {
      skip_space();
      if (at_ < text_.size() && text_[at_] == ']') break;  // a trailing comma
      if (take_word("True")) {
        mask.mask.push_back(true);
      } else if (take_word("False")) {
        mask.mask.push_back(false);
      } else if (const auto position = integer()) {
        list.positions.push_back(*position);
      } else {
        fail("expected an integer, True or False");
      }
      if (!mask.mask.empty() && !list.positions.empty())
        fail("a list holds either integers or True and False");
    } while (take(','));
    expect(']');
    if (!mask.mask.empty()) return mask;
    return list;
  }

  CallStep call_step() {
    expect('.');
    const size_t begin = at_;
    const std::string name = word();
    const ViewOp* op = find_view_op(name);
    if (!op) {
      at_ = begin;
      fail(name.empty() ? "expected the name of a view operation"
                        : "'" + name + "' is no view operation; there are " + op_names());
    }
    CallStep step;
    step.op = op;
    if (name == "T" || name == "mT") return step;
    expect('(');
    std::vector<ViewArg> positional;
    std::vector<std::pair<std::string, ViewArg>> keywords;
    if (!take(')')) {
      do {
        skip_space();
        if (at_ < text_.size() && text_[at_] == ')' && !(positional.empty() && keywords.empty())) break;
        argument(positional, keywords);
      } while (take(','));
      expect(')');
    }
    try {
      step.args = bind_view_args(*op, positional, keywords);
    } catch (const Error& error) {
      fail_at(begin, error.message());
    }
    return step;
  }

  void argument(std::vector<ViewArg>& positional, std::vector<std::pair<std::string, ViewArg>>& keywords) {
    skip_space();
    const size_t begin = at_;
    const std::string keyword =
        at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) ? word() : "";
    if (!keyword.empty() && keyword != "None") {
      if (!take('=')) fail_at(begin, "expected an integer, a list or name=value");
      keywords.emplace_back(keyword, value());
      return;
    }
    at_ = begin;
    if (!keywords.empty()) fail("a positional argument after one with a name");
    positional.push_back(value());
  }

  ViewArg value() {
    if (take_word("None")) return ViewArgNone{};
    skip_space();
    const char open = at_ < text_.size() ? text_[at_] : '\0';
    if (open != '[' && open != '(') {
      const auto number = integer();
      if (!number) fail("expected an integer or a list of integers");
      return *number;
    }
    ++at_;
    const char close = open == '[' ? ']' : ')';
    std::vector<int64_t> list;
    if (take(close)) return list;
    do {
      skip_space();
      if (at_ < text_.size() && text_[at_] == close) break;
      const auto number = integer();
      if (!number) fail("expected an integer");
      list.push_back(*number);
    } while (take(','));
    expect(close);
    return list;
  }

  static std::string op_names() {
    std::string all;
    for (const ViewOp& op : view_op_table()) all += (all.empty() ? "" : ", ") + std::string(op.name);
    return all;
  }

  std::string text_;
  const std::vector<std::string>& names_;
  size_t at_ = 0;
};

// The chain as it stands: one geometry, or the several of a split that still wait for [i].
struct State {
  std::vector<Geometry> geometries;
  bool several = false;
};

void take_index(const IndexStep& step, State& state, StepResult& result) {
  std::vector<IndexItem> items = step.items;
  if (state.several) {
    const auto* position = std::get_if<int64_t>(&items.front());
    CUTAWAY_CHECK_TYPE(position, "tuple indices must be integers here: the step before gave ",
                       state.geometries.size(), " tensors");
    const auto count = static_cast<int64_t>(state.geometries.size());
    CUTAWAY_CHECK_INDEX(-count <= *position && *position < count, "tuple index out of range: ", *position,
                        " of ", count);
    state = {{state.geometries[*position < 0 ? *position + count : *position]}, false};
    items.erase(items.begin());
  }
  if (!items.empty()) {
    const Geometry source = state.geometries.front();
    const Indexed indexed = index(source, items);
    state = {{indexed.geometry}, false};
    result.copies = indexed.copies;
    result.why = indexed.why;
    if (indexed.copies) result.plan = CopyPlan(source, indexed);
  }
}

void take_call(const CallStep& step, const ViewContext& context, State& state, StepResult& result) {
  CUTAWAY_CHECK_TYPE(!state.several, "the step before gave ", state.geometries.size(),
                     " tensors; choose one with [i] first");
  const Geometry source = state.geometries.front();
  ViewOutcome outcome = step.op->apply(source, step.args, context);
  if (outcome.copies) result.plan = CopyPlan(source, outcome.results.front());
  state = {std::move(outcome.results), outcome.several};
  result.copies = outcome.copies;
  result.why = outcome.why;
}

// For view and unflatten: the verdict with its numbers, as far as the sizes fit at all.
std::optional<ViewVerdict> verdict_of(const ExpressionStep& step, const State& state) {
  const auto* call = std::get_if<CallStep>(&step.what);
  if (!call || state.several) return std::nullopt;
  const Geometry& g = state.geometries.front();
  try {
    if (call->op->name == "view") return explain_view(g, std::get<std::vector<int64_t>>(call->args.front()));
    if (call->op->name == "unflatten")
      return explain_view(g, unflattened_sizes(g.sizes, std::get<int64_t>(call->args[0]),
                                               std::get<std::vector<int64_t>>(call->args[1])));
  } catch (const Error&) {
  }
  return std::nullopt;
}

std::string without_dot(std::string text) { return !text.empty() && text[0] == '.' ? text.substr(1) : text; }

}  // namespace

ViewExpression parse_view_expression(const std::string& text, const std::vector<std::string>& names) {
  CUTAWAY_CHECK_VALUE(text.size() <= 4096, "a view expression of ", text.size(), " characters is too long");
  return Parser(text, names).parse();
}

Evaluation evaluate(const ViewExpression& expression, const Geometry& start, const ViewContext& context) {
  Evaluation evaluation;
  State state{{start}, false};
  ViewContext now = context;
  for (const ExpressionStep& step : expression.steps) {
    StepResult result;
    result.text = expression.text.substr(0, step.end);
    result.call = without_dot(expression.text.substr(step.begin, step.end - step.begin));
    const State before = state;
    try {
      if (const auto* call = std::get_if<CallStep>(&step.what))
        take_call(*call, now, state, result);
      else
        take_index(std::get<IndexStep>(step.what), state, result);
    } catch (const Error& error) {
      evaluation.error_kind = to_string(error.kind());
      evaluation.error = error.message();
      evaluation.failed_call = result.call;
      evaluation.failed_text = result.text;
      evaluation.verdict = verdict_of(step, before);
      return evaluation;
    }
    if (state.several) continue;
    result.geometry = state.geometries.front();
    if (result.copies && now.storage_nbytes)
      now.storage_nbytes = static_cast<uint64_t>(result.geometry.numel()) * element_size(now.dtype);
    evaluation.steps.push_back(std::move(result));
  }
  if (state.several) {
    evaluation.error_kind = "TypeError";
    evaluation.error =
        detail::concat("this gives ", state.geometries.size(), " tensors; choose one with [i]");
    evaluation.failed_text = expression.text;
  }
  return evaluation;
}

}  // namespace cutaway::inspector
