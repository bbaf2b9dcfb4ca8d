// One user's look at a document: the current event, the one selection, what is hovered, and where they were before.
//
// Every panel derives from a Session; panels hold no state of their own beyond scroll positions. Actions are methods, and
// each leaves a consistent state: an index out of range is clamped, a dead selection falls back.
// `revision` goes up with every change, so that a panel knows when to work things out anew.
// Thread safety: one thread.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inspector/model/document.h"
#include "trace/replay.h"

namespace cutaway::inspector {

struct Selection {
  ObjectId tensor = 0;
  ObjectId storage = 0;
  std::optional<int64_t> element;   // of the storage
  friend bool operator==(const Selection&, const Selection&) = default;
};

class Session {
 public:
  explicit Session(std::shared_ptr<Document> document);

  Document& document() { return *document_; }
  const Document& document() const { return *document_; }
  const trace::Trace& trace() const { return document_->trace(); }
  uint64_t revision() const { return revision_; }

  // Time.
  size_t time() const { return time_; }
  const trace::World& world() const { return world_; }
  void seek(size_t t);              // beyond the end: the end
  void step(int64_t events);        // negative: back
  void step_operator(int direction);
  void step_into();                 // to the next event, whatever its depth
  void step_out();                  // to the end of the operator that is running
  void step_touching(int direction);  // events that concern the selection
  void step_mark(int direction);    // steps of a tour
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
  std::optional<int64_t> hovered_element() const { return hovered_; }
  void hover_element(std::optional<int64_t> element);
  // Views looked at, one after the other.
  void look_back();
  void look_forward();

  // Tensors laid over the selected storage: those living on it, in order of birth, without the hidden ones.
  std::vector<trace::TensorState> overlays() const;
  bool is_hidden(ObjectId tensor) const;
  void toggle_hidden(ObjectId tensor);
  // The place of a tensor among all that were ever made over its storage: its colour, the same at every event.
  int color_of(ObjectId tensor) const;

  // A tensor that is compared with: its geometry is kept as it is now.
  void lock_compare();
  std::optional<size_t> compared_event() const { return compared_; }

  // Appends views (Document::add_view) and goes to them. Throws: ValueError.
  void add_view(const std::string& expression);
  // The refused view at the current event, or null.
  const FailedView* failure() const;

  // Filter words of a list, by the list's name.
  std::string& filter(const std::string& list);

  // The View lab's own geometry over the selected storage; follows the selection until it is turned.
  Geometry lab;
  bool lab_turned = false;
  void reset_lab();
  void touch() { ++revision_; }

 private:
  void moved();
  void selected();

  std::shared_ptr<Document> document_;
  trace::Replay replay_;
  trace::World world_;
  size_t time_ = 0;
  uint64_t revision_ = 1;
  Selection selection_;
  std::optional<int64_t> hovered_;
  std::vector<Selection> looked_;
  size_t look_at_ = 0;
  std::vector<size_t> bookmarks_;
  std::vector<ObjectId> hidden_;
  std::optional<size_t> compared_;
  std::vector<std::pair<std::string, std::string>> filters_;
  mutable std::unordered_map<ObjectId, int> colors_;
  mutable size_t colored_size_ = SIZE_MAX;
};

}  // namespace cutaway::inspector
