// What is open: a trace, or tensor files looked at as one. The only thing panels draw from.
//
// A tensor file becomes a trace in memory: for each entry a storage (whose bytes stay in the file and are asked for when
// they are on the screen), a tensor and its name. Entries that cannot be tensors here are listed with their reason.
// Views the user asks for are appended as events, so they have a place in time like everything else.
// Thread safety: none for add_view; reading is safe while nobody adds.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "inspector/model/refused_view.h"
#include "inspector/model/view_expression.h"
#include "io/tensor_file.h"
#include "trace/builder.h"
#include "trace/trace.h"

namespace cutaway::inspector {

// Where a tensor came from, for those of a file.
struct FileOrigin {
  std::string path;
  std::string format;      // "npz"
  std::string dtype_text;  // as the file says
  std::string byte_order;  // "little", "big", "-"
  uint64_t begin = 0;
  uint64_t end = 0;
  bool compressed = false;
};

// An entry of a file that is no tensor here.
struct UnreadableEntry {
  std::string name;
  std::string dtype_text;
  std::vector<int64_t> sizes;
  std::string reason;
};

// One of the files that are open.
struct OpenFile {
  std::string path;
  std::string format;  // "npz", "trace"
  uint64_t nbytes = 0;
  size_t tensors = 0;
  size_t unreadable = 0;
  std::vector<io::MetadataPair> metadata;
};

class Document {
 public:
  // `until`: take the first so many events only.
  // Throws: Error of the reader.
  static std::shared_ptr<Document> open_trace(const std::string& path, bool partial, size_t until = SIZE_MAX);
  static std::shared_ptr<Document> open_files(const std::vector<std::string>& paths);
  // One trace, or tensor files: told apart by their first bytes.
  static std::shared_ptr<Document> open(const std::vector<std::string>& paths);
  // Nothing is open.
  static std::shared_ptr<Document> empty();
  // A trace that is in memory already.
  static std::shared_ptr<Document> of(std::shared_ptr<trace::TraceBuilder> builder, const std::string& title);

  const trace::Trace& trace() const { return *trace_; }
  // For a worker that must outlive this document.
  std::shared_ptr<const trace::Trace> shared_trace() const { return trace_; }
  bool is_trace() const { return files_.empty() && !paths_.empty(); }
  const std::vector<std::string>& paths() const { return paths_; }
  // "digits.npz", "tour.trace"
  std::string title() const;
  const std::vector<OpenFile>& open_files() const { return open_; }
  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<UnreadableEntry>& unreadable() const { return unreadable_; }
  std::optional<FileOrigin> origin(ObjectId tensor) const;

  // The refused operations of the trace and of add_view, in order, at most 1,000 of them.
  std::vector<FailedView> failed_views() const;
  // Returns: what was refused at event `number`, and why; null when it is no such event.
  const FailedView* failure_at(size_t number) const;

  // Names that an expression may begin with, at the end of time.
  const std::vector<std::string>& names() const { return name_index().names; }
  // Returns: the living tensor of that name at the end of time, the latest; a dead one if none lives; 0 if none.
  ObjectId tensor_named(const std::string& name) const;

  // Works out an expression and appends a view for each of its steps, at the end of time.
  // Returns: the last tensor made (the named one when there are no steps).
  // Throws: ValueError for what cannot be read. What an operation refuses becomes the last of failed_views().
  ObjectId add_view(const std::string& expression);

 private:
  struct NameIndex {
    size_t of_size = SIZE_MAX;  // of the trace it was made for
    std::vector<std::string> names;
    std::unordered_map<std::string, ObjectId> tensors;
  };

  void add_file(const std::string& path);
  void add_entry(const std::shared_ptr<const io::TensorFile>& file, size_t index);
  const NameIndex& name_index() const;
  ObjectId fresh_id();
  ObjectId append_step(ObjectId source, const StepResult& step, const trace::TensorState& from);
  void append_failure(ObjectId source, const Evaluation& evaluation);

  std::shared_ptr<trace::TraceBuilder> builder_;
  std::shared_ptr<const trace::Trace> trace_;
  std::vector<std::string> paths_;
  std::vector<std::shared_ptr<const io::TensorFile>> files_;
  std::vector<OpenFile> open_;
  std::vector<std::string> problems_;
  std::vector<UnreadableEntry> unreadable_;
  std::unordered_map<ObjectId, FileOrigin> origins_;
  ObjectId last_id_ = 0;
  mutable std::unordered_map<size_t, std::optional<FailedView>>
      failures_;  // by event number, as far as worked out
  mutable NameIndex names_;
};

Geometry geometry_of(const trace::TensorState& tensor);
// Returns: the tensor's name, or "tensor #12".
std::string name_of(const trace::TensorState& tensor);

}  // namespace cutaway::inspector
