#include "trace/world.h"

#include <algorithm>

#include "trace/trace_data.h"

namespace cutaway::trace {

Slot& Columns::edit(size_t slot) {
  const size_t chunk = slot / kChunkSlots;
  while (chunks.size() <= chunk) chunks.push_back(std::make_shared<Chunk>());
  if (chunks[chunk].use_count() > 1) chunks[chunk] = std::make_shared<Chunk>(*chunks[chunk]);
  return (*chunks[chunk])[slot % kChunkSlots];
}

uint32_t TraceData::slot(ObjectId id) const {
  const auto found = slot_of.find(id);
  return found == slot_of.end() ? kNone : found->second;
}

uint32_t apply(const TraceData& data, Columns& columns, const Event& event, size_t number) {
  const uint32_t place = event.object ? data.slot(event.object) : kNone;
  if (place == kNone) return kNone;
  Slot& slot = columns.edit(place);
  const auto at = static_cast<uint32_t>(number);
  switch (event.kind) {
    case EventKind::StorageAllocated:
    case EventKind::TensorMade:
      slot.born = at;
      slot.detail = event.detail;
      slot.value = static_cast<uint64_t>(event.new_value);
      break;
    case EventKind::StorageResized:
      slot.detail = event.detail;
      slot.value = static_cast<uint64_t>(event.new_value);
      break;
    case EventKind::TensorChanged:
      slot.detail = event.detail;
      slot.changed = at;
      break;
    case EventKind::StorageFreed:
    case EventKind::TensorReleased: slot.died = at; break;
    case EventKind::CountsChanged:
      slot.strong = static_cast<uint32_t>(event.new_value >> 32);
      slot.weak = static_cast<uint32_t>(event.new_value);
      break;
    case EventKind::TensorNamed: slot.name = event.detail; break;
    case EventKind::ViewMade: slot.view = event.detail; break;
    case EventKind::Write: slot.changed = at; break;
    case EventKind::VersionChanged:
      if (slot.born == 0) slot.born = at;
      slot.value = static_cast<uint64_t>(event.new_value);
      break;
    case EventKind::OpBegin:
    case EventKind::OpEnd:
    case EventKind::Error:
    case EventKind::Mark: break;
  }
  return place;
}

World::World() = default;
World::~World() = default;
World::World(const World&) = default;
World::World(World&&) noexcept = default;
World& World::operator=(const World&) = default;
World& World::operator=(World&&) noexcept = default;

namespace {

// The slot of an object of that kind that is born, or null.
const Slot* born_slot(const TraceData* data, const Columns* columns, ObjectId id, ObjectKind kind) {
  if (!data) return nullptr;
  const uint32_t place = data->slot(id);
  if (place == kNone || data->kind_of[place] != kind || place / kChunkSlots >= columns->chunks.size()) return nullptr;
  const Slot& slot = columns->at(place);
  return slot.born ? &slot : nullptr;
}

std::vector<ObjectId> born_objects(const TraceData* data, const Columns* columns, ObjectKind kind) {
  std::vector<ObjectId> ids;
  if (!data) return ids;
  const size_t slots = std::min(data->id_of.size(), columns->chunks.size() * kChunkSlots);
  for (size_t place = 0; place < slots; ++place)
    if (data->kind_of[place] == kind && columns->at(place).born) ids.push_back(data->id_of[place]);
  return ids;
}

}  // namespace

std::optional<StorageState> World::storage(ObjectId id) const {
  const Slot* slot = born_slot(data_.get(), columns_.get(), id, ObjectKind::Storage);
  if (!slot) return std::nullopt;
  const StorageRecord& record = data_->storages[slot->detail];
  StorageState s;
  s.id = id;
  s.nbytes = slot->value;
  s.device = record.device;
  s.allocator = record.allocator;
  s.resizable = record.resizable;
  s.alive = slot->died == 0;
  s.strong = slot->strong;
  s.weak = slot->weak;
  s.born = slot->born;
  s.died = slot->died;
  s.last_write = slot->changed;
  return s;
}

std::optional<TensorState> World::tensor(ObjectId id) const {
  const Slot* slot = born_slot(data_.get(), columns_.get(), id, ObjectKind::Tensor);
  if (!slot) return std::nullopt;
  const TensorSnapshot& snapshot = data_->snapshots[slot->detail];
  TensorState s;
  s.id = id;
  if (slot->name != kNone) s.name = data_->texts[slot->name];
  s.storage = snapshot.storage;
  s.sizes = snapshot.sizes;
  s.strides = snapshot.strides;
  s.storage_offset = snapshot.storage_offset;
  s.dtype = snapshot.dtype;
  s.device = snapshot.device;
  s.layout = snapshot.layout;
  s.key_set = snapshot.key_set;
  s.requires_grad = snapshot.requires_grad;
  s.version_counter = snapshot.version_counter;
  s.version = version(snapshot.version_counter);
  s.alive = slot->died == 0;
  s.born = slot->born;
  s.died = slot->died;
  s.changed = slot->changed;
  if (slot->view == kNone) return s;
  const ViewRecord& view = data_->views[slot->view];
  s.source = view.source;
  s.root = view.root;
  s.made_by = view.call;
  s.copied = view.copied;
  s.why = view.why;
  return s;
}

std::vector<ObjectId> World::storages() const { return born_objects(data_.get(), columns_.get(), ObjectKind::Storage); }
std::vector<ObjectId> World::tensors() const { return born_objects(data_.get(), columns_.get(), ObjectKind::Tensor); }

std::vector<ObjectId> World::tensors_on(ObjectId storage) const {
  std::vector<ObjectId> ids;
  if (!data_) return ids;
  const size_t slots = std::min(data_->id_of.size(), columns_->chunks.size() * kChunkSlots);
  for (size_t place = 0; place < slots; ++place) {
    const Slot& slot = columns_->at(place);
    const bool living = data_->kind_of[place] == ObjectKind::Tensor && slot.born && !slot.died;
    if (living && data_->snapshots[slot.detail].storage == storage) ids.push_back(data_->id_of[place]);
  }
  return ids;
}

uint64_t World::version(ObjectId counter) const {
  const Slot* slot = born_slot(data_.get(), columns_.get(), counter, ObjectKind::Counter);
  return slot ? slot->value : 0;
}

uint64_t World::hash() const {
  uint64_t hash = 0xcbf29ce484222325ull;
  const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001b3ull; };
  if (!columns_) return hash;
  for (size_t place = 0; place < columns_->chunks.size() * kChunkSlots; ++place) {
    const Slot& s = columns_->at(place);
    if (!s.born && !s.changed && s.name == kNone && s.view == kNone && !s.strong && !s.weak) continue;
    for (uint64_t part : {uint64_t(place), s.value, uint64_t(s.born), uint64_t(s.died), uint64_t(s.changed),
                          uint64_t(s.detail), uint64_t(s.name), uint64_t(s.view), uint64_t(s.strong), uint64_t(s.weak)})
      mix(part);
  }
  return hash;
}

}  // namespace cutaway::trace
