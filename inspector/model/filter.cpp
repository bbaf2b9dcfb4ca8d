#include "inspector/model/filter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"

namespace cutaway::inspector {
namespace {

// "f32" and "float32" are one.
std::string full_dtype(const std::string& text) {
  static const std::pair<const char*, const char*> kShort[] = {
      {"b1", "bool"},   {"u8", "uint8"},    {"i8", "int8"},       {"i16", "int16"},   {"i32", "int32"},
      {"i64", "int64"}, {"f16", "float16"}, {"bf16", "bfloat16"}, {"f32", "float32"}, {"f64", "float64"}};
  static const char* const kFull[] = {"bool",  "uint8",   "int8",     "int16",   "int32",
                                      "int64", "float16", "bfloat16", "float32", "float64"};
  for (const auto& [brief, full] : kShort)
    if (text == brief) return full;
  const bool known = std::find(std::begin(kFull), std::end(kFull), text) != std::end(kFull);
  CUTAWAY_CHECK_VALUE(
      known, "'dtype:", text,
      "': there are bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64");
  return text;
}

}  // namespace

Filter Filter::parse(const std::string& text) {
  Filter filter;
  for (FilterWord& word : filter_words(text)) filter.words_.push_back(understand(std::move(word)));
  return filter;
}

Filter::Word Filter::understand(FilterWord said) {
  static const std::pair<const char*, Kind> kKeys[] = {
      {"", Kind::Name},       {"dtype", Kind::Dtype}, {"size", Kind::Size},
      {"bytes", Kind::Bytes}, {"rank", Kind::Rank},   {"shares", Kind::Shares},
      {"view", Kind::View},   {"leaf", Kind::Leaf},   {"changed", Kind::Changed}};
  const auto found =
      std::find_if(std::begin(kKeys), std::end(kKeys), [&](const auto& k) { return said.key == k.first; });
  CUTAWAY_CHECK_VALUE(found != std::end(kKeys), "'", said.whole,
                      "': there are dtype:, size>, bytes>, rank=, shares:, view:, leaf: and changed:here");
  Word word;
  word.kind = found->second;
  word.said = std::move(said);
  const bool numeric = word.kind == Kind::Size || word.kind == Kind::Bytes || word.kind == Kind::Rank;
  CUTAWAY_CHECK_VALUE(numeric || word.said.comparison == ':', "'", word.said.whole, "': expected ",
                      word.said.key, ":something");
  if (numeric) word.number = number_of(word.said);
  if (word.kind == Kind::Dtype) word.said.value = full_dtype(lower_case(word.said.value));
  if (word.kind == Kind::View || word.kind == Kind::Leaf) word.yes = yes_of(word.said);
  CUTAWAY_CHECK_VALUE(word.kind != Kind::Changed || word.said.value == "here", "'", word.said.whole,
                      "': expected changed:here");
  return word;
}

bool Filter::matches(const Word& word, const FilterFacts& facts) {
  switch (word.kind) {
    case Kind::Name: return contains_word(facts.name, word.said.value);
    case Kind::Dtype: return facts.dtype == word.said.value;
    case Kind::Size: return compares(facts.numel, word.said, word.number);
    case Kind::Bytes: return compares(static_cast<double>(facts.storage_nbytes), word.said, word.number);
    case Kind::Rank: return compares(static_cast<double>(facts.rank), word.said, word.number);
    case Kind::Shares: return word.storage != 0 && facts.storage == word.storage;
    case Kind::View: return facts.is_view == word.yes;
    case Kind::Leaf: return facts.is_leaf == word.yes;
    case Kind::Changed: return facts.changed;
  }
  return false;
}

bool Filter::accepts(const FilterFacts& facts) const {
  return std::all_of(words_.begin(), words_.end(),
                     [&](const Word& word) { return matches(word, facts) != word.said.negated; });
}

std::vector<std::string> Filter::shared_names() const {
  std::vector<std::string> names;
  for (const Word& word : words_)
    if (word.kind == Kind::Shares) names.push_back(word.said.value);
  return names;
}

void Filter::set_storage_of(const std::string& name, uint64_t storage) {
  for (Word& word : words_)
    if (word.kind == Kind::Shares && word.said.value == name) word.storage = storage;
}

}  // namespace cutaway::inspector
