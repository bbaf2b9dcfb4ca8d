#include <doctest/doctest.h>

#include <map>
#include <random>

#include "core/geometry/lit_runs.h"
#include "core/geometry/view_ops.h"

using namespace cutaway;

namespace {

// element -> indices that read it, by trying all.
std::map<int64_t, std::vector<std::vector<int64_t>>> readers_of(const Geometry& g) {
  std::map<int64_t, std::vector<std::vector<int64_t>>> readers;
  std::vector<int64_t> index(g.sizes.size());
  for (int64_t i = 0; i < g.numel(); ++i) {
    int64_t rest = i;
    for (size_t d = g.sizes.size(); d-- > 0; rest /= g.sizes[d]) index[d] = rest % g.sizes[d];
    readers[g.element(index)].push_back(index);
  }
  return readers;
}

void check_against_brute_force(const Geometry& g, int64_t low, int64_t high) {
  const auto readers = readers_of(g);
  std::vector<bool> lit(static_cast<size_t>(high - low));
  int64_t end = low - 1;
  for (const Run& run : lit_runs(g, low, high)) {
    REQUIRE(run.begin > end);
    REQUIRE(run.end > run.begin);
    end = run.end;
    for (int64_t at = run.begin; at < run.end; ++at) lit[static_cast<size_t>(at - low)] = true;
  }
  const auto counts = read_counts(g, low, high);
  for (int64_t at = low; at < high; ++at) {
    const auto found = readers.find(at);
    const size_t wanted = found == readers.end() ? 0 : found->second.size();
    REQUIRE(lit[static_cast<size_t>(at - low)] == (wanted > 0));
    REQUIRE(counts[static_cast<size_t>(at - low)] == wanted);
    const auto indices = indices_reading(g, at, 1000);
    REQUIRE(indices.size() == wanted);
    if (wanted) REQUIRE(indices == found->second);
  }
}

}  // namespace

TEST_CASE(
    "VIEW-1 lit elements, read counts and reverse look-up equal brute force for 600 random geometries") {
  constexpr unsigned kSeed = 99;
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  for (int round = 0; round < 600; ++round) {
    // Overlapping, zero-stride and empty ones among them.
    Geometry g{{}, {}, static_cast<int64_t>(random() % 5)};
    for (unsigned i = 0, n = random() % 5; i < n; ++i) {
      g.sizes.push_back(static_cast<int64_t>(random() % 5));
      g.strides.push_back(static_cast<int64_t>(random() % 9));
    }
    const Run whole = extent(g);
    check_against_brute_force(g, 0, whole.end + 3);
    const auto low = static_cast<int64_t>(random() % static_cast<unsigned>(whole.end + 1));
    check_against_brute_force(g, low, low + static_cast<int64_t>(random() % 7));
  }
}

TEST_CASE("a range of a large view costs what lies in it") {
  const Geometry big = slice(contiguous_geometry({100000, 1000}), 1, 0, 1000, 2);
  const auto runs = lit_runs(big, 50'000'000, 50'000'100);
  CHECK(runs.size() == 50);
  CHECK(runs.front().begin == 50'000'000);
  const Geometry repeated = expand(contiguous_geometry({1, 8}), {1'000'000'000, 8});
  CHECK(read_counts(repeated, 0, 8)[0] == 1'000'000'000);
}
