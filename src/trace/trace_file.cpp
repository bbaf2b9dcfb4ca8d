#include "trace/trace_file.h"

#include <algorithm>
#include <cstring>

#include "trace/text_pool.h"
#include "trace/trace_format.h"

namespace cutaway::trace {

TraceFileError::TraceFileError(const char* heading, const std::string& path, std::optional<uint64_t> offset,
                               const std::string& problem, const std::string& advice, const char* file,
                               int line)
    : Error(ErrorKind::Runtime,
            detail::concat(heading, " '", clean_text(path), "': ",
                           offset ? detail::concat("at byte ", *offset, ": ") : "", problem, ". ", advice),
            file, line),
      offset_(offset.value_or(0)) {}

bool looks_like_trace(std::span<const uint8_t> head) {
  return head.size() >= sizeof(kMagic) && std::equal(kMagic, kMagic + sizeof(kMagic), head.begin());
}

}  // namespace cutaway::trace
