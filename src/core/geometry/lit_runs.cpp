#include "core/geometry/lit_runs.h"

#include <algorithm>

namespace cutaway {
namespace {

// One dimension that is really stepped over.
struct Axis {
  int64_t size;
  int64_t stride;
  int64_t reach;  // how far this axis and all behind it can go: the sum of (size - 1) * stride
};

// The axes of a geometry from the largest stride to the smallest, without those that go nowhere (size 1, stride 0).
std::vector<Axis> axes_of(const Geometry& g) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < g.sizes.size(); ++i)
    if (g.sizes[i] > 1 && g.strides[i] > 0) axes.push_back({g.sizes[i], g.strides[i], 0});
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
  int64_t reach = 0;
  for (size_t i = axes.size(); i-- > 0;) axes[i].reach = reach += (axes[i].size - 1) * axes[i].stride;
  return axes;
}

// Takes off the axes whose union is one gapless run from where they start. Returns: its length.
int64_t take_solid_run(std::vector<Axis>& axes) {
  int64_t length = 1;
  while (!axes.empty() && axes.back().stride <= length) {
    length += (axes.back().size - 1) * axes.back().stride;
    axes.pop_back();
  }
  return length;
}

int64_t divide_up(int64_t a, int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

// Calls visit(start) for each place the axes from `depth` on can reach such that [start, start + length) meets
// [low, high). Stops when visit returns false.
template <class Visit>
bool walk(const std::vector<Axis>& axes, size_t depth, int64_t at, int64_t length, int64_t low, int64_t high,
          const Visit& visit) {
  if (depth == axes.size()) return at >= high || at + length <= low || visit(at);
  const Axis& axis = axes[depth];
  const int64_t behind = depth + 1 < axes.size() ? axes[depth + 1].reach : 0;
  const int64_t first = divide_up(low - at - behind - (length - 1), axis.stride);
  const int64_t last = std::min(axis.size - 1, high - 1 - at < 0 ? -1 : (high - 1 - at) / axis.stride);
  for (int64_t i = first; i <= last; ++i)
    if (!walk(axes, depth + 1, at + i * axis.stride, length, low, high, visit)) return false;
  return true;
}

int64_t repeats_of(const Geometry& g) {
  int64_t repeats = 1;
  for (size_t i = 0; i < g.sizes.size(); ++i)
    if (g.sizes[i] > 1 && g.strides[i] == 0) repeats *= g.sizes[i];
  return repeats;
}

}  // namespace

Run extent(const Geometry& g) {
  if (g.numel() == 0) return {g.offset, g.offset};
  Run run{g.offset, g.offset + 1};
  for (size_t i = 0; i < g.sizes.size(); ++i) run.end += (g.sizes[i] - 1) * g.strides[i];
  return run;
}

std::vector<Run> lit_runs(const Geometry& g, int64_t low, int64_t high) {
  std::vector<Run> runs;
  if (g.numel() == 0 || low >= high) return runs;
  std::vector<Axis> axes = axes_of(g);
  const int64_t length = take_solid_run(axes);
  walk(axes, 0, g.offset, length, low, high, [&](int64_t start) {
    runs.push_back({std::max(start, low), std::min(start + length, high)});
    return true;
  });
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Run& run : runs) {
    if (kept > 0 && run.begin <= runs[kept - 1].end)
      runs[kept - 1].end = std::max(runs[kept - 1].end, run.end);
    else
      runs[kept++] = run;
  }
  runs.resize(kept);
  return runs;
}

std::vector<uint32_t> read_counts(const Geometry& g, int64_t low, int64_t high, int64_t limit) {
  std::vector<uint32_t> counts(static_cast<size_t>(std::max<int64_t>(high - low, 0)));
  if (g.numel() == 0 || counts.empty()) return counts;
  const std::vector<Axis> axes = axes_of(g);
  const auto repeats = static_cast<uint32_t>(std::min<int64_t>(repeats_of(g), UINT32_MAX));
  walk(axes, 0, g.offset, 1, low, high, [&](int64_t at) {
    counts[at - low] += repeats;
    return --limit > 0;
  });
  return counts;
}

namespace {

struct IndexSearch {
  const Geometry& g;
  const std::vector<int64_t>& reach;  // of the dimensions from i on
  int64_t element;
  size_t limit;
  std::vector<int64_t> index;
  std::vector<std::vector<int64_t>> found;

  void from(size_t dim, int64_t at) {
    if (found.size() >= limit || at > element || at + reach[dim] < element) return;
    if (dim == g.sizes.size()) {
      found.push_back(index);
      return;
    }
    const int64_t stride = g.strides[dim];
    int64_t first = 0, last = g.sizes[dim] - 1;
    if (stride > 0) {
      first = divide_up(element - at - reach[dim + 1], stride);
      last = std::min(last, (element - at) / stride);
    }
    for (int64_t i = first; i <= last && found.size() < limit; ++i) {
      index[dim] = i;
      from(dim + 1, at + i * stride);
    }
  }
};

}  // namespace

std::vector<std::vector<int64_t>> indices_reading(const Geometry& g, int64_t element, size_t limit) {
  if (g.numel() == 0) return {};
  std::vector<int64_t> reach(g.sizes.size() + 1, 0);
  for (size_t i = g.sizes.size(); i-- > 0;) reach[i] = reach[i + 1] + (g.sizes[i] - 1) * g.strides[i];
  IndexSearch search{g, reach, element, limit, std::vector<int64_t>(g.sizes.size()), {}};
  search.from(0, g.offset);
  return std::move(search.found);
}

}  // namespace cutaway
