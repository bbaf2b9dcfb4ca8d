#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trace/chunk_encoder.h"
#include "trace/trace_data.h"
#include "trace/trace_file.h"
#include "trace/trace_format.h"

namespace cutaway::trace {

TraceWriter::TraceWriter(std::string path)
    : path_(std::move(path)),
      file_(std::fopen(path_.c_str(), "wbe")),
      encoder_(std::make_unique<ChunkEncoder>()) {
  if (!file_) fail(std::strerror(errno));
  write(kMagic, sizeof(kMagic));
  const uint32_t version[2] = {kTraceVersion, 0};
  write(version, sizeof(version));
}

TraceWriter::~TraceWriter() {
  if (file_) std::fclose(file_);
}

void TraceWriter::fail(const std::string& what) {
  throw TraceFileError("cannot write", path_, at_, what, "Choose another place, or make room there.");
}

void TraceWriter::write(const void* bytes, size_t n) {
  if (n > 0 && std::fwrite(bytes, 1, n, file_) != n) fail(std::strerror(errno));
  at_ += n;
}

void TraceWriter::put(const char* tag, std::span<const uint8_t> payload) {
  FrameHeader header{};
  std::memcpy(header.tag, tag, sizeof(header.tag));
  header.length = payload.size();
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.tag), sizeof(header.tag));
  crc = crc32_z(crc, reinterpret_cast<const Bytef*>(&header.length), sizeof(header.length));
  header.crc = static_cast<uint32_t>(crc32_z(crc, payload.data(), payload.size()));
  write(&header, sizeof(header));
  write(payload.data(), payload.size());
  static constexpr char kZeros[8] = {};
  write(kZeros, padded(payload.size()) - payload.size());
}

// Writes what the encoder holds: the pages that are new, then the chunk.
void TraceWriter::write_chunk() {
  const auto& pages = encoder_->pages();
  std::vector<uint8_t> frame;
  for (size_t first = 0; first < pages.size(); first += kPagesPerFrame) {
    frame.clear();
    for (size_t i = first; i < std::min(pages.size(), first + kPagesPerFrame); ++i) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(pages[i].data());
      frame.insert(frame.end(), bytes, bytes + pages[i].size());
    }
    put(kPageTag, frame);
  }
  const auto chunk = encoder_->finish();
  put(kChunkTag, {chunk.data(), chunk.size()});
}

void TraceWriter::append(const Trace& trace, bool all) {
  while (encoder_->next_event() <= trace.size()) {
    encoder_->add(*trace.data_, encoder_->next_event());
    if (encoder_->full()) write_chunk();
  }
  if (all && !encoder_->empty()) write_chunk();
  if (std::fflush(file_) != 0) fail(std::strerror(errno));
}

void TraceWriter::finish(const Trace& trace) {
  append(trace, true);
  flatbuffers::FlatBufferBuilder out;
  std::vector<flatbuffers::Offset<flatbuffers::String>> notes;
  for (const std::string& note : trace.notes()) notes.push_back(out.CreateString(note));
  out.Finish(fb::CreateEnd(out, trace.size(), out.CreateVector(notes)));
  put(kEndTag, {out.GetBufferPointer(), out.GetSize()});
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(std::strerror(errno));
}

void write_trace(const Trace& trace, const std::string& path) { TraceWriter(path).finish(trace); }

}  // namespace cutaway::trace
