#include "inspector/model/session.h"

#include <algorithm>

namespace cutaway::inspector {

using trace::EventKind;
using trace::TensorState;

namespace {

// A program gives back all it has before it ends, so the last event of its trace would show an empty picture.
// Returns: the last event at which a storage is alive; the last of all when there is none.
size_t last_with_storage(const trace::Trace& trace) {
  const auto holds = [](const trace::World& world) {
    const std::vector<ObjectId> all = world.storages();
    return std::any_of(all.begin(), all.end(), [&](ObjectId id) { return world.alive(id); });
  };
  const size_t end = trace.size();
  if (end == 0 || holds(trace.world_at(end))) return end;
  size_t number = end;
  const auto is_ending = [&](size_t at) {
    const EventKind kind = trace.event(at).kind;
    return kind == EventKind::StorageFreed || kind == EventKind::TensorReleased ||
           kind == EventKind::CountsChanged;
  };
  while (number > 0 && trace.event(number).kind != EventKind::StorageFreed) --number;
  while (number > 0 && is_ending(number)) --number;
  return number ? number : end;
}

}  // namespace

Session::Session(std::shared_ptr<Document> document)
    : document_(std::move(document)), replay_(document_->trace()) {
  // A file has no story: its end is what one wants to see. A trace begins at its first mark, or its end without any.
  const auto marks = trace().marks();
  seek(marks.empty() ? last_with_storage(trace()) : marks.front());
}

void Session::seek(size_t t) {
  time_ = std::min(t, trace().size());
  replay_.seek(time_);
  moved();
}

void Session::moved() {
  world_ = replay_.world();
  selection_ = effective_selection();
  selected();
}

// Returns: the newest living tensor that has a name, else the newest living one; 0 if none lives.
ObjectId Session::newest_named(const std::vector<ObjectId>& ids) const {
  ObjectId nameless = 0;
  for (size_t i = ids.size(); i-- > 0;) {
    if (!world_.alive(ids[i])) continue;
    if (!world_.name(ids[i]).empty()) return ids[i];
    if (!nameless) nameless = ids[i];
  }
  return nameless;
}

// Note [Selection]
// What the user chose may not be born yet, or be gone, at the event they go to. What is selected there is worked out from
// their choice and that moment alone, so it does not matter which way they came: the chosen tensor while it lives; while
// only its storage does, the newest named tensor on that; else the newest named one of all, or in a file the first.
Selection Session::effective_selection() const {
  const auto over_storage = [&](ObjectId id) {
    return Selection{id, world_.tensor(id)->storage, std::nullopt};
  };
  if (wanted_.tensor && world_.alive(wanted_.tensor)) {
    Selection selection = over_storage(wanted_.tensor);
    if (selection.storage == wanted_.storage) selection.element = wanted_.element;
    return selection;
  }
  if (wanted_.storage && world_.alive(wanted_.storage)) {
    const auto on = world_.tensors_on(wanted_.storage);
    return {wanted_.tensor ? newest_named(on) : 0, wanted_.storage, wanted_.element};
  }
  const std::vector<ObjectId> all = world_.tensors();
  if (!document_->is_trace()) {
    const auto first = std::find_if(all.begin(), all.end(), [&](ObjectId id) { return world_.alive(id); });
    return first == all.end() ? Selection{} : over_storage(*first);
  }
  const ObjectId newest = newest_named(all);
  return newest ? over_storage(newest) : Selection{};
}

void Session::selected() {
  ++revision_;
  if (!lab_turned) reset_lab();
}

void Session::reset_lab() {
  lab_turned = false;
  const auto tensor = world_.tensor(selection_.tensor);
  lab = tensor ? geometry_of(*tensor) : Geometry{};
  ++revision_;
}

void Session::step(int64_t events) {
  const int64_t t = static_cast<int64_t>(time_) + events;
  seek(static_cast<size_t>(std::clamp<int64_t>(t, 0, static_cast<int64_t>(trace().size()))));
}

void Session::step_into() { step(1); }

// To the end of the next, or previous, outermost operator.
void Session::step_operator(int direction) {
  const std::vector<size_t>& ends = operator_ends();
  if (direction > 0) {
    const auto next = std::upper_bound(ends.begin(), ends.end(), time_);
    seek(next == ends.end() ? trace().size() : *next);
  } else {
    const auto next = std::lower_bound(ends.begin(), ends.end(), time_);
    seek(next == ends.begin() ? 0 : *std::prev(next));
  }
}

void Session::step_out() {
  if (time_ == 0) return;
  const trace::TableIndex inside = trace().event(time_).span;
  if (inside == trace::kNone) return step_operator(1);
  const auto& span = trace().spans()[inside];
  seek(span.last > time_ ? span.last : time_ + 1);
}

void Session::step_touching(int direction) {
  std::vector<size_t> numbers = trace().events_touching(selection_.tensor);
  const std::vector<size_t> more = trace().events_touching(selection_.storage);
  numbers.insert(numbers.end(), more.begin(), more.end());
  std::sort(numbers.begin(), numbers.end());
  if (direction > 0) {
    const auto next = std::upper_bound(numbers.begin(), numbers.end(), time_);
    if (next != numbers.end()) seek(*next);
  } else {
    const auto next = std::lower_bound(numbers.begin(), numbers.end(), time_);
    if (next != numbers.begin()) seek(*std::prev(next));
  }
}

void Session::step_mark(int direction) {
  const auto marks = trace().marks();
  if (direction > 0) {
    const auto next = std::upper_bound(marks.begin(), marks.end(), time_);
    if (next != marks.end()) seek(*next);
  } else {
    const auto next = std::lower_bound(marks.begin(), marks.end(), time_);
    if (next != marks.begin()) seek(*std::prev(next));
  }
}

std::optional<size_t> Session::current_mark() const {
  const auto marks = trace().marks();
  const auto after = std::upper_bound(marks.begin(), marks.end(), time_);
  if (after == marks.begin()) return std::nullopt;
  return static_cast<size_t>(after - marks.begin() - 1);
}

void Session::toggle_bookmark() {
  const auto place = std::lower_bound(bookmarks_.begin(), bookmarks_.end(), time_);
  if (place != bookmarks_.end() && *place == time_)
    bookmarks_.erase(place);
  else
    bookmarks_.insert(place, time_);
  ++revision_;
}

void Session::next_bookmark() {
  if (bookmarks_.empty()) return;
  const auto next = std::upper_bound(bookmarks_.begin(), bookmarks_.end(), time_);
  seek(next == bookmarks_.end() ? bookmarks_.front() : *next);
}

void Session::remember_look() {
  looked_.resize(std::min(look_at_, looked_.size()));
  looked_.push_back(selection_);
  look_at_ = looked_.size();
}

void Session::select_tensor(ObjectId id) {
  const auto tensor = world_.tensor(id);
  if (!tensor || (selection_.tensor == id && wanted_.tensor == id)) return;
  if (selection_.tensor != id) remember_look();
  const bool same_storage = tensor->storage == selection_.storage;
  wanted_ = {id, tensor->storage, same_storage ? selection_.element : std::nullopt};
  // Also a dead one may be looked at, at the moment it is chosen.
  selection_ = wanted_;
  lab_turned = false;
  selected();
}

void Session::select_storage(ObjectId id) {
  if (!world_.storage(id) || selection_.storage == id) return;
  const ObjectId on = newest_named(world_.tensors_on(id));
  if (on) return select_tensor(on);
  remember_look();
  selection_ = wanted_ = {0, id, std::nullopt};
  selected();
}

void Session::select_element(std::optional<int64_t> element) {
  if (selection_.element == element) return;
  wanted_ = selection_;
  selection_.element = wanted_.element = element;
  ++revision_;
}

ObjectId Session::tensor_named(const std::string& name) const {
  const std::vector<ObjectId> ids = world_.tensors();
  for (size_t i = ids.size(); i-- > 0;)
    if (world_.alive(ids[i]) && world_.name(ids[i]) == name) return ids[i];
  return 0;
}

void Session::hover_element(std::optional<int64_t> element) {
  if (hovered_ == element) return;
  hovered_ = element;
  ++hover_revision_;
}

void Session::hover_tensor(ObjectId tensor) {
  if (hovered_tensor_ == tensor) return;
  hovered_tensor_ = tensor;
  ++hover_revision_;
}

void Session::hover_event(size_t number) {
  if (hovered_event_ == number) return;
  hovered_event_ = number;
  ++hover_revision_;
}

void Session::show_bytes(bool yes) {
  if (shows_bytes_ == yes) return;
  shows_bytes_ = yes;
  ++revision_;
}

void Session::look_back() {
  if (look_at_ == 0) return;
  if (look_at_ == looked_.size()) looked_.push_back(selection_);
  wanted_ = looked_[--look_at_];
  moved();
}

void Session::look_forward() {
  if (look_at_ + 1 >= looked_.size()) return;
  wanted_ = looked_[++look_at_];
  moved();
}

std::vector<TensorState> Session::overlays() const {
  std::vector<TensorState> tensors;
  for (ObjectId id : world_.tensors_on(shown_storage())) {
    const bool wanted = !world_.name(id).empty() || id == selection_.tensor;
    if (wanted && !is_hidden(id)) tensors.push_back(*world_.tensor(id));
  }
  return tensors;
}

bool Session::is_hidden(ObjectId tensor) const {
  return std::find(hidden_.begin(), hidden_.end(), tensor) != hidden_.end();
}

void Session::toggle_hidden(ObjectId tensor) {
  const auto place = std::find(hidden_.begin(), hidden_.end(), tensor);
  if (place != hidden_.end())
    hidden_.erase(place);
  else
    hidden_.push_back(tensor);
  ++revision_;
}

Session::Derived& Session::derived() const {
  if (derived_.of_size != trace().size()) derived_ = {trace().size(), {}, {}, {}};
  return derived_;
}

const std::vector<size_t>& Session::operator_ends() const {
  std::vector<size_t>& ends = derived().operator_ends;
  if (!ends.empty()) return ends;
  for (const auto& span : trace().spans())
    if (span.depth == 0 && span.last != trace::OpSpan::kOpen) ends.push_back(span.last);
  std::sort(ends.begin(), ends.end());
  return ends;
}

const std::vector<ObjectId>& Session::tensors_ever_on(ObjectId storage) const {
  const auto [place, fresh] = derived().tensors_on.try_emplace(storage);
  if (fresh) place->second = trace().world_at(trace().size()).tensors_ever_on(storage);
  return place->second;
}

ObjectId Session::first_on(ObjectId storage) const {
  const auto& all = tensors_ever_on(storage);
  return all.empty() || !world_.tensor(all.front()) ? 0 : all.front();
}

int Session::color_of(ObjectId id) const {
  auto& colors = derived().colors;
  if (const auto found = colors.find(id); found != colors.end()) return found->second;
  const auto tensor = world_.tensor(id);
  if (!tensor) return 0;
  // Nameless tensors are steps on the way; they take no colour from those one looks at.
  const trace::World end = trace().world_at(trace().size());
  int place = 0;
  for (ObjectId other : tensors_ever_on(tensor->storage)) {
    colors.try_emplace(other, place);
    if (!end.name(other).empty()) ++place;
  }
  return colors.try_emplace(id, 0).first->second;
}

void Session::toggle_pin() {
  pinned_ = pinned_ ? 0 : selection_.storage;
  ++revision_;
}

void Session::lock_compare() {
  compared_ = compared_ ? std::nullopt : std::optional(time_);
  ++revision_;
}

void Session::show(const std::shared_ptr<Document>& document, size_t t) {
  if (document_ != document) {
    document_ = document;
    replay_ = trace::Replay(document_->trace());
    derived_ = {};
    memos_.clear();
  }
  seek(t);
}

void Session::add_view(const std::string& expression) {
  const bool on_own_events = trunk_ && time_ > branched_at_;
  if (!document_->is_trace() || time_ == trace().size() || on_own_events) {
    show_new(document_, document_->add_view(expression));
    return;
  }
  // What fails here leaves the session as it was.
  const auto branch = Document::open_trace(document_->paths().front(), true, time_);
  const ObjectId result = branch->add_view(expression);
  if (!trunk_) trunk_ = document_;
  branched_at_ = time_;
  show_new(branch, result);
}

// Goes to the end of a document, where `tensor` was just made.
void Session::show_new(const std::shared_ptr<Document>& document, ObjectId tensor) {
  if (selection_.tensor && selection_.tensor != tensor) remember_look();
  wanted_ = {tensor, 0, std::nullopt};
  lab_turned = false;
  show(document, document->trace().size());
  wanted_ = selection_;
}

void Session::leave_branch() {
  if (!trunk_) return;
  const auto trunk = std::move(trunk_);
  trunk_ = nullptr;
  if (!trunk->trace().world_at(branched_at_).tensor(wanted_.tensor)) wanted_ = {};
  show(trunk, branched_at_);
}

const FailedView* Session::failure() const {
  // At a tour's step the error lies a few events back; anything since then that is not a mark ends it.
  for (size_t number = time_; number > 0; --number) {
    const auto kind = trace().event(number).kind;
    if (kind == EventKind::Error) return document_->failure_at(number);
    if (kind != EventKind::Mark && kind != EventKind::OpEnd) return nullptr;
  }
  return nullptr;
}

std::string& Session::filter(const std::string& list) {
  for (auto& [name, text] : filters_)
    if (name == list) return text;
  return filters_.emplace_back(list, "").second;
}

const std::string& Session::filter(const std::string& list) const {
  static const std::string kNone;
  for (const auto& [name, text] : filters_)
    if (name == list) return text;
  return kNone;
}

}  // namespace cutaway::inspector
