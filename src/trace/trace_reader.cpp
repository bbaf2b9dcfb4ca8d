#include <flatbuffers/flatbuffers.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "trace/trace_file.h"
#include "trace/trace_format.h"

namespace cutaway::trace {
namespace {

// Deep enough for our tables, and a bound for what a stranger's file may cost.
constexpr int kMostDepth = 8;
constexpr int kMostTables = 1 << 20;
constexpr uint64_t kHeaderBytes = 16;

std::string_view view_of(const flatbuffers::String* s) { return s ? std::string_view(s->c_str(), s->size()) : ""; }

template <class Table>
auto row(const flatbuffers::Vector<flatbuffers::Offset<Table>>* table, uint32_t index, const char* what) {
  CUTAWAY_CHECK_VALUE(table && index < table->size() && table->Get(index), "an event refers to ", what, " ", index,
                      ", which is not there");
  return table->Get(index);
}

Device device_of(uint8_t type, int8_t index) {
  CUTAWAY_CHECK_VALUE(type < kDeviceTypes, "unknown device ", int(type));
  return Device(static_cast<DeviceType>(type), index);
}

std::span<const std::byte> bytes_of(const flatbuffers::Vector<uint8_t>* v) {
  if (!v) return {};
  return {reinterpret_cast<const std::byte*>(v->data()), v->size()};
}

// Feeds the events of one verified chunk to the builder.
class ChunkReader {
 public:
  ChunkReader(const fb::Chunk& chunk, TraceBuilder& builder) : chunk_(chunk), builder_(builder) {
    if (chunk.sources())
      for (const auto* s : *chunk.sources())
        sources_.push_back(builder.source_index(view_of(s->file()), s->line(), view_of(s->text())));
  }

  void feed(const fb::Event& e) {
    CUTAWAY_CHECK_VALUE(e.kind() < kEventKinds, "unknown kind of event ", int(e.kind()));
    CUTAWAY_CHECK_VALUE(e.thread() < 4096, "thread number ", e.thread(), " is too large");
    CUTAWAY_CHECK_VALUE(e.source() == kNone || e.source() < sources_.size(), "an event refers to source line ",
                        e.source(), ", which is not there");
    builder_.set_thread(e.thread());
    builder_.set_source(e.source() == kNone ? kNone : sources_[e.source()]);
    feed_object(e);
  }

 private:
  void feed_object(const fb::Event& e) {
    switch (static_cast<EventKind>(e.kind())) {
      case EventKind::StorageAllocated: {
        const auto* s = row(chunk_.storages(), e.detail(), "storage");
        return builder_.storage_allocated(storage_facts(e.object(), *s), bytes_of(s->contents()));
      }
      case EventKind::StorageResized:
        return builder_.storage_resized(e.object(),
                                        storage_facts(e.object(), *row(chunk_.storages(), e.detail(), "storage")));
      case EventKind::StorageFreed: return builder_.storage_freed(e.object());
      case EventKind::CountsChanged:
        return builder_.counts_changed(e.object(), static_cast<uint32_t>(e.new_value() >> 32),
                                       static_cast<uint32_t>(e.new_value()));
      case EventKind::TensorMade: return builder_.tensor_made(tensor_facts(e));
      case EventKind::TensorChanged: return builder_.tensor_changed(tensor_facts(e));
      case EventKind::TensorReleased: return builder_.tensor_released(e.object());
      case EventKind::TensorNamed: return builder_.tensor_named(e.object(), text(e));
      case EventKind::ViewMade: return feed_view(e);
      case EventKind::Write: return feed_write(e);
      case EventKind::VersionChanged:
        return builder_.version_changed(e.object(), static_cast<uint64_t>(e.old_value()),
                                        static_cast<uint64_t>(e.new_value()));
      default: return feed_program(e);
    }
  }

  void feed_program(const fb::Event& e) {
    switch (static_cast<EventKind>(e.kind())) {
      case EventKind::OpBegin: {
        const auto* call = row(chunk_.calls(), e.detail(), "call");
        return builder_.op_begin(view_of(call->op()), view_of(call->call()));
      }
      case EventKind::OpEnd: return builder_.op_end();
      case EventKind::Error: {
        const std::string_view whole = text(e);
        const size_t colon = std::min(whole.find(": "), whole.size());
        return builder_.error(whole.substr(0, colon), whole.substr(std::min(colon + 2, whole.size())));
      }
      default: return builder_.mark(text(e));
    }
  }

  static StorageFacts storage_facts(ObjectId id, const fb::Storage& s) {
    StorageFacts f;
    f.storage = id;
    f.nbytes = s.nbytes();
    f.device = device_of(s.device(), s.device_index());
    f.allocator = view_of(s.allocator());
    f.resizable = s.resizable();
    f.initialised = s.initialised();
    return f;
  }

  TensorFacts tensor_facts(const fb::Event& e) const {
    const auto* t = row(chunk_.tensors(), e.detail(), "tensor");
    TensorFacts f;
    f.tensor = e.object();
    f.storage = t->storage();
    f.version_counter = t->version_counter();
    f.version = t->version();
    if (t->sizes()) f.sizes = {t->sizes()->data(), t->sizes()->size()};
    if (t->strides()) f.strides = {t->strides()->data(), t->strides()->size()};
    f.storage_offset = t->storage_offset();
    f.dtype = static_cast<ScalarType>(t->dtype());
    const bool known = f.dtype == ScalarType::Undefined || element_size(f.dtype) != 0;
    CUTAWAY_CHECK_VALUE(known, "unknown dtype ", int(t->dtype()));
    f.device = device_of(t->device(), t->device_index());
    CUTAWAY_CHECK_VALUE(t->layout() <= 1, "unknown layout ", int(t->layout()));
    f.layout = static_cast<Layout>(t->layout());
    f.key_set = t->key_set();
    f.requires_grad = t->requires_grad();
    return f;
  }

  void feed_view(const fb::Event& e) {
    const auto* v = row(chunk_.views(), e.detail(), "view");
    ViewFacts f;
    f.result = e.object();
    f.source = v->source();
    f.op = view_of(v->op());
    f.call = view_of(v->call());
    f.copied = v->copied();
    f.why = view_of(v->why());
    builder_.view_made(f);
  }

  void feed_write(const fb::Event& e) {
    const auto* w = row(chunk_.writes(), e.detail(), "write");
    WriteFacts f;
    f.storage = e.object();
    f.tensor = w->tensor();
    f.begin = w->begin();
    f.end = w->end();
    f.version = w->version_after();
    builder_.written(f, w->version_before(), bytes_of(w->bytes()));
  }

  std::string_view text(const fb::Event& e) const { return view_of(row(chunk_.texts(), e.detail(), "text")); }

  const fb::Chunk& chunk_;
  TraceBuilder& builder_;
  std::vector<TableIndex> sources_;
};

// Reads frame after frame; `at` is where the trouble is when an error leaves it.
class FileReader {
 public:
  FileReader(std::span<const uint8_t> bytes, TraceBuilder& builder) : bytes_(bytes), builder_(builder) {}

  uint64_t at() const { return at_; }
  uint64_t whole_events() const { return whole_events_; }

  void read_header() {
    CUTAWAY_CHECK_VALUE(bytes_.size() >= sizeof(kMagic) && std::memcmp(bytes_.data(), kMagic, sizeof(kMagic)) == 0,
                        "this is no Cutaway trace: it does not begin with CUTAWAY. Tensor files open with "
                        "`./cutaway open FILE`");
    at_ = sizeof(kMagic);
    CUTAWAY_CHECK_VALUE(bytes_.size() >= kHeaderBytes, "the file ends inside its header");
    uint32_t version = 0;
    std::memcpy(&version, bytes_.data() + at_, sizeof(version));
    CUTAWAY_CHECK_VALUE(version == kTraceVersion, "trace version ", version, " is not the version this program reads, ",
                        kTraceVersion, version > kTraceVersion ? ". Use a newer Cutaway" : ". Record it again");
    at_ = kHeaderBytes;
  }

  // Returns: false after the end mark.
  bool read_frame() {
    FrameHeader header;
    CUTAWAY_CHECK_VALUE(bytes_.size() - at_ >= sizeof(header),
                        "the file ends without an end mark: the recording was cut off");
    std::memcpy(&header, bytes_.data() + at_, sizeof(header));
    const bool chunk = std::memcmp(header.tag, kChunkTag, 4) == 0, end = std::memcmp(header.tag, kEndTag, 4) == 0;
    CUTAWAY_CHECK_VALUE(chunk || end, "neither a chunk nor the end mark begins here; the file is damaged");
    const uint64_t room = bytes_.size() - at_ - sizeof(header);
    CUTAWAY_CHECK_VALUE(header.length <= room, "a chunk of ", header.length, " bytes begins here, but only ", room,
                        " bytes follow: the file was cut off");
    const auto payload = bytes_.subspan(at_ + sizeof(header), header.length);
    const auto crc = static_cast<uint32_t>(crc32_z(0, payload.data(), payload.size()));
    CUTAWAY_CHECK_VALUE(crc == header.crc, "the checksum of this chunk does not match; the file is damaged");
    if (end)
      check_end(payload);
    else
      read_chunk(payload);
    at_ += sizeof(header) + header.length;
    return chunk;
  }

  void check_nothing_follows() {
    CUTAWAY_CHECK_VALUE(at_ == bytes_.size(), bytes_.size() - at_, " bytes follow the end mark; the file is damaged");
  }

 private:
  void check_end(std::span<const uint8_t> payload) {
    uint64_t count = 0;
    CUTAWAY_CHECK_VALUE(payload.size() == sizeof(count), "the end mark is damaged");
    std::memcpy(&count, payload.data(), sizeof(count));
    CUTAWAY_CHECK_VALUE(count == whole_events_, "the end mark says ", count, " events, but ", whole_events_,
                        " were found; the file is damaged");
  }

  void read_chunk(std::span<const uint8_t> payload) {
    // FlatBuffers reads numbers in place, so they must be aligned as they were written.
    std::vector<uint64_t> aligned((payload.size() + 7) / 8);
    if (!payload.empty()) std::memcpy(aligned.data(), payload.data(), payload.size());
    const auto* begin = reinterpret_cast<const uint8_t*>(aligned.data());
    flatbuffers::Verifier verifier(begin, payload.size(), kMostDepth, kMostTables);
    CUTAWAY_CHECK_VALUE(fb::VerifyChunkBuffer(verifier), "this chunk is not well-formed; the file is damaged");
    const fb::Chunk& chunk = *fb::GetChunk(begin);
    CUTAWAY_CHECK_VALUE(chunk.events() && chunk.events()->size() > 0 && chunk.first_event() == whole_events_ + 1,
                        "this chunk does not continue the one before; the file is damaged");
    ChunkReader reader(chunk, builder_);
    for (const auto* event : *chunk.events()) reader.feed(*event);
    whole_events_ += chunk.events()->size();
    CUTAWAY_CHECK_VALUE(builder_.trace()->size() == whole_events_, "this chunk gives ", builder_.trace()->size(),
                        " events where it says ", whole_events_, "; the file is damaged");
  }

  std::span<const uint8_t> bytes_;
  TraceBuilder& builder_;
  uint64_t at_ = 0;
  uint64_t whole_events_ = 0;
};

std::vector<uint8_t> slurp(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  CUTAWAY_CHECK(file != nullptr, path, ": cannot be opened: ", std::strerror(errno));
  std::vector<uint8_t> bytes;
  uint8_t block[1 << 16];
  size_t n = 0;
  while ((n = std::fread(block, 1, sizeof(block), file)) > 0) bytes.insert(bytes.end(), block, block + n);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  CUTAWAY_CHECK(!failed, path, ": cannot be read: ", std::strerror(EISDIR));
  return bytes;
}

}  // namespace

LoadedTrace read_trace(std::span<const uint8_t> bytes, const std::string& name, ReadOptions options) {
  LoadedTrace loaded;
  loaded.builder = std::make_shared<TraceBuilder>();
  loaded.trace = loaded.builder->trace();
  FileReader reader(bytes, *loaded.builder);
  try {
    reader.read_header();
    while (reader.read_frame()) {
    }
    reader.check_nothing_follows();
  } catch (const Error& error) {
    std::string text = detail::concat(name, ": at byte ", reader.at(), ": ", error.message(), ".");
    if (reader.whole_events() > 0 && !options.partial)
      text += detail::concat(" The ", reader.whole_events(), " events before are whole: --partial shows them.");
    CUTAWAY_CHECK(options.partial && reader.whole_events() > 0, text);
    loaded.problems.push_back(text);
  }
  return loaded;
}

LoadedTrace read_trace(const std::string& path, ReadOptions options) { return read_trace(slurp(path), path, options); }

}  // namespace cutaway::trace
