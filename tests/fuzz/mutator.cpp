#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>

namespace cutaway::fuzz {

namespace {

constexpr uint64_t kInterestingIntegers[] = {0,
                                             1,
                                             2,
                                             7,
                                             8,
                                             63,
                                             64,
                                             127,
                                             128,
                                             255,
                                             256,
                                             1023,
                                             4096,
                                             0x7FFF,
                                             0x8000,
                                             0xFFFF,
                                             0x10000,
                                             0x7FFFFFFF,
                                             0x80000000,
                                             0xFFFFFFFF,
                                             0x100000000,
                                             0x7FFFFFFFFFFFFFFF,
                                             0x8000000000000000,
                                             0xFFFFFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFFF8,
                                             100'000'000,
                                             100'000'001,
                                             0x3FFFFFFF};

constexpr std::string_view kInterestingNumbers[] = {"0",
                                                    "-1",
                                                    "1",
                                                    "2",
                                                    "64",
                                                    "65",
                                                    "255",
                                                    "1000000",
                                                    "2147483648",
                                                    "4294967295",
                                                    "4294967296",
                                                    "4611686018427387904",
                                                    "9223372036854775807",
                                                    "9223372036854775808",
                                                    "18446744073709551615",
                                                    "18446744073709551616",
                                                    "1.5",
                                                    "1e9",
                                                    "00",
                                                    "1e400"};

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        ",",
                                        ":",
                                        "'",
                                        "\"",
                                        "\\",
                                        "null",
                                        "None",
                                        "True",
                                        "\"shape\":[1]",
                                        "'shape': (1,)",
                                        "\"__metadata__\":{}",
                                        "'<f4'",
                                        "'>f8'",
                                        "'|O'",
                                        "[('a', '<f4')]",
                                        "\"F32\"",
                                        "\"F8_E4M3\"",
                                        "PK\1\2",
                                        "PK\3\4",
                                        "PK\5\6",
                                        "PK\6\6",
                                        "PK\6\7",
                                        "\\ud800",
                                        "\xc3\xa9",
                                        "\xff",
                                        "((((((((",
                                        "[[[[[[[[",
                                        "{\"a\":{\"a\":"};

constexpr size_t kLongestFile = 1u << 20;

}  // namespace

std::string Mutator::mutate(const FuzzFormat& format, const std::vector<std::string>& seeds) {
  std::string bytes = seeds[below(seeds.size())];
  // Mostly one change: what several do at once is refused for the first of them.
  const uint64_t changes = below(3) > 0 ? 1 : 1 + below(8);
  for (uint64_t i = 0; i < changes; ++i) {
    const size_t before = bytes.size();
    change_once(bytes, seeds);
    if (bytes.size() > kLongestFile) bytes.resize(kLongestFile);
    const auto grown = static_cast<int64_t>(bytes.size()) - static_cast<int64_t>(before);
    // Half of the time: both the broken length and the mended one are worth a try.
    if (format.mend && (grown != 0 || format.checksummed) && below(2) == 0) format.mend(bytes, grown);
  }
  return bytes;
}

// Returns: a place in the file, the first and last 200 bytes twice as likely: headers and directories are
// there.
size_t Mutator::place(const std::string& bytes) {
  constexpr size_t kEnd = 200;
  const size_t near = std::min(kEnd, bytes.size());
  switch (below(4)) {
    case 0: return below(near);
    case 1: return bytes.size() - near + below(near);
    default: return below(bytes.size());
  }
}

void Mutator::change_once(std::string& bytes, const std::vector<std::string>& seeds) {
  if (bytes.empty()) bytes.assign(1, '\0');
  switch (below(12)) {
    case 0:
    case 1: return flip_bit(bytes);
    case 2: return set_byte(bytes);
    case 3: return set_integer(bytes);
    case 4: return nudge_integer(bytes);
    case 5:
    case 6: return edit_digits(bytes);
    case 7: return below(4) == 0 ? cut_off(bytes) : erase(bytes);
    case 8: return repeat(bytes);
    case 9: return splice(bytes, seeds[below(seeds.size())]);
    default: return insert_token(bytes);
  }
}

void Mutator::flip_bit(std::string& bytes) {
  char& byte = bytes[place(bytes)];
  byte = static_cast<char>(byte ^ (1 << below(8)));
}

void Mutator::set_byte(std::string& bytes) { bytes[place(bytes)] = static_cast<char>(below(256)); }

void Mutator::set_integer(std::string& bytes) {
  const uint64_t value = kInterestingIntegers[below(std::size(kInterestingIntegers))];
  const size_t width = size_t{1} << below(4);
  const size_t at = place(bytes);
  for (size_t i = 0; i < width && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFF);
}

// Adds or subtracts a little: off by one is where limits are.
void Mutator::nudge_integer(std::string& bytes) {
  const size_t width = size_t{1} << below(4);
  const size_t at = place(bytes);
  uint64_t value = 0;
  for (size_t i = width; i-- > 0;) {
    value = value << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0);
  }
  value += below(33) - 16;
  for (size_t i = 0; i < width && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFF);
}

// Puts another number where the file has one as text.
void Mutator::edit_digits(std::string& bytes) {
  const auto digit = [&](size_t at) { return std::isdigit(static_cast<unsigned char>(bytes[at])) != 0; };
  size_t begin = place(bytes);
  while (begin < bytes.size() && !digit(begin)) ++begin;
  if (begin == bytes.size()) return flip_bit(bytes);
  size_t end = begin;
  while (end < bytes.size() && digit(end)) ++end;
  bytes.replace(begin, end - begin, kInterestingNumbers[below(std::size(kInterestingNumbers))]);
}

void Mutator::cut_off(std::string& bytes) { bytes.resize(place(bytes)); }

void Mutator::erase(std::string& bytes) { bytes.erase(place(bytes), 1 + below(64)); }

void Mutator::repeat(std::string& bytes) {
  const std::string piece = bytes.substr(place(bytes), 1 + below(128));
  const uint64_t times = below(8) == 0 ? 1 + below(200) : 1;
  std::string all;
  for (uint64_t i = 0; i < times; ++i) all += piece;
  bytes.insert(place(bytes), all);
}

void Mutator::splice(std::string& bytes, const std::string& other) {
  if (other.empty()) return;
  const std::string piece = other.substr(place(other), 1 + below(256));
  const size_t at = place(bytes);
  if (below(2) == 0) {
    bytes.insert(at, piece);
  } else {
    bytes.replace(at, piece.size(), piece);
  }
}

void Mutator::insert_token(std::string& bytes) {
  const std::string_view token = kTokens[below(std::size(kTokens))];
  const size_t at = place(bytes);
  if (below(2) == 0) {
    bytes.insert(at, token);
  } else {
    bytes.replace(at, token.size(), token);
  }
}

}  // namespace cutaway::fuzz
