#include "trace/trace_data.h"

#include <algorithm>
#include <iterator>

namespace cutaway::trace {

void SlotMap::add(ObjectId id, Slot slot) {
  constexpr size_t kSlack = 65536, kSpread = 8;  // ids of other kinds of object come in between
  if (id >= dense_.size() && id < kSlack + kSpread * slot) {
    dense_.resize(std::max(id + 1, 2 * dense_.size()), kNone);
    for (auto entry = sparse_.begin(); entry != sparse_.end();) {
      const bool fits = entry->first < dense_.size();
      if (fits) dense_[entry->first] = entry->second;
      entry = fits ? sparse_.erase(entry) : std::next(entry);
    }
  }
  if (id < dense_.size())
    dense_[id] = slot;
  else
    sparse_.emplace(id, slot);
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

namespace {

// Calls `touch` with each object that event `number` touches.
template <class Touch>
void for_each_touched(const TraceData& data, size_t number, const Touch& touch) {
  const Event& event = data.events[number - 1];
  const Slot object = data.slots[number - 1];
  Slot other = kNone;
  switch (event.kind) {
    case EventKind::TensorMade:
    case EventKind::TensorChanged: other = data.tensors[event.detail].storage; break;
    case EventKind::ViewMade: other = data.slot(data.views[event.detail].source); break;
    case EventKind::Write: other = data.slot(data.writes[event.detail].record.tensor); break;
    default: break;
  }
  if (object != kNone) touch(object);
  if (other != kNone && other != object) touch(other);
}

}  // namespace

// Counts first, so that all numbers lie in one vector.
void TouchIndex::gather(const TraceData& data) {
  gathered_ = data.events.size();
  first_.assign(data.objects.size() + 1, 0);
  for (size_t number = 1; number <= gathered_; ++number)
    for_each_touched(data, number, [&](Slot slot) { ++first_[slot + 1]; });
  for (size_t slot = 1; slot < first_.size(); ++slot) first_[slot] += first_[slot - 1];
  numbers_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (size_t number = 1; number <= gathered_; ++number)
    for_each_touched(data, number,
                     [&](Slot slot) { numbers_[next[slot]++] = static_cast<uint32_t>(number); });
}

std::vector<size_t> TouchIndex::of(const TraceData& data, Slot slot) {
  constexpr size_t kFew = 16384;
  std::lock_guard lock(mutex_);
  if (data.events.size() > gathered_ + kFew) gather(data);
  std::vector<size_t> touched;
  if (slot + 1 < first_.size())
    touched.assign(numbers_.begin() + first_[slot], numbers_.begin() + first_[slot + 1]);
  for (size_t number = gathered_ + 1; number <= data.events.size(); ++number)
    for_each_touched(data, number, [&](Slot other) {
      if (other == slot) touched.push_back(number);
    });
  return touched;
}

}  // namespace cutaway::trace
