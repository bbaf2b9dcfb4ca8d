#include "core/array_ref.h"

#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "allocation_count.h"
#include "core/sizes_and_strides.h"

using namespace cutaway;

namespace {

std::string text_of(IntArrayRef row) {
  std::ostringstream out;
  out << row;
  return out.str();
}

}  // namespace

TEST_CASE("a row prints as PyTorch prints sizes") {
  CHECK(text_of({}) == "[]");
  CHECK(text_of({2}) == "[2]");
  CHECK(text_of({2, 3, -1}) == "[2, 3, -1]");
}

TEST_CASE("DimVector behaves like a vector, inline and beyond") {
  const unsigned seed = std::random_device{}();
  INFO("seed ", seed);
  std::mt19937 random(seed);
  DimVector ours;
  std::vector<int64_t> model;
  for (int i = 0; i < 5000; ++i) {
    const unsigned choice = random() % 16;
    if (choice < 6 || model.empty()) {
      ours.push_back(i);
      model.push_back(i);
    } else if (choice < 9) {
      ours.pop_back();
      model.pop_back();
    } else if (choice < 12) {
      const size_t at = random() % (model.size() + 1);
      ours.insert(at, i);
      model.insert(model.begin() + static_cast<int64_t>(at), i);
    } else {
      const size_t at = random() % model.size();
      ours.erase(at);
      model.erase(model.begin() + static_cast<int64_t>(at));
    }
    if (model.size() > 12) {
      ours.resize(3);
      model.resize(3);
    }
    REQUIRE(IntArrayRef(ours) == IntArrayRef(model));
    DimVector copy = ours, moved = std::move(copy);
    REQUIRE(moved == ours);
    REQUIRE(copy.empty());
  }
}

TEST_CASE("DimVector allocates nothing up to five numbers, and may be assigned a part of itself") {
  const size_t before = allocations_so_far();
  DimVector row{1, 2, 3, 4, 5};
  DimVector copy = row;
  copy.assign(IntArrayRef(copy.data() + 2, 3));
  CHECK(allocations_so_far() == before);
  CHECK(IntArrayRef(copy) == IntArrayRef(row.data() + 2, 3));
  row.push_back(6);
  CHECK(allocations_so_far() == before + 1);
  CHECK(row.size() == 6);
  CHECK(row.back() == 6);
}

TEST_CASE("MEM-4 sizes and strides behave like two vectors through every change of rank") {
  const unsigned seed = std::random_device{}();
  INFO("seed ", seed);
  std::mt19937 random(seed);
  SizesAndStrides ours;
  CHECK(ours.size() == 0);
  for (int i = 0; i < 5000; ++i) {
    std::vector<int64_t> sizes(random() % 9), strides(sizes.size());
    for (int64_t& n : sizes) n = static_cast<int64_t>(random());
    for (int64_t& n : strides) n = static_cast<int64_t>(random());
    const size_t before = allocations_so_far();
    const size_t old_rank = ours.size();
    ours.set(sizes, strides);
    const bool allocates = sizes.size() > SizesAndStrides::kInline && sizes.size() != old_rank;
    REQUIRE(allocations_so_far() == before + (allocates ? 1 : 0));
    REQUIRE(ours.sizes() == IntArrayRef(sizes));
    REQUIRE(ours.strides() == IntArrayRef(strides));
    SizesAndStrides copy(ours), assigned;
    assigned = copy;
    REQUIRE(assigned.sizes() == IntArrayRef(sizes));
    REQUIRE(assigned.strides() == IntArrayRef(strides));
  }
}
