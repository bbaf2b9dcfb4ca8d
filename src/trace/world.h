// The state of every object at one moment: what the panels draw.
//
// A World is a value: a pure function of (trace, t). It is cheap to copy (its columns are shared
// copy-on-write chunks). Objects that have died stay in it, marked dead, so that a panel may still name them.
// Thread safety: reading is safe from any thread while nobody appends to the trace. It keeps the trace alive.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/observer.h"
#include "trace/event.h"

namespace cutaway::trace {

struct Columns;
struct TraceData;

struct StorageState {
  ObjectId id = 0;
  uint64_t nbytes = 0;
  Device device{};
  std::string allocator;
  bool resizable = false;
  bool alive = false;
  bool partial = false;  // made before the recording began; it has `nbytes` at least
  uint32_t strong = 0;   // 0 when counts were not recorded
  uint32_t weak = 0;
  size_t born = 0;        // event number that allocated it
  size_t died = 0;        // event number that freed it, 0 while alive at t
  size_t last_write = 0;  // event number, 0 if never written
};

struct TensorState {
  ObjectId id = 0;
  std::string name;  // "" when the program gave none
  ObjectId storage = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;  // in elements
  int64_t storage_offset = 0;    // in elements
  ScalarType dtype = ScalarType::Undefined;
  Device device{};
  Layout layout = Layout::Strided;
  uint64_t key_set = 0;  // raw DispatchKeySet
  bool requires_grad = false;
  ObjectId version_counter = 0;
  ObjectId source = 0;  // the tensor it was made from, 0 if none
  ObjectId root = 0;    // the start of its chain of views, 0 if it is no view
  std::string made_by;  // "transpose(0, 1)"
  bool copied = false;  // a copy made where a view was impossible; `why` says why
  std::string why;
  bool alive = false;
  size_t born = 0;
  size_t died = 0;
  size_t changed = 0;    // event number of the last change of its metadata, 0 if it is as it was made
  uint64_t version = 0;  // of its counter at t
  uint32_t strong = 0;   // 0 when counts were not recorded
  uint32_t weak = 0;
  // Whether all its elements lie in its storage. False when the storage shrank under it: clip what you draw.
  bool in_bounds = true;
};

// A living tensor's facts where they lie, for lists of very many: good during the visit only.
struct TensorGlance {
  ObjectId id = 0;
  const std::string& name;
  IntArrayRef sizes;
  IntArrayRef strides;
  ScalarType dtype = ScalarType::Undefined;
  ObjectId storage = 0;
  uint64_t storage_nbytes = 0;
  bool is_view = false;
  bool requires_grad = false;
};

class World {
 public:
  World();
  ~World();
  World(const World&);
  World(World&&) noexcept;
  World& operator=(const World&);
  World& operator=(World&&) noexcept;

  size_t time() const { return time_; }

  // Returns: nothing when the object is not born yet at time(), or is of another kind.
  std::optional<StorageState> storage(ObjectId id) const;
  std::optional<TensorState> tensor(ObjectId id) const;

  // All objects born by time(), dead ones too, in order of birth.
  std::vector<ObjectId> storages() const;
  std::vector<ObjectId> tensors() const;
  // Living tensors over one storage, in order of birth.
  std::vector<ObjectId> tensors_on(ObjectId storage) const;
  // All tensors that looked at a storage at some time up to now, dead ones too, in the order in which they
  // came to it.
  std::vector<ObjectId> tensors_ever_on(ObjectId storage) const;

  // Calls visit for every living tensor, in order of birth. A million take less than 0.1 s.
  void visit_living_tensors(const std::function<void(const TensorGlance&)>& visit) const;

  uint64_t version(ObjectId counter) const;
  // Returns: the name of a tensor, "" when it has none. Cheaper than tensor().
  const std::string& name(ObjectId tensor) const;
  // Returns: whether a storage or tensor is born and not dead.
  bool alive(ObjectId id) const;

  // A hash of the whole state, equal for equal states however they were reached (inspector.md 6.2).
  uint64_t hash() const;

 private:
  friend class Replay;
  std::shared_ptr<const TraceData> data_;
  std::shared_ptr<const Columns> columns_;
  size_t time_ = 0;
};

}  // namespace cutaway::trace
