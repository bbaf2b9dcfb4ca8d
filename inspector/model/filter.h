// Filter words of a list: `relu -view dtype:f32 size>1000 shares:x changed:here leaf:no`.
//
// Words are joined by "and"; a word in front of which stands - must not match. Plain words match anywhere in the name,
// without regard to case.
//
//   dtype:float32 (f32)   size>1000 (elements; also < and =)   bytes>4096   rank=2
//   shares:x              over the same storage as x            view:yes|no   leaf:yes|no   changed:here
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway::inspector {

struct TensorRow;

class Filter {
 public:
  // Throws: ValueError that names the word and what it may be.
  static Filter parse(const std::string& text);

  bool accepts(const TensorRow& row) const;
  bool empty() const { return words_.empty(); }
  // The names in shares:NAME words, for who resolves them.
  std::vector<std::string> shared_names() const;
  void set_storage_of(const std::string& name, uint64_t storage);

 private:
  enum class Kind { Name, Dtype, Size, Bytes, Rank, Shares, View, Leaf, Changed };
  struct Word {
    Kind kind = Kind::Name;
    bool negated = false;
    std::string text;             // lower case
    char comparison = '=';
    double number = 0;
    bool yes = true;
    uint64_t storage = 0;
  };
  static Word parse_word(std::string word);
  static bool matches(const Word& word, const TensorRow& row);

  std::vector<Word> words_;
};

}  // namespace cutaway::inspector
