#include "trace/recorder.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/warning.h"
#include "trace/builder.h"
#include "trace/trace_file.h"

// A recorder is one lock around a builder.
//
// Order. Whoever holds the lock appends the next event, so the trace has one order that agrees with what each
// thread did and with every hand-over between threads (who hands a tensor over reported its making before).
// Life. An operator that began while a recording ran may end after it was stopped, on any thread: it still
// holds the observer. So recorders are never deleted, only emptied; there is one for each recording, and it
// is small.
// Re-entrance. A check of ours that fails is reported to the observer, which is us, with the lock held:
// `busy` stops it.

namespace cutaway::trace {

namespace {

// What a recorder knows of the thread it is called on.
struct ThreadState {
  uint64_t recorder = 0;  // the recorder that all below belongs to
  uint16_t number = 0;
  SourceLine line;  // the last one, and its index
  TableIndex source = kNone;
  bool busy = false;

  // Writes that have begun, innermost last. One that throws is never told as written.
  struct Begun {
    ObjectId storage;
    uint64_t begin, end, version;
    std::vector<std::byte> bytes;  // before
  };
  std::vector<Begun> writes;
};

thread_local ThreadState thread_state;

constexpr uint64_t kOldBytes = 4096;  // up to here a write also keeps what was there before

std::span<const std::byte> bytes_of(const void* data, uint64_t begin, uint64_t end) {
  return {static_cast<const std::byte*>(data) + begin, end - begin};
}

}  // namespace

class Recorder final : public Observer {
 public:
  Recorder(RecorderOptions options, std::optional<std::string> path)
      : number_(++last_number),
        options_(options),
        builder_(std::make_unique<TraceBuilder>()),
        trace_(builder_->trace()) {
    builder_->set_byte_cap(options.byte_cap);
    if (path) writer_ = std::make_unique<TraceWriter>(*path);
  }

  void storage_allocated(const StorageFacts& f) override {
    record([&](ThreadState&) {
      const bool readable = f.initialised && f.data && f.nbytes <= options_.byte_cap;
      builder_->storage_allocated(f, readable ? bytes_of(f.data, 0, f.nbytes) : std::span<const std::byte>());
    });
  }

  void storage_freed(ObjectId id) override {
    record([&](ThreadState&) { about(id) ? builder_->storage_freed(id) : leave_out(); });
  }

  void storage_resized(ObjectId id, uint64_t old_nbytes, const StorageFacts& now) override {
    record([&](ThreadState&) {
      builder_->storage_met(id, old_nbytes, now.device);
      builder_->storage_resized(id, now);
    });
  }

  void counts_changed(ObjectId id, uint32_t strong, uint32_t weak) override {
    if (!options_.counts) return;
    record([&](ThreadState&) { about(id) ? builder_->counts_changed(id, strong, weak) : leave_out(); });
  }

  void tensor_made(const TensorFacts& f) override {
    record([&](ThreadState&) {
      meet_storage(f);
      builder_->tensor_made(f);
    });
  }

  void tensor_changed(const TensorFacts& f) override {
    record([&](ThreadState&) {
      meet_storage(f);
      // One made before the recording began appears now.
      about(f.tensor) ? builder_->tensor_changed(f) : builder_->tensor_made(f);
    });
  }

  void tensor_released(ObjectId id) override {
    record([&](ThreadState&) { about(id) ? builder_->tensor_released(id) : leave_out(); });
  }

  void tensor_named(ObjectId id, std::string_view name) override {
    record([&](ThreadState&) { about(id) ? builder_->tensor_named(id, name) : leave_out(); });
  }

  void view_made(const ViewFacts& f) override {
    record([&](ThreadState&) {
      ViewFacts known = f;
      if (!about(f.source)) known.source = 0;
      about(f.result) ? builder_->view_made(known) : leave_out();
    });
  }

  void before_write(const WriteFacts& f) override {
    if (stopped_.load(std::memory_order_relaxed)) return;
    ThreadState& here = state();
    if (here.busy) return;
    ThreadState::Begun begun{f.storage, f.begin, f.end, f.version, {}};
    if (f.data && f.end - f.begin <= kOldBytes) {
      const auto bytes = bytes_of(f.data, f.begin, f.end);
      begun.bytes.assign(bytes.begin(), bytes.end());
    }
    here.writes.push_back(std::move(begun));
  }

  void written(const WriteFacts& f) override {
    record([&](ThreadState& here) {
      const auto begun = take_begun(here, f);
      builder_->storage_met(f.storage, f.end, Device());
      WriteFacts known = f;
      if (!about(f.tensor)) known.tensor = 0;
      const bool readable = f.data && f.end - f.begin <= options_.byte_cap;
      builder_->written(known, begun ? begun->version : f.version,
                        readable ? bytes_of(f.data, f.begin, f.end) : std::span<const std::byte>(),
                        begun ? std::span<const std::byte>(begun->bytes) : std::span<const std::byte>());
    });
  }

  void version_changed(ObjectId counter, uint64_t, uint64_t now) override {
    record([&](ThreadState&) { about(counter) ? builder_->version_changed(counter, now) : leave_out(); });
  }

  void op_begin(std::string_view op, std::string_view call, const SourceLine&) override {
    record([&](ThreadState&) { builder_->op_begin(op, call); });
  }

  void op_end() override {
    // An operator that was running when recording began ends here without having begun.
    record([&](ThreadState&) { builder_->inside_operator() ? builder_->op_end() : leave_out(); });
  }

  void error_raised(std::string_view kind, std::string_view message) override {
    record([&](ThreadState&) { builder_->error(kind, message); }, true);
  }

  void mark(std::string_view text, const SourceLine&) override {
    record([&](ThreadState&) { builder_->mark(text); }, true);
  }

  // Requires: not finished.
  std::shared_ptr<const Trace> trace() const { return trace_; }

  // Ends the recording. Returns: why it is not complete, or "".
  std::string finish() {
    std::lock_guard lock(mutex_);
    if (!builder_) return "";
    stopped_ = true;
    if (left_out_ > 0)
      builder_->add_note(detail::concat("Left out ", left_out_,
                                        left_out_ == 1 ? " event about an object" : " events about objects",
                                        " made before the recording began."));
    if (!failure_.empty()) builder_->add_note(failure_);
    builder_->finish();
    try {
      if (writer_) writer_->finish(*trace_);
    } catch (const std::exception& error) {
      if (failure_.empty()) failure_ = error.what();
    }
    writer_.reset();
    builder_.reset();
    trace_.reset();
    return failure_;
  }

 private:
  // The calling thread's state, of this recorder.
  ThreadState& state() {
    ThreadState& here = thread_state;
    if (here.recorder == number_) return here;
    const uint16_t next = threads_.load(std::memory_order_relaxed);
    here.recorder = number_;
    here.number = next == kNoThread ? next : threads_.fetch_add(1, std::memory_order_relaxed);
    here.line = {};
    here.source = kNone;
    here.writes.clear();
    return here;
  }

  // Runs `append` with the lock held, the builder knowing thread and source line. With `flush`, what is
  // recorded so far reaches the file: the event is one after which a program may end.
  template <class Append>
  void record(const Append& append, bool flush = false) {
    if (stopped_.load(std::memory_order_relaxed)) return;
    ThreadState& here = state();
    if (here.busy) return;
    here.busy = true;
    {
      std::lock_guard lock(mutex_);
      if (builder_ && failure_.empty()) append_safely(append, here, flush);
    }
    here.busy = false;
  }

  template <class Append>
  void append_safely(const Append& append, ThreadState& here, bool flush) {
    try {
      builder_->set_thread(here.number);
      builder_->set_source(source_of(here));
      try {
        append(here);
      } catch (const ValueError&) {
        ++left_out_;  // the library told something that contradicts what it told before
      }
      const size_t size = trace_->size();
      if (writer_ && (flush || size >= flushed_ + kFlushEvents)) {
        writer_->append(*trace_, flush);
        flushed_ = size;
      }
      if (size >= options_.most_events)
        fail(detail::concat("The recording ended after ", size, " events, its limit."));
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  void fail(std::string why) {
    failure_ = std::move(why);
    stopped_ = true;
  }

  TableIndex source_of(ThreadState& here) {
    const SourceLine now = current_source_line();
    if (!now.file) return kNone;
    if (here.source != kNone && now.file == here.line.file && now.line == here.line.line &&
        now.text == here.line.text)
      return here.source;
    here.line = now;
    return here.source = builder_->source_index(now.file, now.line, now.text ? now.text : "");
  }

  bool about(ObjectId id) const { return id != 0 && builder_->knows(id); }
  void leave_out() { ++left_out_; }

  // A tensor over a storage that was made before the recording began brings word of it.
  void meet_storage(const TensorFacts& f) {
    if (!f.storage || builder_->knows(f.storage)) return;
    int64_t elements = f.storage_offset + 1;
    for (size_t i = 0; i < f.sizes.size(); ++i) {
      if (f.sizes[i] == 0) elements = INT64_MIN;
      elements += (f.sizes[i] - 1) * f.strides[i];
    }
    builder_->storage_met(
        f.storage, static_cast<uint64_t>(std::max<int64_t>(elements, 0)) * element_size(f.dtype), f.device);
  }

  static std::optional<ThreadState::Begun> take_begun(ThreadState& here, const WriteFacts& f) {
    while (!here.writes.empty()) {
      ThreadState::Begun last = std::move(here.writes.back());
      here.writes.pop_back();
      if (last.storage == f.storage && last.begin == f.begin && last.end == f.end) return last;
    }
    return std::nullopt;
  }

  static constexpr uint16_t kNoThread = 0xffff;  // later threads share this number
  static constexpr size_t kFlushEvents = 1024;
  static inline std::atomic<uint64_t> last_number{0};

  const uint64_t number_;
  const RecorderOptions options_;
  std::atomic<bool> stopped_{false};
  std::atomic<uint16_t> threads_{0};
  std::mutex mutex_;                       // guards all below
  std::unique_ptr<TraceBuilder> builder_;  // null when stopped
  std::shared_ptr<const Trace> trace_;
  std::unique_ptr<TraceWriter> writer_;
  size_t flushed_ = 0;
  uint64_t left_out_ = 0;
  std::string failure_;
};

namespace {

// Makes a recorder that lives for ever and installs it.
Recorder* install(RecorderOptions options, std::optional<std::string> path) {
  static std::mutex mutex;
  static auto& all = *new std::deque<std::unique_ptr<Recorder>>;
  std::lock_guard lock(mutex);
  CUTAWAY_CHECK(observer() == nullptr, "a recording is already running; stop it first");
  all.push_back(std::make_unique<Recorder>(options, std::move(path)));
  set_observer(all.back().get());
  return all.back().get();
}

}  // namespace

Recording::Recording(RecorderOptions options)
    : recorder_(install(options, std::nullopt)), trace_(recorder_->trace()) {}
Recording::Recording(const std::string& path, RecorderOptions options)
    : recorder_(install(options, path)), trace_(recorder_->trace()) {}

Recording::~Recording() {
  try {
    stop();
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

void Recording::stop() {
  if (observer() == recorder_) set_observer(nullptr);
  const std::string failure = recorder_->finish();
  CUTAWAY_CHECK(failure.empty(), "the recording is not complete: ", failure);
}

}  // namespace cutaway::trace
