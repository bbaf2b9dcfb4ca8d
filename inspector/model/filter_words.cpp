#include "inspector/model/filter_words.h"

#include <algorithm>
#include <cstdlib>

#include "core/error.h"

namespace cutaway::inspector {
namespace {

// Letters beyond ASCII are compared as they are.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

FilterWord word_of(std::string text, bool quoted) {
  FilterWord word;
  word.whole = text;
  if (text.size() > 1 && text[0] == '-') {
    word.negated = true;
    text.erase(0, 1);
  }
  const size_t at = quoted ? std::string::npos : text.find_first_of(":><=");
  if (at == std::string::npos || at == 0) {
    word.value = lower_case(text);
    return word;
  }
  word.key = lower_case(text.substr(0, at));
  word.comparison = text[at];
  word.value = text.substr(at + 1);
  CUTAWAY_CHECK_VALUE(!word.value.empty(), "'", word.whole, "': expected something after ", word.comparison);
  return word;
}

}  // namespace

std::vector<FilterWord> filter_words(const std::string& text) {
  std::vector<FilterWord> words;
  std::string word;
  bool inside = false, quoted = false;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(word_of(word, quoted));
    word.clear();
    quoted = false;
  };
  for (const char c : text) {
    if (c == '"') {
      quoted |= word.empty() || word == "-";
      inside = !inside;
    } else if (c == ' ' && !inside) {
      finish();
    } else {
      word += c;
    }
  }
  CUTAWAY_CHECK_VALUE(!inside, "a quotation mark is not closed: ", text);
  finish();
  return words;
}

double number_of(const FilterWord& word) {
  char* end = nullptr;
  const double number = std::strtod(word.value.c_str(), &end);
  CUTAWAY_CHECK_VALUE(*end == '\0', "'", word.whole, "': expected a number after ", word.comparison);
  return number;
}

bool compares(double value, const FilterWord& word, double number) {
  return word.comparison == '>' ? value > number : word.comparison == '<' ? value < number : value == number;
}

bool yes_of(const FilterWord& word) {
  const std::string value = lower_case(word.value);
  CUTAWAY_CHECK_VALUE(value == "yes" || value == "no", "'", word.whole, "': expected yes or no");
  return value == "yes";
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool contains_word(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  if (text.size() < part.size()) return false;
  const char first = part[0];
  for (size_t at = 0; at + part.size() <= text.size(); ++at) {
    if (lower(text[at]) != first) continue;
    size_t same = 1;
    while (same < part.size() && lower(text[at + same]) == part[same]) ++same;
    if (same == part.size()) return true;
  }
  return false;
}

}  // namespace cutaway::inspector
