#include "tests/fuzz/trace_format.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/observer.h"
#include "trace/replay.h"
#include "trace/trace.h"
#include "trace/trace_file.h"
#include "trace/world.h"

namespace cutaway::fuzz {

namespace {

constexpr uint64_t kPieceBytes = 16u << 10;
constexpr size_t kFileHeaderBytes = 16;
constexpr size_t kFrameHeaderBytes = 16;  // tag, checksum, length

// A broken promise is a finding, which an Error would not be.
void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// Forward by replay, back by undoing: every moment must be the same moment.
void walk(const trace::Trace& trace) {
  std::vector<uint64_t> hashes;
  trace::Replay replay(trace);
  hashes.push_back(replay.world().hash());
  for (size_t t = 1; t <= trace.size(); ++t) {
    replay.step_forward();
    const trace::World world = replay.world();
    hashes.push_back(world.hash());
    trace.describe(t, &world);
  }
  for (size_t t = trace.size(); t-- > 0;) {
    replay.step_back();
    promise(replay.world().hash() == hashes[t], "a step back gives the moment before");
  }
  promise(trace.world_at(trace.size()).hash() == hashes.back(), "a seek gives the moment that steps give");
}

// The first piece of a storage and its last.
void read_bytes_of(const trace::Trace& trace, size_t t, const trace::StorageState& storage) {
  const uint64_t n = std::min(storage.nbytes, kPieceBytes);
  std::vector<std::byte> bytes(n);
  std::vector<trace::ByteState> known(n);
  for (const uint64_t begin : {uint64_t{0}, storage.nbytes - n})
    trace.bytes_at(t, storage.id, begin, bytes, known);
  trace.last_write_to(t, storage.id, 0, storage.nbytes);
}

void look_at(const trace::Trace& trace, size_t t) {
  const trace::World world = trace.world_at(t);
  for (const ObjectId id : world.storages()) {
    read_bytes_of(trace, t, *world.storage(id));
    for (const ObjectId tensor : world.tensors_ever_on(id))
      promise(world.tensor(tensor).has_value(), "a storage's tensors are there");
    for (const size_t event : trace.events_touching(id))
      promise(event >= 1 && event <= trace.size(), "an object is touched by events that there are");
  }
  world.visit_living_tensors([](const trace::TensorGlance& tensor) {
    promise(tensor.sizes.size() == tensor.strides.size(), "there is a stride for each size");
  });
}

void look_through(const trace::Trace& trace) {
  walk(trace);
  for (const size_t t : {size_t{0}, trace.size() / 2, trace.size()}) look_at(trace, t);
  for (const size_t mark : trace.marks()) promise(mark <= trace.size(), "marks are events");
  for (const trace::OpSpan& span : trace.spans())
    promise(span.first >= 1 && span.first <= trace.size(), "operators begin with an event");
}

uint64_t length_at(const std::string& bytes, size_t frame) {
  uint64_t length = 0;
  std::memcpy(&length, bytes.data() + frame + 8, sizeof(length));
  return length;
}

// Whether `at` is where the file ends or another frame begins.
bool is_border(const std::string& bytes, uint64_t at) {
  if (at == bytes.size()) return true;
  if (at > bytes.size() || bytes.size() - at < kFrameHeaderBytes) return false;
  const std::string_view tag(bytes.data() + at, 4);
  return tag == "PAGE" || tag == "CHNK" || tag == "END.";
}

uint64_t behind(size_t frame, uint64_t length) { return frame + kFrameHeaderBytes + (length + 7) / 8 * 8; }

// Gives the frame the length it now has, filled up with zeros to a multiple of 8 more than before.
uint64_t regrow(std::string& bytes, size_t frame, uint64_t length, int64_t grown) {
  const int64_t rounded = (grown + 7) & ~int64_t{7};
  const uint64_t end = frame + kFrameHeaderBytes + length + static_cast<uint64_t>(grown);
  if (end > bytes.size()) return length;
  bytes.insert(end, static_cast<size_t>(rounded - grown), '\0');
  length += static_cast<uint64_t>(rounded);
  std::memcpy(bytes.data() + frame + 8, &length, sizeof(length));
  return length;
}

}  // namespace

void read_trace_file(const std::string& path) {
  try {
    look_through(*trace::read_trace(path).trace);
  } catch (const trace::TraceFileError& damaged) {
    promise(damaged.offset() < UINT64_MAX, "an error names a byte");
    look_through(*trace::read_trace(path, {.partial = true}).trace);
    throw;
  }
}

void mend_trace(std::string& bytes, int64_t grown) {
  for (size_t frame = kFileHeaderBytes; frame + kFrameHeaderBytes <= bytes.size();) {
    uint64_t length = length_at(bytes, frame);
    if (grown != 0 && !is_border(bytes, behind(frame, length))) {
      length = regrow(bytes, frame, length, grown);
      grown = 0;
    }
    if (length > bytes.size() - frame - kFrameHeaderBytes) return;
    const auto* header = reinterpret_cast<const Bytef*>(bytes.data() + frame);
    uLong crc = crc32_z(0, header, 4);
    crc = crc32_z(crc, header + 8, 8);
    crc = crc32_z(crc, header + kFrameHeaderBytes, length);
    const auto sum = static_cast<uint32_t>(crc);
    std::memcpy(bytes.data() + frame + 4, &sum, sizeof(sum));
    const uint64_t next = behind(frame, length);
    if (next > bytes.size()) return;
    frame = static_cast<size_t>(next);
  }
}

}  // namespace cutaway::fuzz
