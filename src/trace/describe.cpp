// One sentence for every event, in words that a stranger understands.

#include <sstream>

#include "trace/trace.h"
#include "trace/trace_data.h"

namespace cutaway::trace {
namespace {

class Describer {
 public:
  Describer(const TraceData& data, const World* world, size_t number)
      : data_(data), world_(world), event_(data.events[number - 1]) {}

  std::string sentence() {
    switch (event_.kind) {
      case EventKind::StorageAllocated: {
        const StorageRecord& s = data_.storages[event_.detail];
        out_ << "storage #" << event_.object << " allocated, " << s.nbytes << " bytes, " << s.device.str();
        if (s.allocator == "file") out_ << ", mapped from the file";
        if (s.allocator == "foreign") out_ << ", memory of somebody else";
        break;
      }
      case EventKind::StorageFreed: out_ << "storage #" << event_.object << " freed"; break;
      case EventKind::StorageResized:
        out_ << "storage #" << event_.object << " resized from " << event_.old_value << " to " << event_.new_value
             << " bytes";
        break;
      case EventKind::CountsChanged:
        out_ << name(event_.object) << " has " << (event_.new_value >> 32) << " strong and "
             << static_cast<uint32_t>(event_.new_value) << " weak references";
        break;
      case EventKind::TensorMade:
      case EventKind::TensorChanged: tensor(); break;
      case EventKind::TensorReleased: out_ << name(event_.object) << " released: no handle is left"; break;
      case EventKind::TensorNamed:
        out_ << "tensor #" << event_.object << " is called " << data_.texts[event_.detail];
        break;
      case EventKind::ViewMade: view(); break;
      case EventKind::Write: write(); break;
      case EventKind::VersionChanged:
        out_ << "version counter #" << event_.object << " goes from " << event_.old_value << " to "
             << event_.new_value;
        break;
      case EventKind::OpBegin: out_ << data_.spans[event_.detail].call << " begins"; break;
      case EventKind::OpEnd: out_ << data_.spans[event_.detail].call << " ends"; break;
      case EventKind::Error: out_ << data_.texts[event_.detail]; break;
      case EventKind::Mark: {
        const std::string& text = data_.texts[event_.detail];
        out_ << text.substr(0, text.find('\n'));
        break;
      }
    }
    return out_.str();
  }

 private:
  std::string name(ObjectId id) const {
    const auto tensor = world_ ? world_->tensor(id) : std::nullopt;
    if (tensor && !tensor->name.empty()) return tensor->name;
    const uint32_t slot = data_.slot(id);
    const bool storage = slot != kNone && data_.kind_of[slot] == ObjectKind::Storage;
    return (storage ? "storage #" : "tensor #") + std::to_string(id);
  }

  void tensor() {
    const TensorSnapshot& s = data_.snapshots[event_.detail];
    out_ << name(event_.object) << (event_.kind == EventKind::TensorMade ? " made: sizes " : " now has sizes ")
         << IntArrayRef(s.sizes) << ", strides " << IntArrayRef(s.strides) << ", offset " << s.storage_offset << ", "
         << dtype_name(s.dtype);
    if (s.storage) out_ << ", over storage #" << s.storage;
  }

  void view() {
    const ViewRecord& v = data_.views[event_.detail];
    out_ << name(v.result) << " is " << (v.copied ? "a copy of " : "a view of ") << name(v.source) << " by " << v.call;
    if (v.copied && !v.why.empty()) out_ << ". " << v.why;
  }

  void write() {
    const WriteRecord& w = data_.writes[event_.detail];
    out_ << "bytes " << w.begin << " to " << (w.end ? w.end - 1 : 0) << " of storage #" << w.storage << " written";
    if (w.tensor) out_ << " through " << name(w.tensor);
    if (w.version_after != w.version_before)
      out_ << ", version " << w.version_before << " to " << w.version_after;
    if (!w.bytes_recorded) out_ << " (the bytes were not recorded)";
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
