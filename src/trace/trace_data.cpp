#include "trace/trace_data.h"

namespace cutaway::trace {

Slot TraceData::slot(ObjectId id) const {
  const auto found = slot_of.find(id);
  return found == slot_of.end() ? kNone : found->second;
}

Slot TraceData::slot_at(ObjectId id, ObjectKind kind, size_t t) const {
  const Slot place = slot(id);
  return place != kNone && objects[place].kind == kind && objects[place].born <= t ? place : kNone;
}

void apply(const TraceData& data, Columns& columns, size_t number) {
  const Event& event = data.events[number - 1];
  const Slot slot = data.slots[number - 1];
  const auto now = static_cast<uint64_t>(event.new_value);
  switch (event.kind) {
    case EventKind::StorageAllocated:
    case EventKind::StorageResized:
    case EventKind::TensorMade:
    case EventKind::TensorChanged: columns.facts.set(slot, event.detail); break;
    case EventKind::TensorNamed:
    case EventKind::Write: columns.last.set(slot, static_cast<uint32_t>(now)); break;
    case EventKind::ViewMade: columns.view.set(slot, static_cast<uint32_t>(now)); break;
    case EventKind::CountsChanged:
    case EventKind::VersionChanged: columns.number.set(slot, now); break;
    case EventKind::StorageFreed:
    case EventKind::TensorReleased:
    case EventKind::OpBegin:
    case EventKind::OpEnd:
    case EventKind::Error:
    case EventKind::Mark: break;
  }
}

void undo(const TraceData& data, Columns& columns, size_t number) {
  const Event& event = data.events[number - 1];
  const Slot slot = data.slots[number - 1];
  const auto before = static_cast<uint64_t>(event.old_value);
  switch (event.kind) {
    case EventKind::StorageResized: columns.facts.set(slot, data.storages[event.detail].before); break;
    case EventKind::TensorChanged: columns.facts.set(slot, static_cast<uint32_t>(before)); break;
    case EventKind::TensorNamed:
    case EventKind::Write: columns.last.set(slot, static_cast<uint32_t>(before)); break;
    case EventKind::ViewMade: columns.view.set(slot, static_cast<uint32_t>(before)); break;
    case EventKind::CountsChanged:
    case EventKind::VersionChanged: columns.number.set(slot, before); break;
    case EventKind::StorageAllocated:  // nobody sees an object that is not born yet
    case EventKind::TensorMade:
    case EventKind::StorageFreed:
    case EventKind::TensorReleased:
    case EventKind::OpBegin:
    case EventKind::OpEnd:
    case EventKind::Error:
    case EventKind::Mark: break;
  }
}

void TouchIndex::add(Slot slot, uint32_t number) {
  if (slot == kNone) return;
  if (slot >= numbers_.size()) numbers_.resize(slot + 1);
  if (numbers_[slot].empty() || numbers_[slot].back() != number) numbers_[slot].push_back(number);
}

std::vector<size_t> TouchIndex::of(const TraceData& data, Slot slot) {
  std::lock_guard lock(mutex_);
  for (; done_ < data.events.size(); ++done_) {
    const Event& event = data.events[done_];
    const auto number = static_cast<uint32_t>(done_ + 1);
    add(data.slots[done_], number);
    switch (event.kind) {
      case EventKind::TensorMade:
      case EventKind::TensorChanged: add(data.tensors[event.detail].storage, number); break;
      case EventKind::ViewMade: add(data.slot(data.views[event.detail].source), number); break;
      case EventKind::Write: add(data.slot(data.writes[event.detail].record.tensor), number); break;
      default: break;
    }
  }
  if (slot >= numbers_.size()) return {};
  return {numbers_[slot].begin(), numbers_[slot].end()};
}

}  // namespace cutaway::trace
