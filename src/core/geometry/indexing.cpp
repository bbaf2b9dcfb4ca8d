#include "core/geometry/indexing.h"

#include <algorithm>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/view_ops.h"

namespace cutaway {
namespace {

// How many dimensions of the tensor the items use up.
int64_t dims_used(const std::vector<IndexItem>& items) {
  return std::count_if(items.begin(), items.end(), [](const IndexItem& item) {
    return !std::holds_alternative<IndexNone>(item) && !std::holds_alternative<IndexEllipsis>(item);
  });
}

// The positions chosen along one dimension by a list or mask, checked.
std::vector<int64_t> positions_of(const IndexItem& item, int64_t dim, int64_t size, size_t place) {
  std::vector<int64_t> chosen;
  if (const auto* mask = std::get_if<IndexMask>(&item)) {
    CUTAWAY_CHECK_INDEX(static_cast<int64_t>(mask->mask.size()) == size, "The shape of the mask [",
                        mask->mask.size(), "] at index 0 does not match the shape of the indexed tensor [",
                        size, "] at index ", place);
    for (size_t i = 0; i < mask->mask.size(); ++i)
      if (mask->mask[i]) chosen.push_back(static_cast<int64_t>(i));
    return chosen;
  }
  for (int64_t position : std::get<IndexList>(item).positions) {
    CUTAWAY_CHECK_INDEX(-size <= position && position < size, "index ", position,
                        " is out of bounds for dimension ", dim, " with size ", size);
    chosen.push_back(position < 0 ? position + size : position);
  }
  return chosen;
}

// Walks the items over the dimensions of g; lists and masks are remembered for afterwards.
class Indexer {
 public:
  Indexer(const Geometry& g, const std::vector<IndexItem>& items) : original_(g), items_(items) {
    result_.geometry = g;
  }

  Indexed run() {
    const int64_t used = dims_used(items_);
    CUTAWAY_CHECK_INDEX(
        original_.dim() > 0 || used == 0,
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
        "convert a 0-dim tensor to a number");
    CUTAWAY_CHECK_INDEX(used <= original_.dim(), "too many indices for tensor of dimension ",
                        original_.dim());
    bool seen_ellipsis = false;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (std::holds_alternative<IndexEllipsis>(items_[i])) {
        const int64_t skipped = seen_ellipsis ? 0 : original_.dim() - used;
        seen_ellipsis = true;
        dim_ += skipped;
        original_dim_ += skipped;
      } else {
        apply(items_[i], i);
      }
    }
    if (!lists_.empty()) gather();
    return std::move(result_);
  }

 private:
  struct ListAt {
    int64_t dim;  // of the geometry after the other items
    size_t item;  // its place in items_
    std::vector<int64_t> chosen;
    int64_t count() const { return static_cast<int64_t>(chosen.size()); }
  };

  void apply(const IndexItem& item, size_t place) {
    Geometry& g = result_.geometry;
    if (std::holds_alternative<IndexNone>(item)) {
      g = unsqueeze(g, dim_++);
      return;
    }
    const int64_t size = g.sizes[dim_];
    if (const auto* position = std::get_if<int64_t>(&item)) {
      CUTAWAY_CHECK_INDEX(-size <= *position && *position < size, "index ", *position,
                          " is out of bounds for dimension ", original_dim_, " with size ", size);
      g = select(g, dim_, *position);
    } else if (const auto* range = std::get_if<IndexSlice>(&item)) {
      const int64_t step = range->step.value_or(1);
      CUTAWAY_CHECK_VALUE(step != 0, "slice step cannot be zero");
      CUTAWAY_CHECK_VALUE(step > 0, "step must be greater than zero");
      g = slice(g, dim_++, range->start, range->end, step);
    } else {
      lists_.push_back({dim_++, place, positions_of(item, original_dim_, size, place)});
    }
    ++original_dim_;
  }

  // Lists on several dimensions are read together, one position from each; their common length takes the place of the
  // first when they stand side by side, and comes first when they do not.
  void gather() {
    int64_t length = 1;
    for (const ListAt& list : lists_)
      if (list.count() != 1) length = list.count();
    std::string shapes;
    for (const ListAt& list : lists_)
      shapes += (shapes.empty() ? "[" : ", [") + std::to_string(list.count()) + "]";
    for (const ListAt& list : lists_)
      CUTAWAY_CHECK_INDEX(list.count() == length || list.count() == 1,
                          "shape mismatch: indexing tensors could not be broadcast together with shapes ",
                          shapes);
    bool adjacent = true;
    for (size_t i = 1; i < lists_.size(); ++i) adjacent &= lists_[i].dim == lists_[i - 1].dim + 1;
    const Geometry& g = result_.geometry;
    DimVector sizes;
    const int64_t place = adjacent ? lists_.front().dim : 0;
    for (int64_t dim = 0; dim < g.dim(); ++dim) {
      if (adjacent && dim == place) sizes.push_back(length);
      const bool listed =
          std::any_of(lists_.begin(), lists_.end(), [&](const ListAt& l) { return l.dim == dim; });
      if (!listed) sizes.push_back(g.sizes[dim]);
    }
    if (!adjacent) sizes.insert(0, length);
    result_.geometry = contiguous_geometry(sizes);
    result_.copies = true;
    result_.gather_dim = place;
    for (int64_t row = 0; row < length; ++row) {
      std::vector<IndexItem> items = items_;
      for (const ListAt& list : lists_) items[list.item] = list.chosen[list.count() == 1 ? 0 : row];
      result_.rows.push_back(std::move(items));
    }
    result_.why =
        "A list or mask may choose any rows in any order, and no single stride visits those, so the chosen "
        "elements are copied.";
  }

  const Geometry& original_;
  const std::vector<IndexItem>& items_;
  Indexed result_;
  std::vector<ListAt> lists_;
  int64_t dim_ = 0;           // where the next item applies, in result_
  int64_t original_dim_ = 0;  // the same place, in original_
};

}  // namespace

Indexed index(const Geometry& g, const std::vector<IndexItem>& items) { return Indexer(g, items).run(); }

}  // namespace cutaway
