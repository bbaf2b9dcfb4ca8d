// What the library tells whoever watches it: one interface, one method for each kind of event.
//
// The layer where a thing happens reports it here (a storage reports its own allocation, a view function its
// own view). Nothing in this header knows what a trace is: the recorder in src/trace is one Observer, a test
// may be another. Events name objects by id; ids are never reused, addresses are.
//
// Cost when nobody watches: `observer()` is one load (acquire, which is a plain load on x86), and every call site
// branches on it.
// Thread safety: at most one observer is installed for the process. It is called on the thread where the event
// happens, possibly on several at once, never with a lock of the library held. It must not call back into the
// library, and it must outlive every thread that may still be reporting when it is removed.
//
// PyTorch: none for memory events; aten/src/ATen/record_function.h for operator spans
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/array_ref.h"
#include "core/device.h"
#include "core/layout.h"
#include "core/scalar_type.h"

namespace cutaway {

// Names a StorageImpl, a TensorImpl or a VersionCounter for its whole life and after. 0 means none.
using ObjectId = uint64_t;

// Returns: a fresh id; the sequence is shared by all kinds of object and starts at 1.
ObjectId next_object_id();

struct StorageFacts {
  ObjectId storage = 0;
  uint64_t nbytes = 0;
  Device device{};
  std::string_view allocator;  // "cpu", "foreign", "file", ...
  bool resizable = false;
  bool initialised = false;    // true when the bytes mean something from the start (zeros, foreign, file)
  const void* data = nullptr;  // readable for nbytes during the call when device is CPU; may be null
};

struct TensorFacts {
  ObjectId tensor = 0;
  ObjectId storage = 0;  // 0 for tensors without storage
  ObjectId version_counter = 0;
  uint64_t version = 0;
  IntArrayRef sizes;           // valid during the call only, like every view in these structs
  IntArrayRef strides;         // in elements
  int64_t storage_offset = 0;  // in elements
  ScalarType dtype = ScalarType::Undefined;
  Device device{};
  Layout layout = Layout::Strided;
  uint64_t key_set = 0;  // raw DispatchKeySet
  bool requires_grad = false;
};

// How a tensor came from another one. `copied` tells a copy that was made where a view was asked for (reshape,
// contiguous); `why` then says in one sentence why a view was impossible.
struct ViewFacts {
  ObjectId result = 0;
  ObjectId source = 0;    // the tensor the op was called on
  ObjectId root = 0;      // the tensor at the start of the chain of views
  std::string_view op;    // "transpose"
  std::string_view call;  // "transpose(0, 1)"
  bool copied = false;
  std::string_view why;
};

struct WriteFacts {
  ObjectId storage = 0;
  uint64_t begin = 0;  // bytes, from the start of the storage; [begin, end) bounds what is written
  uint64_t end = 0;
  const void* data = nullptr;  // start of the storage; readable for [begin, end)
  ObjectId tensor = 0;         // the tensor written through, 0 if unknown
  uint64_t version = 0;        // before_write: the version before; written: the version after
};

// Where in the user's program an event was caused.
struct SourceLine {
  const char* file = nullptr;
  int line = 0;
  const char* text = nullptr;  // the statement, null-terminated, static storage
};

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void storage_allocated(const StorageFacts&) {}
  virtual void storage_freed(ObjectId) {}
  virtual void storage_resized(ObjectId, uint64_t /*old_nbytes*/, const StorageFacts& /*now*/) {}
  virtual void counts_changed(ObjectId, uint32_t /*strong*/, uint32_t /*weak*/) {}

  virtual void tensor_made(const TensorFacts&) {}
  virtual void tensor_changed(const TensorFacts& /*now*/) {}
  virtual void tensor_released(ObjectId) {}
  virtual void tensor_named(ObjectId, std::string_view) {}
  virtual void view_made(const ViewFacts&) {}

  virtual void before_write(const WriteFacts&) {}
  virtual void written(const WriteFacts&) {}
  virtual void version_changed(ObjectId /*counter*/, uint64_t /*old*/, uint64_t /*now*/) {}

  virtual void op_begin(std::string_view /*op*/, std::string_view /*call*/, const SourceLine&) {}
  virtual void op_end() {}
  virtual void error_raised(std::string_view /*kind*/, std::string_view /*message*/) {}
  virtual void mark(std::string_view /*text*/, const SourceLine&) {}
};

namespace detail {
extern std::atomic<Observer*> current_observer;
}

// Returns: the installed observer, or null. Call sites: `if (Observer* o = observer()) o->...`.
inline Observer* observer() { return detail::current_observer.load(std::memory_order_acquire); }

// Installs `o` (null removes). Returns: the observer installed before.
Observer* set_observer(Observer* o);

// The source line of the statement that this thread is in, set by CUTAWAY_STEP; all null at first.
SourceLine current_source_line();
void set_source_line(SourceLine line);

// Brackets one operator call: every event between belongs to it.
class OpScope {
 public:
  explicit OpScope(std::string_view op, std::string_view call = {}) : observer_(observer()) {
    if (observer_) observer_->op_begin(op, call, current_source_line());
  }
  ~OpScope() {
    if (observer_) observer_->op_end();
  }
  OpScope(const OpScope&) = delete;
  OpScope& operator=(const OpScope&) = delete;

  // Whether somebody watches: lets a caller skip building strings for ViewFacts.
  explicit operator bool() const { return observer_ != nullptr; }

 private:
  Observer* observer_;
};

// Tells the observer that the program has reached a point worth a bookmark: "title\nprose".
void mark(std::string_view text);

}  // namespace cutaway

// Runs a statement and tells the observer its file, line and text: CUTAWAY_STEP(Tensor y = transpose(x, 0, 1));
#define CUTAWAY_STEP(...)                                             \
  ::cutaway::set_source_line({__FILE__, __LINE__, #__VA_ARGS__ ";"}); \
  __VA_ARGS__
