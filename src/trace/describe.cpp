// One sentence for every event, in words that a stranger understands.
//
// Objects go by name where the world knows one. Sentences say what changed from what to what, and for a copy
// why it was made: they are the first thing a reader sees of an event.

#include <algorithm>
#include <sstream>

#include "trace/trace.h"
#include "trace/trace_data.h"

namespace cutaway::trace {
namespace {

// "1 byte", "1,024 bytes"
std::string counted(uint64_t n, const char* noun) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + " " + noun + (n == 1 ? "" : "s");
}

class Describer {
 public:
  Describer(const TraceData& data, const World* world, size_t number)
      : data_(data), world_(world), event_(data.events[number - 1]) {}

  std::string sentence() {
    switch (event_.kind) {
      case EventKind::StorageAllocated: allocated(data_.storages[event_.detail].record); break;
      case EventKind::StorageFreed:
        out_ << storage() << " is freed: " << bytes(event_.old_value) << " go back to where they came from";
        break;
      case EventKind::StorageResized: resized(data_.storages[event_.detail].record); break;
      case EventKind::CountsChanged: counts(); break;
      case EventKind::TensorMade: made(data_.tensors[event_.detail]); break;
      case EventKind::TensorChanged: changed(); break;
      case EventKind::TensorReleased: out_ << name(event_.object) << " ends: no handle to it is left"; break;
      case EventKind::TensorNamed: out_ << "tensor #" << event_.object << " is called " << text(); break;
      case EventKind::ViewMade: view(data_.views[event_.detail]); break;
      case EventKind::Write: write(data_.writes[event_.detail].record); break;
      case EventKind::VersionChanged:
        out_ << "version counter #" << event_.object << owner() << " goes from " << event_.old_value << " to "
             << event_.new_value;
        break;
      case EventKind::OpBegin: out_ << data_.spans[event_.detail].call << " begins"; break;
      case EventKind::OpEnd: out_ << data_.spans[event_.detail].call << " ends"; break;
      case EventKind::Error: out_ << text(); break;
      case EventKind::Mark: out_ << text().substr(0, text().find('\n')); break;
    }
    return out_.str();
  }

 private:
  const std::string& text() const { return data_.texts[event_.detail]; }
  std::string storage() const { return "storage #" + std::to_string(event_.object); }
  static std::string bytes(int64_t n) { return counted(static_cast<uint64_t>(n), "byte"); }

  std::string name(ObjectId id) const {
    if (id == 0) return "a tensor made before the recording began";
    if (world_ && !world_->name(id).empty()) return world_->name(id);
    return "tensor #" + std::to_string(id);
  }

  // " (x)": the tensor that carries this version counter, when the world knows one with a name.
  std::string owner() const {
    if (!world_) return "";
    for (const ObjectId id : world_->tensors()) {
      if (world_->name(id).empty() || !world_->alive(id)) continue;
      const auto tensor = world_->tensor(id);
      if (tensor->version_counter == event_.object)
        return " (" + world_->name(tensor->root ? tensor->root : id) + ")";
    }
    return "";
  }

  void allocated(const StorageRecord& s) {
    const std::string size = bytes(static_cast<int64_t>(s.nbytes));
    if (s.partial)
      out_ << storage() << " appears, made before the recording began: it has at least " << size;
    else if (s.allocator == "file")
      out_ << storage() << " lies in a file: " << size << ", read when they are looked at";
    else if (s.allocator == "foreign")
      out_ << storage() << " takes over " << size << " of memory that somebody else made";
    else
      out_ << storage() << " is allocated: " << size << " on " << s.device
           << (s.initialised ? "" : ", uninitialised");
  }

  void resized(const StorageRecord& s) {
    if (s.partial) {
      out_ << storage() << " turns out to have at least " << bytes(event_.new_value);
      return;
    }
    out_ << storage() << " is resized from " << event_.old_value << " to " << bytes(event_.new_value);
    if (event_.new_value > event_.old_value) out_ << ", the new ones uninitialised";
  }

  void counts() {
    const auto phrase = [](uint32_t n) { return counted(n, "strong reference"); };
    const bool tensor = data_.objects[data_.slot(event_.object)].kind == ObjectKind::Tensor;
    const uint32_t before = count_strong(event_.old_value), now = count_strong(event_.new_value);
    out_ << (tensor ? name(event_.object) : storage()) << " has " << phrase(now) << " and "
         << counted(count_weak(event_.new_value), "weak one");
    if (now != before && event_.old_value != 0) out_ << ", it had " << before;
  }

  void geometry(const TensorRow& t) {
    out_ << dtype_name(t.dtype) << ", sizes " << t.sizes() << ", strides " << t.strides() << ", offset "
         << t.storage_offset;
  }

  void made(const TensorRow& t) {
    out_ << name(event_.object) << " is made: ";
    geometry(t);
    if (t.storage == kNone)
      out_ << ", without a storage";
    else
      out_ << ", over storage #" << data_.objects[t.storage].id;
  }

  void changed() {
    const TensorRow &now = data_.tensors[event_.detail],
                    &before = data_.tensors[static_cast<size_t>(event_.old_value)];
    out_ << name(event_.object) << " changes in place: ";
    const char* comma = "";
    const auto field = [&](const char* what, const auto& from, const auto& to) {
      if (from == to) return;
      out_ << comma << what << ' ' << from << " become"
           << (what[std::char_traits<char>::length(what) - 1] == 's' ? " " : "s ") << to;
      comma = ", ";
    };
    const auto id = [&](Slot slot) { return slot == kNone ? ObjectId{0} : data_.objects[slot].id; };
    field("sizes", before.sizes(), now.sizes());
    field("strides", before.strides(), now.strides());
    field("offset", before.storage_offset, now.storage_offset);
    field("dtype", before.dtype, now.dtype);
    field("storage #", id(before.storage), id(now.storage));
    if (*comma == '\0') geometry(now);
  }

  void view(const ViewRecord& v) {
    out_ << name(v.result) << " is " << (v.copied ? "a copy of " : "a view of ") << name(v.source)
         << ", made by " << v.call;
    if (!v.copied) out_ << ": no byte moved";
    if (v.copied && !v.why.empty()) out_ << ". " << v.why;
  }

  void write(const WriteRecord& w) {
    if (w.begin == w.end)
      out_ << "a write of no bytes to " << storage();
    else
      out_ << (w.end == w.begin + 1 ? "byte " : "bytes ") << w.begin;
    if (w.end > w.begin + 1) out_ << " to " << w.end - 1;
    if (w.begin != w.end)
      out_ << " of " << storage() << (w.end == w.begin + 1 ? " is" : " are") << " written";
    if (w.tensor) out_ << " through " << name(w.tensor);
    if (w.version_after != w.version_before)
      out_ << ", version " << w.version_before << " becomes " << w.version_after;
    if (!w.bytes_recorded) out_ << " (not all bytes were recorded)";
  }

  const TraceData& data_;
  const World* world_;
  const Event& event_;
  std::ostringstream out_;
};

}  // namespace

std::string Trace::describe(size_t number, const World* world) const {
  event(number);
  return Describer(*data_, world, number).sentence();
}

}  // namespace cutaway::trace
