#include "inspector/model/refused_view.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "inspector/model/document.h"
#include "inspector/model/value_text.h"

// A recorded error names no tensor: the operation failed before it had a result. What is known is the operator's call,
// "view(30)", and the statement of the program, "view(z, {30})" in C++ or "z.view(30)" in Python. The word that stands for
// the tensor in it is looked up among those that live at that moment; when it is none of them, nothing is claimed.

namespace cutaway::inspector {

using trace::TensorState;

namespace {

// How many elements the exact solver may look at: 2 ms.
constexpr int64_t kMostTried = 1 << 14;

std::string merge_text(const FailedView& failure, const Geometry& g, size_t itemsize) {
  const size_t open = std::min(failure.call.find('('), failure.call.size());
  return failure.verdict->why() + " reshape" + failure.call.substr(open) + " would copy " +
         bytes_text(static_cast<uint64_t>(g.numel()) * itemsize) + " to a new storage.";
}

std::string collision_text(const Collision& collision, const std::string& name) {
  return name + index_text(collision.first) + " and " + name + index_text(collision.second) +
         " are both element " + std::to_string(collision.element) +
         " of the storage, so a write to one would change the other. " + name + ".clone() has room for each.";
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Whether `op` stands at `at` as a whole word with its opening parenthesis.
bool is_call(const std::string& statement, size_t at, const std::string& op) {
  const size_t after = at + op.size();
  return (at == 0 || !is_word(statement[at - 1])) && after < statement.size() && statement[after] == '(';
}

// The word in front of `.op(`, or the first argument of `op(`.
std::string receiver_in(const std::string& statement, const std::string& op) {
  for (size_t at = statement.find(op); at != std::string::npos; at = statement.find(op, at + 1)) {
    if (!is_call(statement, at, op)) continue;
    size_t begin = at + op.size() + 1, end = begin;
    if (at > 0 && statement[at - 1] == '.') {
      end = begin = at - 1;
      while (begin > 0 && is_word(statement[begin - 1])) --begin;
    } else {
      while (end < statement.size() && is_word(statement[end])) ++end;
    }
    if (end > begin) return statement.substr(begin, end - begin);
  }
  return "";
}

std::optional<TensorState> living_tensor(const trace::World& world, const std::string& name) {
  const std::vector<ObjectId> ids = world.tensors();
  for (size_t i = ids.size(); i-- > 0;)
    if (world.name(ids[i]) == name && world.alive(ids[i])) return world.tensor(ids[i]);
  return std::nullopt;
}

}  // namespace

void explain(FailedView& failure, const TensorState& source) {
  const Geometry g = geometry_of(source);
  if (failure.verdict && !failure.verdict->possible)
    failure.why = merge_text(failure, g, element_size(source.dtype));
  if (failure.message.find("refers to a single memory") == std::string::npos) return;
  const ExactOverlap exact = exact_overlap(g, kMostTried);
  if (exact.verdict != ExactOverlap::Verdict::Collides) return;
  failure.collision = exact.collision;
  failure.why = collision_text(exact.collision, name_of(source));
}

std::optional<FailedView> recorded_failure(const trace::Trace& trace, size_t number) {
  const trace::Event& event = trace.event(number);
  if (event.kind != trace::EventKind::Error || event.span == trace::kNone) return std::nullopt;
  const trace::OpSpan& span = trace.spans()[event.span];
  const std::string receiver = receiver_in(trace.source_line(event.source).text, span.op);
  if (receiver.empty()) return std::nullopt;
  const auto source = living_tensor(trace.world_at(number), receiver);
  if (!source) return std::nullopt;
  FailedView failure;
  failure.number = number;
  failure.source = source->id;
  failure.call = span.call;
  failure.expression = receiver + "." + span.call;
  const std::string& text = trace.text(event.detail);
  const size_t colon = text.find(": ");
  failure.kind = text.substr(0, colon);
  failure.message = colon == std::string::npos ? text : text.substr(colon + 2);
  try {
    const ViewExpression expression = parse_view_expression(failure.expression, {receiver});
    failure.verdict = evaluate(expression, geometry_of(*source), {source->dtype, {}}).verdict;
  } catch (const Error&) {
    // Not an operation on strides (add_, say): there is no verdict on dimensions then.
  }
  explain(failure, *source);
  return failure;
}

}  // namespace cutaway::inspector
