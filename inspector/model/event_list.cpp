// The filter of the event list. A million events are looked at in less than 0.1 s: what a word means for an operator's call
// or a text is worked out once for each text, not once for each event, and no sentence is put together.

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "inspector/model/filter_words.h"
#include "inspector/model/timeline_model.h"

namespace cutaway::inspector {
namespace {

using trace::Event;
using trace::EventKind;

constexpr const char* kKeys[] = {"", "kind", "op", "tensor", "storage", "at", "thread", "touches"};

// One word with what it comes to in this trace.
class EventWord {
 public:
  EventWord(const Session& session, const trace::World& end, FilterWord word)
      : trace_(session.trace()), end_(end), word_(std::move(word)) {
    const auto known = std::find(std::begin(kKeys), std::end(kKeys), word_.key);
    CUTAWAY_CHECK_VALUE(known != std::end(kKeys), "'", word_.whole,
                        "': there are kind:, op:, tensor:, storage:, at>, thread: and touches:here");
    const bool numeric = word_.key == "storage" || word_.key == "at" || word_.key == "thread";
    CUTAWAY_CHECK_VALUE(word_.key == "at" || word_.comparison == ':', "'", word_.whole, "': expected ",
                        word_.key, ":something");
    if (numeric) number_ = number_of(word_);
    if (word_.key == "touches") add_touching(session);
    part_ = lower_case(word_.value);
    kinds_ = kinds_named(part_);
    CUTAWAY_CHECK_VALUE(word_.key != "kind" || kinds_ != 0, "'", word_.whole,
                        "': no kind of event is called so");
  }

  bool accepts(const Event& event, size_t number) { return matches(event, number) != word_.negated; }

 private:
  static uint32_t kinds_named(const std::string& part) {
    uint32_t kinds = 0;
    for (int kind = 0; kind < trace::kEventKinds; ++kind)
      if (contains_word(trace::to_string(static_cast<EventKind>(kind)), part)) kinds |= 1u << kind;
    return kinds;
  }

  void add_touching(const Session& session) {
    CUTAWAY_CHECK_VALUE(word_.value == "here", "'", word_.whole, "': expected touches:here");
    for (ObjectId id : {session.selection().tensor, session.selection().storage})
      for (size_t number : trace_.events_touching(id)) touching_.insert(number);
  }

  bool is_kind(const Event& event) const { return kinds_ >> static_cast<int>(event.kind) & 1; }

  // Texts are pooled: equal ones have one address.
  bool text_has(const std::string& text) {
    const auto [place, fresh] = known_texts_.try_emplace(&text, false);
    if (fresh) place->second = contains_word(text, part_);
    return place->second;
  }

  bool call_has(const Event& event) {
    return event.span != trace::kNone && text_has(trace_.spans()[event.span].call);
  }

  bool own_text_has(const Event& event) {
    const bool has = event.kind == EventKind::Error || event.kind == EventKind::Mark ||
                     event.kind == EventKind::TensorNamed;
    return has && text_has(trace_.text(event.detail));
  }

  ObjectId tensor_of(const Event& event) const {
    switch (event.kind) {
      case EventKind::TensorMade:
      case EventKind::TensorChanged:
      case EventKind::TensorReleased:
      case EventKind::TensorNamed:
      case EventKind::ViewMade: return event.object;
      case EventKind::Write: return trace_.write(event.detail).tensor;
      default: return 0;
    }
  }

  bool concerns_storage(const Event& event) const {
    const auto id = static_cast<ObjectId>(number_);
    if (event.object == id) return true;
    const ObjectId tensor = tensor_of(event);
    return tensor && event.kind != EventKind::Write && end_.tensor(tensor)->storage == id;
  }

  bool matches(const Event& event, size_t number) {
    if (word_.key.empty()) {
      if (is_kind(event) || call_has(event) || own_text_has(event)) return true;
      const ObjectId tensor = tensor_of(event);
      return tensor && text_has(end_.name(tensor));
    }
    if (word_.key == "kind") return is_kind(event);
    if (word_.key == "op") return call_has(event);
    if (word_.key == "tensor") {
      const ObjectId tensor = tensor_of(event);
      return tensor && end_.name(tensor) == word_.value;
    }
    if (word_.key == "storage") return concerns_storage(event);
    if (word_.key == "at") return compares(static_cast<double>(number), word_, number_);
    if (word_.key == "thread") return event.thread == number_;
    return touching_.count(number) != 0;
  }

  const trace::Trace& trace_;
  const trace::World& end_;
  FilterWord word_;
  std::string part_;
  double number_ = 0;
  uint32_t kinds_ = 0;
  std::unordered_map<const std::string*, bool> known_texts_;
  std::unordered_set<size_t> touching_;
};

struct EventListMemo {
  const trace::Trace* trace = nullptr;
  size_t events = 0;
  std::string filter;
  Selection selection;
  EventList list;
};

std::vector<uint32_t> accepted(const Session& session, const std::string& filter) {
  const trace::World end = session.trace().world_at(session.trace().size());
  std::vector<EventWord> words;
  for (FilterWord& word : filter_words(filter)) words.emplace_back(session, end, std::move(word));
  std::vector<uint32_t> numbers;
  for (size_t number = 1; number <= session.trace().size(); ++number) {
    const Event& event = session.trace().event(number);
    const bool all =
        std::all_of(words.begin(), words.end(), [&](EventWord& word) { return word.accepts(event, number); });
    if (all) numbers.push_back(static_cast<uint32_t>(number));
  }
  return numbers;
}

}  // namespace

size_t EventList::row_of(size_t number) const {
  if (!numbers_) return number == 0 ? size() : std::min(number, all_) - 1;
  const auto after = std::upper_bound(numbers_->begin(), numbers_->end(), number);
  return after == numbers_->begin() ? size() : static_cast<size_t>(after - numbers_->begin()) - 1;
}

EventList make_event_list(const Session& session, const std::string& filter) {
  EventListMemo& memo = session.memo<EventListMemo>();
  const bool touches = filter.find("touches") != std::string::npos;
  if (memo.trace == &session.trace() && memo.events == session.trace().size() && memo.filter == filter &&
      (!touches || memo.selection == session.selection()))
    return memo.list;
  EventList list;
  list.all_ = session.trace().size();
  try {
    if (!filter_words(filter).empty())
      list.numbers_ = std::make_shared<const std::vector<uint32_t>>(accepted(session, filter));
  } catch (const Error& error) {
    list.error_ = error.message();
  }
  memo = {&session.trace(), session.trace().size(), filter, session.selection(), list};
  return list;
}

}  // namespace cutaway::inspector
