// Damages a file in the ways that find faults: flipped bits, cut ends, pieces of other files, edited numbers.
//
// Invariants: the result depends on the seed, the file and the others only, on every machine.
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_format.h"

namespace cutaway::fuzz {

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  // Returns: one of `seeds`, changed 1 to 8 times. Requires: seeds is not empty.
  std::string mutate(const FuzzFormat& format, const std::vector<std::string>& seeds);

 private:
  // The standard's distributions differ between libraries; the engine does not.
  uint64_t below(uint64_t bound) { return bound == 0 ? 0 : random_() % bound; }
  size_t place(const std::string& bytes);

  void change_once(std::string& bytes, const std::vector<std::string>& seeds);
  void flip_bit(std::string& bytes);
  void set_byte(std::string& bytes);
  void set_integer(std::string& bytes);
  void nudge_integer(std::string& bytes);
  void edit_digits(std::string& bytes);
  void cut_off(std::string& bytes);
  void erase(std::string& bytes);
  void repeat(std::string& bytes);
  void splice(std::string& bytes, const std::string& other);
  void insert_token(std::string& bytes);

  std::mt19937_64 random_;
};

}  // namespace cutaway::fuzz
