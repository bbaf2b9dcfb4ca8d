#include "trace/recorder.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "core/error.h"
#include "trace/builder.h"
#include "trace/trace_file.h"

namespace cutaway::trace {

class Recorder final : public Observer {
 public:
  Recorder(RecorderOptions options, std::optional<std::string> path) : options_(options) {
    builder_.set_byte_cap(options.byte_cap);
    if (path) writer_.emplace(*path);
  }

  void storage_allocated(const StorageFacts& f) override {
    const auto lock = enter();
    const bool readable = f.initialised && f.data && f.nbytes <= options_.byte_cap;
    builder_.storage_allocated(f, readable ? bytes_of(f.data, 0, f.nbytes) : std::span<const std::byte>());
    flush();
  }
  void storage_freed(ObjectId id) override {
    const auto lock = enter();
    if (builder_.knows(id)) builder_.storage_freed(id);
  }
  void storage_resized(ObjectId id, uint64_t, const StorageFacts& now) override {
    const auto lock = enter();
    if (builder_.knows(id)) builder_.storage_resized(id, now);
  }
  void counts_changed(ObjectId id, uint32_t strong, uint32_t weak) override {
    if (!options_.counts) return;
    const auto lock = enter();
    if (builder_.knows(id)) builder_.counts_changed(id, strong, weak);
  }
  void tensor_made(const TensorFacts& f) override {
    const auto lock = enter();
    builder_.tensor_made(with_known_storage(f));
  }
  void tensor_changed(const TensorFacts& f) override {
    const auto lock = enter();
    if (builder_.knows(f.tensor)) builder_.tensor_changed(with_known_storage(f));
  }
  void tensor_released(ObjectId id) override {
    const auto lock = enter();
    if (builder_.knows(id)) builder_.tensor_released(id);
  }
  void tensor_named(ObjectId id, std::string_view name) override {
    const auto lock = enter();
    if (builder_.knows(id)) builder_.tensor_named(id, name);
  }
  void view_made(const ViewFacts& f) override {
    const auto lock = enter();
    if (builder_.knows(f.result) && builder_.knows(f.source)) builder_.view_made(f);
  }
  void before_write(const WriteFacts& f) override {
    const auto lock = enter();
    version_before_[std::this_thread::get_id()] = f.version;
  }
  void written(const WriteFacts& f) override {
    const auto lock = enter();
    if (!builder_.knows(f.storage)) return;
    const bool readable = f.data && f.end - f.begin <= options_.byte_cap;
    builder_.written(f, version_before_[std::this_thread::get_id()],
                     readable ? bytes_of(f.data, f.begin, f.end) : std::span<const std::byte>());
  }
  void version_changed(ObjectId counter, uint64_t old_version, uint64_t now) override {
    const auto lock = enter();
    if (builder_.knows(counter)) builder_.version_changed(counter, old_version, now);
  }
  void op_begin(std::string_view op, std::string_view call, const SourceLine&) override {
    const auto lock = enter();
    ++depth_[thread_];
    builder_.op_begin(op, call);
  }
  void op_end() override {
    const auto lock = enter();
    // An operator that was running when recording began ends here without having begun.
    if (depth_[thread_] == 0) return;
    --depth_[thread_];
    builder_.op_end();
    flush();
  }
  void error_raised(std::string_view kind, std::string_view message) override {
    const auto lock = enter();
    builder_.error(kind, message);
  }
  void mark(std::string_view text, const SourceLine&) override {
    const auto lock = enter();
    builder_.mark(text);
  }

  std::shared_ptr<const Trace> trace() const { return builder_.trace(); }

  void finish() {
    std::lock_guard lock(mutex_);
    if (!writer_) return;
    writer_->finish(*builder_.trace());
    writer_.reset();
  }

 private:
  // Takes the lock and tells the builder thread and source line of what follows.
  std::unique_lock<std::mutex> enter() {
    std::unique_lock lock(mutex_);
    const auto next = static_cast<uint16_t>(threads_.size());
    thread_ = threads_.try_emplace(std::this_thread::get_id(), next).first->second;
    builder_.set_thread(thread_);
    const SourceLine at = current_source_line();
    if (!at.file) {
      builder_.set_source(kNone);
      return lock;
    }
    const auto [found, fresh] = sources_.try_emplace({at.file, at.line}, kNone);
    if (fresh) found->second = builder_.source_index(at.file, at.line, at.text ? at.text : "");
    builder_.set_source(found->second);
    return lock;
  }

  void flush() {
    const auto& trace = *builder_.trace();
    if (!writer_ || trace.size() < flushed_ + kEventsPerChunk) return;
    writer_->append(trace);
    flushed_ = trace.size();
  }

  TensorFacts with_known_storage(TensorFacts f) const {
    if (!builder_.knows(f.storage)) f.storage = 0;
    return f;
  }

  static std::span<const std::byte> bytes_of(const void* data, uint64_t begin, uint64_t end) {
    return {static_cast<const std::byte*>(data) + begin, end - begin};
  }

  RecorderOptions options_;
  std::mutex mutex_;                                      // guards all below
  TraceBuilder builder_;
  std::optional<TraceWriter> writer_;
  size_t flushed_ = 0;
  uint16_t thread_ = 0;
  std::map<std::thread::id, uint16_t> threads_;
  std::map<std::thread::id, uint64_t> version_before_;
  std::map<uint16_t, int> depth_;
  std::map<std::pair<const char*, int>, TableIndex> sources_;
};

namespace {

std::unique_ptr<Recorder> install(std::unique_ptr<Recorder> recorder) {
  Observer* before = set_observer(recorder.get());
  if (before) set_observer(before);
  CUTAWAY_CHECK(before == nullptr, "a recording is already running; stop it first");
  return recorder;
}

}  // namespace

Recording::Recording(RecorderOptions options)
    : recorder_(install(std::make_unique<Recorder>(options, std::nullopt))) {}

Recording::Recording(const std::string& path, RecorderOptions options)
    : recorder_(install(std::make_unique<Recorder>(options, path))) {}

Recording::~Recording() {
  try {
    stop();
  } catch (const Error& error) {
    std::fprintf(stderr, "cutaway: the recording is not complete: %s\n", error.what());
  }
}

void Recording::stop() {
  if (observer() == recorder_.get()) set_observer(nullptr);
  recorder_->finish();
}

std::shared_ptr<const Trace> Recording::trace() const { return recorder_->trace(); }

}  // namespace cutaway::trace
