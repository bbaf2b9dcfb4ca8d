#include "inspector/model/read_bytes.h"

#include <algorithm>

#include "core/error.h"

namespace cutaway::inspector {

using trace::ByteState;

ReadBytes read_bytes(const trace::Trace& trace, size_t t, ObjectId storage, uint64_t begin, size_t count) {
  ReadBytes bytes{std::vector<std::byte>(count), std::vector<ByteState>(count, ByteState::NotRecorded), ""};
  try {
    trace.bytes_at(t, storage, begin, bytes.value, bytes.state);
  } catch (const Error& error) {
    std::fill(bytes.value.begin(), bytes.value.end(), std::byte{0});
    std::fill(bytes.state.begin(), bytes.state.end(), ByteState::NotRecorded);
    bytes.problem = error.message();
  }
  return bytes;
}

ByteState state_of(const ReadBytes& bytes, size_t i, size_t size) {
  ByteState state = ByteState::Known;
  for (size_t at = i * size; at < (i + 1) * size; ++at)
    if (bytes.state[at] != ByteState::Known) state = bytes.state[at];
  return state;
}

}  // namespace cutaway::inspector
