#include <flatbuffers/flatbuffers.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "trace/trace_data.h"
#include "trace/trace_file.h"
#include "trace/trace_format.h"

namespace cutaway::trace {
namespace {

using flatbuffers::Offset;

// Gathers the tables one chunk needs, with indices of its own.
class ChunkBuilder {
 public:
  explicit ChunkBuilder(const TraceData& data) : data_(data) {}

  void add(size_t number) {
    const Event& e = data_.events[number - 1];
    events_.emplace_back(static_cast<uint8_t>(e.kind), e.thread, source_of(e.source), detail_of(e, number), e.object,
                         e.old_value, e.new_value);
  }

  flatbuffers::DetachedBuffer finish(size_t first) {
    const auto events = out_.CreateVectorOfStructs(events_);
    const auto texts = out_.CreateVector(texts_);
    const auto sources = out_.CreateVector(sources_);
    const auto calls = out_.CreateVector(calls_);
    const auto storages = out_.CreateVector(storages_);
    const auto tensors = out_.CreateVector(tensors_);
    const auto views = out_.CreateVector(views_);
    const auto writes = out_.CreateVector(writes_);
    out_.Finish(fb::CreateChunk(out_, first, events, texts, sources, calls, storages, tensors, views, writes));
    return out_.Release();
  }

 private:
  uint32_t source_of(TableIndex source) {
    if (source == kNone) return kNone;
    const auto [found, fresh] = source_index_.try_emplace(source, static_cast<uint32_t>(sources_.size()));
    if (fresh) {
      const SourceText& s = data_.sources[source];
      sources_.push_back(fb::CreateSource(out_, out_.CreateString(s.file), s.line, out_.CreateString(s.text)));
    }
    return found->second;
  }

  template <class T>
  static uint32_t place(std::vector<T>& table, T row) {
    table.push_back(row);
    return static_cast<uint32_t>(table.size() - 1);
  }

  uint32_t detail_of(const Event& e, size_t number) {
    switch (e.kind) {
      case EventKind::StorageAllocated:
      case EventKind::StorageResized: return place(storages_, storage(e, number));
      case EventKind::TensorMade:
      case EventKind::TensorChanged: return place(tensors_, tensor(data_.snapshots[e.detail]));
      case EventKind::TensorNamed:
      case EventKind::Error:
      case EventKind::Mark: return place(texts_, out_.CreateString(data_.texts[e.detail]));
      case EventKind::ViewMade: return place(views_, view(data_.views[e.detail]));
      case EventKind::Write: return place(writes_, write(data_.writes[e.detail], number));
      case EventKind::OpBegin: {
        const OpSpan& span = data_.spans[e.detail];
        return place(calls_, fb::CreateCall(out_, out_.CreateString(span.op), out_.CreateString(span.call)));
      }
      case EventKind::StorageFreed:
      case EventKind::CountsChanged:
      case EventKind::TensorReleased:
      case EventKind::VersionChanged:
      case EventKind::OpEnd: return kNone;
    }
    return kNone;
  }

  Offset<flatbuffers::Vector<uint8_t>> bytes_of(ObjectId storage, size_t number) {
    const std::vector<std::byte> bytes = data_.bytes.patch_bytes(storage, number);
    if (bytes.empty()) return 0;
    return out_.CreateVector(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }

  Offset<fb::Storage> storage(const Event& e, size_t number) {
    const StorageRecord& s = data_.storages[e.detail];
    const auto contents = e.kind == EventKind::StorageAllocated ? bytes_of(e.object, number) : 0;
    return fb::CreateStorage(out_, s.nbytes, static_cast<uint8_t>(s.device.type), s.device.index,
                             out_.CreateString(s.allocator), s.resizable, s.initialised, contents);
  }

  Offset<fb::Tensor> tensor(const TensorSnapshot& s) {
    const auto sizes = out_.CreateVector(s.sizes), strides = out_.CreateVector(s.strides);
    return fb::CreateTensor(out_, s.storage, s.version_counter, 0, sizes, strides, s.storage_offset,
                            static_cast<int8_t>(s.dtype), static_cast<uint8_t>(s.device.type), s.device.index,
                            static_cast<uint8_t>(s.layout), s.key_set, s.requires_grad);
  }

  Offset<fb::View> view(const ViewRecord& v) {
    return fb::CreateView(out_, v.source, out_.CreateString(v.op), out_.CreateString(v.call), v.copied,
                          out_.CreateString(v.why));
  }

  Offset<fb::Write> write(const WriteRecord& w, size_t number) {
    const auto bytes = w.bytes_recorded ? bytes_of(w.storage, number) : 0;
    return fb::CreateWrite(out_, w.tensor, w.begin, w.end, w.version_before, w.version_after, bytes);
  }

  const TraceData& data_;
  flatbuffers::FlatBufferBuilder out_;
  std::vector<fb::Event> events_;
  std::vector<Offset<flatbuffers::String>> texts_;
  std::vector<Offset<fb::Source>> sources_;
  std::vector<Offset<fb::Call>> calls_;
  std::vector<Offset<fb::Storage>> storages_;
  std::vector<Offset<fb::Tensor>> tensors_;
  std::vector<Offset<fb::View>> views_;
  std::vector<Offset<fb::Write>> writes_;
  std::unordered_map<TableIndex, uint32_t> source_index_;
};

}  // namespace

TraceWriter::TraceWriter(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  CUTAWAY_CHECK(file_ != nullptr, path_, ": cannot be written: ", std::strerror(errno));
  write(kMagic, sizeof(kMagic));
  const uint32_t version[2] = {kTraceVersion, 0};
  write(version, sizeof(version));
}

TraceWriter::~TraceWriter() {
  if (file_) std::fclose(file_);
}

void TraceWriter::write(const void* bytes, size_t n) {
  CUTAWAY_CHECK(std::fwrite(bytes, 1, n, file_) == n, path_, ": writing failed: ", std::strerror(errno));
}

void TraceWriter::put(const char* tag, std::span<const uint8_t> payload) {
  FrameHeader header;
  std::memcpy(header.tag, tag, sizeof(header.tag));
  header.crc = static_cast<uint32_t>(crc32_z(0, payload.data(), payload.size()));
  header.length = payload.size();
  write(&header, sizeof(header));
  write(payload.data(), payload.size());
}

void TraceWriter::write_chunk(const Trace& trace, size_t first, size_t last) {
  ChunkBuilder chunk(*trace.data_);
  for (size_t number = first; number <= last; ++number) chunk.add(number);
  const auto buffer = chunk.finish(first);
  put(kChunkTag, {buffer.data(), buffer.size()});
}

void TraceWriter::append(const Trace& trace) {
  while (written_ < trace.size()) {
    const size_t last = std::min(trace.size(), written_ + kEventsPerChunk);
    write_chunk(trace, written_ + 1, last);
    written_ = last;
  }
  std::fflush(file_);
}

void TraceWriter::finish(const Trace& trace) {
  append(trace);
  const uint64_t count = written_;
  put(kEndTag, {reinterpret_cast<const uint8_t*>(&count), sizeof(count)});
  const int failed = std::fclose(std::exchange(file_, nullptr));
  CUTAWAY_CHECK(failed == 0, path_, ": writing failed: ", std::strerror(errno));
}

void write_trace(const Trace& trace, const std::string& path) { TraceWriter(path).finish(trace); }

}  // namespace cutaway::trace
