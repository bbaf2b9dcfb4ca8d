#include "inspector/model/filter.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "inspector/model/explorer_model.h"

namespace cutaway::inspector {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// "f32" and "float32" are one.
std::string full_dtype(const std::string& text) {
  static const std::pair<const char*, const char*> kShort[] = {
      {"b1", "bool"},   {"u8", "uint8"},     {"i8", "int8"},      {"i16", "int16"},   {"i32", "int32"},
      {"i64", "int64"}, {"f16", "float16"},  {"bf16", "bfloat16"}, {"f32", "float32"}, {"f64", "float64"}};
  for (const auto& [brief, full] : kShort)
    if (text == brief) return full;
  return text;
}

bool compare(double value, char comparison, double number) {
  return comparison == '>' ? value > number : comparison == '<' ? value < number : value == number;
}

double numel(const std::vector<int64_t>& sizes) {
  double n = 1;
  for (int64_t size : sizes) n *= static_cast<double>(size);
  return n;
}

}  // namespace

Filter Filter::parse(const std::string& text) {
  Filter filter;
  std::istringstream words(text);
  for (std::string word; words >> word;) filter.words_.push_back(parse_word(word));
  return filter;
}

Filter::Word Filter::parse_word(std::string text) {
  Word word;
  const std::string whole = text;
  if (text.size() > 1 && text[0] == '-') {
    word.negated = true;
    text.erase(0, 1);
  }
  const size_t at = text.find_first_of(":><=");
  word.text = lower(text);
  if (at == std::string::npos) return word;
  static const std::pair<const char*, Kind> kKeys[] = {
      {"dtype", Kind::Dtype}, {"size", Kind::Size}, {"bytes", Kind::Bytes}, {"rank", Kind::Rank}, {"shares", Kind::Shares},
      {"view", Kind::View},   {"leaf", Kind::Leaf}, {"changed", Kind::Changed}};
  const std::string key = lower(text.substr(0, at)), value = text.substr(at + 1);
  const auto found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const auto& k) { return key == k.first; });
  CUTAWAY_CHECK_VALUE(found != std::end(kKeys), "'", whole,
                      "': there are dtype:, size>, bytes>, rank=, shares:, view:, leaf: and changed:here");
  word.kind = found->second;
  word.text = word.kind == Kind::Shares ? value : full_dtype(lower(value));
  word.comparison = text[at] == ':' ? '=' : text[at];
  const bool numeric = word.kind == Kind::Size || word.kind == Kind::Bytes || word.kind == Kind::Rank;
  if (numeric) {
    char* end = nullptr;
    word.number = std::strtod(value.c_str(), &end);
    CUTAWAY_CHECK_VALUE(!value.empty() && *end == '\0', "'", whole, "': expected a number after ", text[at]);
  } else {
    CUTAWAY_CHECK_VALUE(text[at] == ':' && !value.empty(), "'", whole, "': expected ", key, ":something");
  }
  if (word.kind == Kind::View || word.kind == Kind::Leaf) {
    CUTAWAY_CHECK_VALUE(word.text == "yes" || word.text == "no", "'", whole, "': expected yes or no");
    word.yes = word.text == "yes";
  }
  CUTAWAY_CHECK_VALUE(word.kind != Kind::Changed || word.text == "here", "'", whole, "': expected changed:here");
  return word;
}

bool Filter::matches(const Word& word, const TensorRow& row) {
  switch (word.kind) {
    case Kind::Name: return lower(row.name).find(word.text) != std::string::npos;
    case Kind::Dtype: return row.dtype == word.text;
    case Kind::Size: return compare(numel(row.sizes), word.comparison, word.number);
    case Kind::Bytes: return compare(static_cast<double>(row.storage_nbytes), word.comparison, word.number);
    case Kind::Rank: return compare(static_cast<double>(row.sizes.size()), word.comparison, word.number);
    case Kind::Shares: return word.storage != 0 && row.storage == word.storage;
    case Kind::View: return row.is_view == word.yes;
    // Until there is autograd every tensor is a leaf.
    case Kind::Leaf: return word.yes;
    case Kind::Changed: return row.changed;
  }
  return false;
}

bool Filter::accepts(const TensorRow& row) const {
  return std::all_of(words_.begin(), words_.end(), [&](const Word& word) { return matches(word, row) != word.negated; });
}

std::vector<std::string> Filter::shared_names() const {
  std::vector<std::string> names;
  for (const Word& word : words_)
    if (word.kind == Kind::Shares) names.push_back(word.text);
  return names;
}

void Filter::set_storage_of(const std::string& name, uint64_t storage) {
  for (Word& word : words_)
    if (word.kind == Kind::Shares && word.text == name) word.storage = storage;
}

}  // namespace cutaway::inspector
