#include "inspector/model/session.h"

#include <algorithm>

namespace cutaway::inspector {

using trace::EventKind;
using trace::TensorState;

Session::Session(std::shared_ptr<Document> document) : document_(std::move(document)), replay_(document_->trace()) {
  // A file has no story: its end is what one wants to see. A trace begins at its first mark, or its end without any.
  const auto marks = trace().marks();
  seek(marks.empty() ? trace().size() : marks.front());
}

void Session::seek(size_t t) {
  time_ = std::min(t, trace().size());
  replay_.seek(time_);
  moved();
}

void Session::moved() {
  world_ = replay_.world();
  ++revision_;
  const auto chosen = world_.tensor(selection_.tensor);
  if (chosen && chosen->alive && chosen->storage == selection_.storage) {
    selected();
    return;
  }
  // Nothing selected, or it is gone: the newest living tensor that has a name, else the newest living one.
  ObjectId best = 0;
  bool best_named = false;
  for (ObjectId id : world_.tensors()) {
    const TensorState tensor = *world_.tensor(id);
    if (!tensor.alive || (best_named && tensor.name.empty())) continue;
    best = id;
    best_named = !tensor.name.empty();
  }
  const bool files = !document_->is_trace();
  if (files && selection_.tensor == 0)
    for (ObjectId id : world_.tensors())
      if (world_.tensor(id)->alive) {
        best = id;
        break;
      }
  selection_ = {best, best ? world_.tensor(best)->storage : 0, std::nullopt};
  selected();
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

void Session::step_operator(int direction) {
  // To the end of the next (or previous) outermost operator.
  const auto spans = trace().spans();
  if (direction > 0) {
    size_t next = trace().size();
    for (const auto& span : spans)
      if (span.depth == 0 && span.last > time_) next = std::min(next, span.last);
    seek(next);
  } else {
    size_t previous = 0;
    for (const auto& span : spans)
      if (span.depth == 0 && span.last && span.last < time_) previous = std::max(previous, span.last);
    seek(previous);
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

void Session::select_tensor(ObjectId id) {
  const auto tensor = world_.tensor(id);
  if (!tensor || selection_.tensor == id) return;
  looked_.resize(std::min(look_at_, looked_.size()));
  looked_.push_back(selection_);
  look_at_ = looked_.size();
  const bool same_storage = tensor->storage == selection_.storage;
  selection_ = {id, tensor->storage, same_storage ? selection_.element : std::nullopt};
  lab_turned = false;
  selected();
}

void Session::select_storage(ObjectId id) {
  if (!world_.storage(id) || selection_.storage == id) return;
  const auto on = world_.tensors_on(id);
  if (!on.empty()) return select_tensor(on.front());
  selection_ = {0, id, std::nullopt};
  selected();
}

void Session::select_element(std::optional<int64_t> element) {
  if (selection_.element == element) return;
  selection_.element = element;
  ++revision_;
}

void Session::hover_element(std::optional<int64_t> element) {
  if (hovered_ == element) return;
  hovered_ = element;
  ++revision_;
}

void Session::look_back() {
  if (look_at_ == 0) return;
  if (look_at_ == looked_.size()) looked_.push_back(selection_);
  selection_ = looked_[--look_at_];
  selected();
}

void Session::look_forward() {
  if (look_at_ + 1 >= looked_.size()) return;
  selection_ = looked_[++look_at_];
  selected();
}

std::vector<TensorState> Session::overlays() const {
  std::vector<TensorState> tensors;
  for (ObjectId id : world_.tensors_on(selection_.storage)) {
    TensorState tensor = *world_.tensor(id);
    const bool wanted = !tensor.name.empty() || id == selection_.tensor;
    if (wanted && !is_hidden(id)) tensors.push_back(std::move(tensor));
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

int Session::color_of(ObjectId id) const {
  if (colored_size_ != trace().size()) {
    colored_size_ = trace().size();
    colors_.clear();
    const trace::World end = trace().world_at(trace().size());
    std::unordered_map<ObjectId, int> next;
    for (ObjectId tensor_id : end.tensors()) {
      const TensorState tensor = *end.tensor(tensor_id);
      // Nameless tensors are steps on the way; they take no colour from those one looks at.
      int& place = next[tensor.storage];
      colors_[tensor_id] = place;
      if (!tensor.name.empty()) ++place;
    }
  }
  const auto found = colors_.find(id);
  return found == colors_.end() ? 0 : found->second;
}

void Session::lock_compare() {
  compared_ = compared_ ? std::nullopt : std::optional(time_);
  ++revision_;
}

void Session::add_view(const std::string& expression) {
  const ObjectId result = document_->add_view(expression);
  seek(trace().size());
  select_tensor(result);
  ++revision_;
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

}  // namespace cutaway::inspector
