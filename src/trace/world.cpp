#include "trace/world.h"

#include <algorithm>

#include "trace/trace_data.h"

namespace cutaway::trace {

World::World() = default;
World::~World() = default;
World::World(const World&) = default;
World::World(World&&) noexcept = default;
World& World::operator=(const World&) = default;
World& World::operator=(World&&) noexcept = default;

namespace {

const std::string kNoText;

// How many slots are born by time t: slots are given in order of birth.
size_t born_slots(const TraceData& data, size_t t) {
  size_t low = 0, high = data.objects.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (data.objects[middle].born <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::vector<ObjectId> born_objects(const TraceData* data, size_t t, ObjectKind kind) {
  std::vector<ObjectId> ids;
  if (!data) return ids;
  const size_t born = born_slots(*data, t);
  for (size_t slot = 0; slot < born; ++slot)
    if (data->objects[slot].kind == kind) ids.push_back(data->objects[slot].id);
  return ids;
}

// Returns: `died` as it looks at time t.
size_t death_at(const ObjectRow& object, size_t t) { return object.died <= t ? object.died : 0; }

uint32_t strong_of(uint64_t counts) { return static_cast<uint32_t>(counts >> 32); }
uint32_t weak_of(uint64_t counts) { return static_cast<uint32_t>(counts); }

const std::string& name_at(const TraceData& data, const Columns& columns, Slot tensor) {
  const uint32_t name = columns.last.at(tensor);
  return name ? data.texts[name - 1] : kNoText;
}

uint64_t version_at(const TraceData& data, const Columns& columns, Slot counter) {
  if (counter == kNone) return 0;
  return std::max(data.objects[counter].number, columns.number.at(counter));
}

void add_view(TensorState& s, const ViewRecord& view) {
  s.source = view.source;
  s.root = view.root;
  s.made_by = view.call;
  s.copied = view.copied;
  s.why = view.why;
}

}  // namespace

std::optional<StorageState> World::storage(ObjectId id) const {
  const Slot slot = data_ ? data_->slot_at(id, ObjectKind::Storage, time_) : kNone;
  if (slot == kNone) return std::nullopt;
  const ObjectRow& object = data_->objects[slot];
  const StorageRecord& record = data_->storages[columns_->facts.at(slot)].record;
  const uint64_t counts = columns_->number.at(slot);
  StorageState s;
  s.id = id;
  s.nbytes = record.nbytes;
  s.device = record.device;
  s.allocator = record.allocator;
  s.resizable = record.resizable;
  s.partial = record.partial;
  s.born = object.born;
  s.died = death_at(object, time_);
  s.alive = s.died == 0;
  s.strong = strong_of(counts);
  s.weak = weak_of(counts);
  s.last_write = columns_->last.at(slot);
  return s;
}

std::optional<TensorState> World::tensor(ObjectId id) const {
  const Slot slot = data_ ? data_->slot_at(id, ObjectKind::Tensor, time_) : kNone;
  if (slot == kNone) return std::nullopt;
  const ObjectRow& object = data_->objects[slot];
  const TensorRow& row = data_->tensors[columns_->facts.at(slot)];
  const uint64_t counts = columns_->number.at(slot);
  TensorState s;
  s.id = id;
  s.name = name_at(*data_, *columns_, slot);
  s.sizes = row.sizes().vec();
  s.strides = row.strides().vec();
  s.storage_offset = row.storage_offset;
  s.dtype = row.dtype;
  s.device = row.device;
  s.layout = row.layout;
  s.key_set = row.key_set;
  s.requires_grad = row.requires_grad;
  if (row.counter != kNone) s.version_counter = data_->objects[row.counter].id;
  s.version = version_at(*data_, *columns_, row.counter);
  s.born = object.born;
  s.died = death_at(object, time_);
  s.alive = s.died == 0;
  s.changed = row.changed;
  s.strong = strong_of(counts);
  s.weak = weak_of(counts);
  if (row.storage != kNone) {
    s.storage = data_->objects[row.storage].id;
    s.in_bounds = row.needs <= data_->storages[columns_->facts.at(row.storage)].record.nbytes;
  }
  if (const uint32_t view = columns_->view.at(slot)) add_view(s, data_->views[view - 1]);
  return s;
}

std::vector<ObjectId> World::storages() const {
  return born_objects(data_.get(), time_, ObjectKind::Storage);
}
std::vector<ObjectId> World::tensors() const { return born_objects(data_.get(), time_, ObjectKind::Tensor); }

std::vector<ObjectId> World::tensors_on(ObjectId storage) const {
  std::vector<ObjectId> ids;
  const Slot slot = data_ ? data_->slot_at(storage, ObjectKind::Storage, time_) : kNone;
  if (slot == kNone || slot >= data_->tensors_over.size()) return ids;
  for (const Slot tensor : data_->tensors_over[slot]) {
    if (data_->objects[tensor].born > time_ || !data_->alive_at(tensor, time_)) continue;
    if (data_->tensors[columns_->facts.at(tensor)].storage == slot) ids.push_back(data_->objects[tensor].id);
  }
  return ids;
}

std::vector<ObjectId> World::tensors_ever_on(ObjectId storage) const {
  std::vector<ObjectId> ids;
  const Slot slot = data_ ? data_->slot_at(storage, ObjectKind::Storage, time_) : kNone;
  if (slot == kNone || slot >= data_->tensors_over.size()) return ids;
  for (const Slot tensor : data_->tensors_over[slot])
    if (data_->objects[tensor].born <= time_) ids.push_back(data_->objects[tensor].id);
  return ids;
}

void World::visit_living_tensors(const std::function<void(const TensorGlance&)>& visit) const {
  if (!data_) return;
  const size_t born = born_slots(*data_, time_);
  for (Slot slot = 0; slot < born; ++slot) {
    const ObjectRow& object = data_->objects[slot];
    if (object.kind != ObjectKind::Tensor || !data_->alive_at(slot, time_)) continue;
    const TensorRow& row = data_->tensors[columns_->facts.at(slot)];
    const uint32_t view = columns_->view.at(slot);
    TensorGlance glance{object.id, name_at(*data_, *columns_, slot), row.sizes(), row.strides(), row.dtype};
    if (row.storage != kNone) {
      glance.storage = data_->objects[row.storage].id;
      glance.storage_nbytes = data_->storages[columns_->facts.at(row.storage)].record.nbytes;
    }
    glance.is_view = view != 0 && data_->views[view - 1].root != 0;
    glance.requires_grad = row.requires_grad;
    visit(glance);
  }
}

uint64_t World::version(ObjectId counter) const {
  const Slot slot = data_ ? data_->slot_at(counter, ObjectKind::Counter, time_) : kNone;
  return slot == kNone ? 0 : version_at(*data_, *columns_, slot);
}

const std::string& World::name(ObjectId tensor) const {
  const Slot slot = data_ ? data_->slot_at(tensor, ObjectKind::Tensor, time_) : kNone;
  return slot == kNone ? kNoText : name_at(*data_, *columns_, slot);
}

bool World::alive(ObjectId id) const {
  const Slot slot = data_ ? data_->slot(id) : kNone;
  return slot != kNone && data_->objects[slot].born <= time_ && data_->alive_at(slot, time_);
}

namespace {

// Gathers the values of a state; indices into tables stay out of it, so that a trace and its file agree.
class StateHash {
 public:
  void add(uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15ull;
    hash_ ^= hash_ >> 29;
  }
  void add(const std::string& text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  void add(Device device) {
    add(static_cast<uint64_t>(device.type) << 8 | static_cast<uint8_t>(device.index));
  }

  void add(const StorageRecord& s) {
    add(s.nbytes);
    add(s.device);
    add(s.allocator);
    add(uint64_t{s.resizable} << 2 | uint64_t{s.initialised} << 1 | uint64_t{s.partial});
  }

  void add(const TensorRow& t) {
    for (size_t i = 0; i < 2 * size_t{t.rank}; ++i) add(static_cast<uint64_t>(t.dims[i]));
    add(static_cast<uint64_t>(t.storage_offset));
    add(t.key_set);
    add(uint64_t{t.storage} << 32 | t.counter);
    add(uint64_t{t.changed} << 32 | uint64_t{t.rank} << 16 | static_cast<uint8_t>(t.dtype));
    add(t.device);
    add(static_cast<uint64_t>(t.layout) << 1 | uint64_t{t.requires_grad});
  }

  void add(const ViewRecord& v) {
    add(v.source);
    add(v.root);
    add(v.call);
    add(v.why);
    add(uint64_t{v.copied});
  }

  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace

uint64_t World::hash() const {
  StateHash hash;
  if (!data_) return hash.value();
  const size_t born = born_slots(*data_, time_);
  for (Slot slot = 0; slot < born; ++slot) {
    const ObjectRow& object = data_->objects[slot];
    hash.add(object.id);
    if (object.kind == ObjectKind::Counter) {
      hash.add(version_at(*data_, *columns_, slot));
      continue;
    }
    hash.add(death_at(object, time_));
    hash.add(columns_->number.at(slot));
    if (object.kind == ObjectKind::Storage) {
      hash.add(data_->storages[columns_->facts.at(slot)].record);
      hash.add(columns_->last.at(slot));
      continue;
    }
    hash.add(data_->tensors[columns_->facts.at(slot)]);
    hash.add(name_at(*data_, *columns_, slot));
    if (const uint32_t view = columns_->view.at(slot)) hash.add(data_->views[view - 1]);
  }
  return hash.value();
}

}  // namespace cutaway::trace
