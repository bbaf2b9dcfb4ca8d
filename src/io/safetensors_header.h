// The JSON header of a .safetensors file, as it stands there: names, dtypes, shapes and offsets, not yet
// judged.
//
//   byte 0         8                    8 + length
//        +---------+--------------------+-----------------------------------------
//        | length  | {"w": {"dtype":    | bytes of all tensors, without holes;
//        | 64 bits | "F32", ...} spaces | offsets in the header count from here
//        +---------+--------------------+-----------------------------------------
//
// Note [JSON as a stream of events]
// The header is read with nlohmann-json's event interface and never becomes a tree. A tree of 100 MB of JSON
// takes gigabytes; a tree keeps one of two equal keys and forgets that there was another, which here must be
// reported; and the events carry on after an entry that makes no sense, so that it spoils itself only. What
// the grammar itself forbids still ends the reading.
//
// Thread safety: pure functions.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor_file.h"

namespace cutaway::io {

struct SafetensorsEntry {
  std::string name;          // as written, escapes resolved
  uint64_t text_offset = 0;  // of the key, in the header
  std::optional<std::string> dtype;
  std::optional<std::vector<int64_t>> sizes;
  std::optional<std::vector<uint64_t>> offsets;
  std::string reason;  // the first thing about it that makes no sense
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // in the order of the file
  std::vector<MetadataPair> metadata;
  std::vector<std::string> notes;
};

// Why a header cannot be read at all.
struct SafetensorsHeaderError {
  size_t offset = 0;  // in the header's text
  std::string problem;
};

// Throws: SafetensorsHeaderError.
SafetensorsHeader parse_safetensors_header(std::string_view text);

}  // namespace cutaway::io
