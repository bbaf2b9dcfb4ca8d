// Filter words of the list of tensors: `relu -view dtype:f32 size>1000 shares:x changed:here leaf:no`.
//
// Words are joined by "and". Plain words match anywhere in the name, without regard to case; "view" alone, after a -, is
// such a word too.
//
//   dtype:float32 (f32)   size>1000 (elements; also < and =)   bytes>4096   rank=2
//   shares:x              over the same storage as x            view:yes|no   leaf:yes|no   changed:here
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspector/model/filter_words.h"

namespace cutaway::inspector {

// What a filter looks at.
struct FilterFacts {
  std::string_view name;
  std::string_view dtype;  // "float32"
  double numel = 0;
  uint64_t storage_nbytes = 0;
  size_t rank = 0;
  uint64_t storage = 0;
  bool is_view = false;
  bool is_leaf = true;
  bool changed = false;
};

class Filter {
 public:
  // Throws: ValueError that names the word and what it may be.
  static Filter parse(const std::string& text);

  bool accepts(const FilterFacts& facts) const;
  bool empty() const { return words_.empty(); }
  // The names in shares:NAME words, for who resolves them.
  std::vector<std::string> shared_names() const;
  void set_storage_of(const std::string& name, uint64_t storage);

 private:
  enum class Kind { Name, Dtype, Size, Bytes, Rank, Shares, View, Leaf, Changed };
  struct Word {
    Kind kind = Kind::Name;
    FilterWord said;
    double number = 0;
    bool yes = true;
    uint64_t storage = 0;
  };
  static Word understand(FilterWord said);
  static bool matches(const Word& word, const FilterFacts& facts);

  std::vector<Word> words_;
};

}  // namespace cutaway::inspector
