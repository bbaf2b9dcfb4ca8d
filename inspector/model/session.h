// One user's look at a document: the current event, the one selection, what is hovered, and where they were before.
//
// Every panel derives from a Session; panels hold no state of their own beyond scroll positions. Actions are methods, and
// each leaves a consistent state: an index out of range is clamped, a dead selection falls back.
// `revision` goes up with every change, so that a window knows when to draw anew; `content_revision` leaves out what is
// only pointed at, so that a panel knows when to work things out anew.
// Thread safety: one thread.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inspector/model/document.h"
#include "trace/replay.h"

namespace cutaway::inspector {

struct Selection {
  ObjectId tensor = 0;
  ObjectId storage = 0;
  std::optional<int64_t> element;  // of the storage
  friend bool operator==(const Selection&, const Selection&) = default;
};

class Session {
 public:
  explicit Session(std::shared_ptr<Document> document);

  Document& document() { return *document_; }
  const Document& document() const { return *document_; }
  const trace::Trace& trace() const { return document_->trace(); }
  uint64_t revision() const { return revision_ + hover_revision_; }
  uint64_t content_revision() const { return revision_; }

  // Time.
  size_t time() const { return time_; }
  const trace::World& world() const { return world_; }
  void seek(size_t t);        // beyond the end: the end
  void step(int64_t events);  // negative: back
  void step_operator(int direction);
  void step_into();                   // to the next event, whatever its depth
  void step_out();                    // to the end of the operator that is running
  void step_touching(int direction);  // events that concern the selection
  void step_mark(int direction);      // steps of a tour
  void toggle_bookmark();
  void next_bookmark();
  const std::vector<size_t>& bookmarks() const { return bookmarks_; }
  // The mark at or before now: its number among marks, from 0; nothing before the first.
  std::optional<size_t> current_mark() const;

  // Selection and hover.
  const Selection& selection() const { return selection_; }
  void select_tensor(ObjectId tensor);
  void select_storage(ObjectId storage);
  void select_element(std::optional<int64_t> element);
  // Returns: the newest living tensor of that name at this moment; 0 if none.
  ObjectId tensor_named(const std::string& name) const;
  std::optional<int64_t> hovered_element() const { return hovered_; }
  void hover_element(std::optional<int64_t> element);
  // A tensor, and an event, pointed at in some panel and framed in all; 0: none.
  ObjectId hovered_tensor() const { return hovered_tensor_; }
  void hover_tensor(ObjectId tensor);
  size_t hovered_event() const { return hovered_event_; }
  void hover_event(size_t number);
  // Views looked at, one after the other.
  void look_back();
  void look_forward();

  // Tensors laid over the selected storage: those living on it, in order of birth, without the hidden ones.
  std::vector<trace::TensorState> overlays() const;
  bool is_hidden(ObjectId tensor) const;
  void toggle_hidden(ObjectId tensor);
  // The place of a tensor among all that were ever made over its storage: its colour, the same at every event.
  int color_of(ObjectId tensor) const;
  // The tensor that was first made over a storage, alive or not; 0 if none was by now.
  ObjectId first_on(ObjectId storage) const;

  // The storage on the canvas: that of the selection, or the one that was pinned.
  ObjectId shown_storage() const { return pinned_ ? pinned_ : selection_.storage; }
  bool pinned() const { return pinned_ != 0; }
  void toggle_pin();

  // Storages are shown byte by byte instead of element by element.
  bool shows_bytes() const { return shows_bytes_; }
  void show_bytes(bool yes);

  // Locks the event to compare with, the current one, or lets it go: cells then show what differs from it.
  void lock_compare();
  std::optional<size_t> compared_event() const { return compared_; }

  // Appends views (Document::add_view) and goes to them. In the middle of a trace they are what might have happened
  // instead: a branch, which holds the events up to now and the views, takes the place of the trace until leave_branch.
  // Throws: ValueError.
  void add_view(const std::string& expression);
  // The event at which the branch leaves the trace; nothing when there is no branch.
  std::optional<size_t> branched_at() const { return trunk_ ? std::optional(branched_at_) : std::nullopt; }
  void leave_branch();
  // The refused view at the current event, or null.
  const FailedView* failure() const;

  // Why bytes of a file could not be shown, for the status line: the last such reason.
  void note_read_problem(const std::string& problem) const {
    if (!problem.empty()) read_problem_ = problem;
  }
  const std::string& read_problem() const { return read_problem_; }

  // What a model keeps from one call to the next, by its own type; it must know itself what it was made from.
  template <class T>
  T& memo() const {
    std::shared_ptr<void>& place = memos_[std::type_index(typeid(T))];
    if (!place) place = std::make_shared<T>();
    return *static_cast<T*>(place.get());
  }

  // Filter words of a list, by the list's name.
  std::string& filter(const std::string& list);
  const std::string& filter(const std::string& list) const;

  // The View lab's own geometry over the selected storage; follows the selection until it is turned.
  Geometry lab;
  bool lab_turned = false;
  void reset_lab();
  void touch() { ++revision_; }

 private:
  void moved();
  void selected();
  void show(const std::shared_ptr<Document>& document, size_t t);
  void show_new(const std::shared_ptr<Document>& document, ObjectId tensor);
  Selection effective_selection() const;
  ObjectId newest_named(const std::vector<ObjectId>& ids) const;
  void remember_look();
  const std::vector<size_t>& operator_ends() const;
  const std::vector<ObjectId>& tensors_ever_on(ObjectId storage) const;

  std::shared_ptr<Document> document_;
  std::shared_ptr<Document> trunk_;  // the whole trace, while document_ is a branch of it
  size_t branched_at_ = 0;
  trace::Replay replay_;
  trace::World world_;
  size_t time_ = 0;
  uint64_t revision_ = 1;
  uint64_t hover_revision_ = 0;
  Selection wanted_;     // what the user chose; all 0 at first
  Selection selection_;  // what that comes to at this moment: see Note [Selection]
  std::optional<int64_t> hovered_;
  ObjectId hovered_tensor_ = 0;
  size_t hovered_event_ = 0;
  bool shows_bytes_ = false;
  ObjectId pinned_ = 0;
  mutable std::string read_problem_;
  mutable std::unordered_map<std::type_index, std::shared_ptr<void>> memos_;
  std::vector<Selection> looked_;
  size_t look_at_ = 0;
  std::vector<size_t> bookmarks_;
  std::vector<ObjectId> hidden_;
  std::optional<size_t> compared_;
  std::vector<std::pair<std::string, std::string>> filters_;
  // Worked out from the trace when first asked for; good while it has `derived_size_` events.
  struct Derived {
    size_t of_size = SIZE_MAX;
    std::vector<size_t> operator_ends;
    std::unordered_map<ObjectId, std::vector<ObjectId>> tensors_on;
    std::unordered_map<ObjectId, int> colors;
  };
  Derived& derived() const;
  mutable Derived derived_;
};

}  // namespace cutaway::inspector
