#include "trace/text_pool.h"

#include <algorithm>

#include "core/error.h"

namespace cutaway::trace {
namespace {

bool is_plain(unsigned char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

bool is_continuation(unsigned char c) { return (c & 0xc0) == 0x80; }

// Returns: the bytes of the well-formed character at the start of `text` that may be shown, 0 when there is
// none.
size_t character_length(std::string_view text) {
  const auto byte = [text](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return is_plain(static_cast<unsigned char>(first)) ? 1 : 0;
  if (!is_continuation(static_cast<unsigned char>(second))) return 0;
  if (first >= 0xc2 && first <= 0xdf)
    return first == 0xc2 && second < 0xa0 ? 0 : 2;  // U+0080 to U+009F are controls
  if (!is_continuation(static_cast<unsigned char>(byte(2)))) return 0;
  const bool overlong3 = first == 0xe0 && second < 0xa0, surrogate = first == 0xed && second > 0x9f;
  if (first >= 0xe0 && first <= 0xef) return overlong3 || surrogate ? 0 : 3;
  if (!is_continuation(static_cast<unsigned char>(byte(3)))) return 0;
  const bool overlong4 = first == 0xf0 && second < 0x90, beyond = first == 0xf4 && second > 0x8f;
  return first >= 0xf0 && first <= 0xf4 && !overlong4 && !beyond ? 4 : 0;
}

}  // namespace

bool is_clean_text(std::string_view text) {
  if (text.size() > kMostTextBytes) return false;
  const auto odd = std::find_if_not(text.begin(), text.end(),
                                    [](char c) { return is_plain(static_cast<unsigned char>(c)); });
  for (size_t at = static_cast<size_t>(odd - text.begin()); at < text.size();) {
    const size_t length = character_length(text.substr(at));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string clean_text(std::string_view text) {
  static constexpr std::string_view kReplacement = "\xef\xbf\xbd", kCut = " [...]";
  std::string clean;
  for (size_t at = 0; at < text.size();) {
    const size_t length = character_length(text.substr(at));
    const std::string_view next = length ? text.substr(at, length) : kReplacement;
    if (clean.size() + next.size() + kCut.size() > kMostTextBytes) return clean.append(kCut);
    clean.append(next);
    at += std::max<size_t>(length, 1);
  }
  return clean;
}

TableIndex TextPool::add(std::string_view text) {
  const auto found = index_.find(text);
  if (found != index_.end()) return found->second;
  std::string clean = is_clean_text(text) ? std::string(text) : clean_text(text);
  if (clean != text) return add(clean);
  CUTAWAY_CHECK_VALUE(texts_.size() < kNone, "trace: too many texts");
  const auto index = static_cast<TableIndex>(texts_.push_back(std::move(clean)));
  index_.emplace(texts_[index], index);
  return index;
}

}  // namespace cutaway::trace
