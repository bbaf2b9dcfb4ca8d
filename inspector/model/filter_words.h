// The words of a filter, before anybody knows what they mean: `relu -view dtype:f32 size>1000 "two words"`.
//
// Words are parted by spaces; quotes keep spaces together; a word in front of which stands - must not match. A word is a
// plain one, or a key, one of : > < = and a value.
//
// PyTorch: none
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::inspector {

struct FilterWord {
  std::string whole;  // as typed
  std::string key;    // lower case; "" for a plain word
  char comparison = ':';
  std::string value;  // lower case of a plain word, as typed after a key
  bool negated = false;
};

std::vector<FilterWord> filter_words(const std::string& text);

// Returns: the number after the key. Throws: ValueError that names the word.
double number_of(const FilterWord& word);
// Requires: the comparison is > or <; else equality is meant.
bool compares(double value, const FilterWord& word, double number);
// Returns: whether the value is "yes". Throws: ValueError unless it is yes or no.
bool yes_of(const FilterWord& word);

std::string lower_case(std::string_view text);
// Whether `part`, in lower case, stands anywhere in `text`, in whatever case.
bool contains_word(std::string_view text, std::string_view part);

}  // namespace cutaway::inspector
