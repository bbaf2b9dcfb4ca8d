// Every text of a trace once: names of operators and tensors, calls, reasons, messages, source lines.
//
// A text keeps its place and its number for the life of the pool. What goes in comes out fit to be shown:
// well-formed UTF-8 without control characters (save line breaks and tabs), cut at 1 MiB; anything else, in a
// trace of a stranger or in a message of the program, becomes U+FFFD.
// Thread safety: reading is, while nobody adds.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/event.h"
#include "trace/table.h"

namespace cutaway::trace {

inline constexpr size_t kMostTextBytes = 1u << 20;

class TextPool {
 public:
  // Returns: the number of the text, a new one or that of its equal.
  TableIndex add(std::string_view text);
  // Requires: index < size().
  const std::string& operator[](TableIndex index) const { return texts_[index]; }
  size_t size() const { return texts_.size(); }

 private:
  Table<std::string> texts_;
  std::unordered_map<std::string_view, TableIndex> index_;
};

// Returns: `text` made fit to be shown, as above.
std::string clean_text(std::string_view text);
// Returns: whether clean_text would leave it as it is.
bool is_clean_text(std::string_view text);

}  // namespace cutaway::trace
