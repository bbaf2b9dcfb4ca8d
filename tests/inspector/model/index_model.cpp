#include "tests/inspector/model/index_model.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace cutaway::inspector {
namespace {

int64_t product(const std::vector<int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

std::vector<int64_t> unraveled(int64_t linear, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> index(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; linear /= sizes[i]) index[i] = linear % sizes[i];
  return index;
}

int64_t raveled(const std::vector<int64_t>& index, const std::vector<int64_t>& sizes) {
  int64_t linear = 0;
  for (size_t i = 0; i < sizes.size(); ++i) linear = linear * sizes[i] + index[i];
  return linear;
}

using Index = std::vector<int64_t>;

}  // namespace

IndexModel IndexModel::counting(const std::vector<int64_t>& sizes) {
  IndexModel model{sizes, std::vector<int64_t>(static_cast<size_t>(product(sizes)))};
  std::iota(model.elements.begin(), model.elements.end(), 0);
  return model;
}

template <class Source>
IndexModel IndexModel::picked(std::vector<int64_t> new_sizes, const Source& source) const {
  IndexModel result{std::move(new_sizes), {}};
  for (int64_t i = 0; i < product(result.sizes); ++i)
    result.elements.push_back(
        elements[static_cast<size_t>(raveled(source(unraveled(i, result.sizes)), sizes))]);
  return result;
}

IndexModel IndexModel::permuted(const std::vector<int64_t>& dims) const {
  std::vector<int64_t> new_sizes;
  for (int64_t dim : dims) new_sizes.push_back(sizes[static_cast<size_t>(dim)]);
  return picked(new_sizes, [&](const Index& index) {
    Index from(sizes.size());
    for (size_t i = 0; i < dims.size(); ++i) from[static_cast<size_t>(dims[i])] = index[i];
    return from;
  });
}

IndexModel IndexModel::sliced(int64_t dim, int64_t start, int64_t end, int64_t step) const {
  std::vector<int64_t> positions;
  for (int64_t at = start; at < end; at += step) positions.push_back(at);
  return chosen(dim, positions);
}

IndexModel IndexModel::chosen(int64_t dim, const std::vector<int64_t>& positions) const {
  std::vector<int64_t> new_sizes = sizes;
  new_sizes[static_cast<size_t>(dim)] = static_cast<int64_t>(positions.size());
  return picked(new_sizes, [&](Index index) {
    int64_t& at = index[static_cast<size_t>(dim)];
    at = positions[static_cast<size_t>(at)];
    return index;
  });
}

IndexModel IndexModel::selected(int64_t dim, int64_t index) const {
  std::vector<int64_t> new_sizes = sizes;
  new_sizes.erase(new_sizes.begin() + dim);
  return picked(new_sizes, [&](Index at) {
    at.insert(at.begin() + dim, index);
    return at;
  });
}

IndexModel IndexModel::unsqueezed(int64_t dim) const {
  std::vector<int64_t> new_sizes = sizes;
  new_sizes.insert(new_sizes.begin() + dim, 1);
  return {new_sizes, elements};
}

IndexModel IndexModel::expanded(int64_t dim, int64_t size) const {
  std::vector<int64_t> new_sizes = sizes;
  new_sizes[static_cast<size_t>(dim)] = size;
  return picked(new_sizes, [&](Index index) {
    index[static_cast<size_t>(dim)] = 0;
    return index;
  });
}

IndexModel IndexModel::unfolded(int64_t dim, int64_t size, int64_t step) const {
  std::vector<int64_t> new_sizes = sizes;
  new_sizes[static_cast<size_t>(dim)] = (sizes[static_cast<size_t>(dim)] - size) / step + 1;
  new_sizes.push_back(size);
  return picked(new_sizes, [&](Index index) {
    const int64_t inner = index.back();
    index.pop_back();
    index[static_cast<size_t>(dim)] = index[static_cast<size_t>(dim)] * step + inner;
    return index;
  });
}

IndexModel IndexModel::diagonal(int64_t dim0, int64_t dim1) const {
  std::vector<int64_t> new_sizes;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (static_cast<int64_t>(i) != dim0 && static_cast<int64_t>(i) != dim1) new_sizes.push_back(sizes[i]);
  new_sizes.push_back(std::min(sizes[static_cast<size_t>(dim0)], sizes[static_cast<size_t>(dim1)]));
  return picked(new_sizes, [&](const Index& index) {
    Index from;
    size_t next = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const bool on = static_cast<int64_t>(i) == dim0 || static_cast<int64_t>(i) == dim1;
      from.push_back(on ? index.back() : index[next++]);
    }
    return from;
  });
}

IndexModel IndexModel::reshaped(std::vector<int64_t> new_sizes) const {
  return {std::move(new_sizes), elements};
}

namespace {

// Grows a chain by one step at a time.
class ChainMaker {
 public:
  ChainMaker(std::mt19937_64& random, RandomChain& chain) : random_(random), chain_(chain) {}

  void add_step(bool copies) {
    const int64_t rank = static_cast<int64_t>(sizes().size());
    switch (below(copies ? 11 : 8)) {
      case 0: return rank >= 2 ? transpose() : unsqueeze();
      case 1: return rank >= 1 ? slice() : unsqueeze();
      case 2: return rank >= 2 ? select() : unsqueeze();
      case 3: return rank < 5 ? unsqueeze() : permute();
      case 4: return rank >= 1 ? expand() : unsqueeze();
      case 5: return rank >= 1 && rank < 5 ? unfold() : unsqueeze();
      case 6: return rank >= 2 ? diagonal() : unsqueeze();
      case 7: return permute();
      case 8: return reshape();
      case 9: return rank >= 1 ? choose() : reshape();
      default: return contiguous();
    }
  }

 private:
  const std::vector<int64_t>& sizes() const { return chain_.model.sizes; }
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  int64_t any_dim() { return below(static_cast<int64_t>(sizes().size())); }
  // Half of the time as people write it from the end.
  std::string said(int64_t dim) {
    return std::to_string(below(2) ? dim : dim - static_cast<int64_t>(sizes().size()));
  }
  void step(const std::string& text, IndexModel model) {
    chain_.expression += text;
    chain_.model = std::move(model);
  }

  void transpose() {
    const int64_t a = any_dim(), b = any_dim();
    std::vector<int64_t> dims(sizes().size());
    std::iota(dims.begin(), dims.end(), 0);
    std::swap(dims[static_cast<size_t>(a)], dims[static_cast<size_t>(b)]);
    const bool keyword = below(2) == 0;
    step(keyword ? ".transpose(dim0=" + said(a) + ", dim1=" + said(b) + ")"
                 : ".transpose(" + said(a) + ", " + said(b) + ")",
         chain_.model.permuted(dims));
  }

  void permute() {
    std::vector<int64_t> dims(sizes().size());
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random_);
    std::string text;
    for (int64_t dim : dims) text += (text.empty() ? "" : ", ") + said(dim);
    step(below(2) && !dims.empty() ? ".permute(" + text + ")" : ".permute([" + text + "])",
         chain_.model.permuted(dims));
  }

  void slice() {
    const int64_t dim = any_dim(), size = sizes()[static_cast<size_t>(dim)],
                  rest = static_cast<int64_t>(sizes().size()) - dim - 1;
    const int64_t start = below(size + 1), end = start + below(size - start + 1), by = 1 + below(3);
    std::string text = below(2) ? "[" : "[..., ";
    if (text == "[")
      for (int64_t i = 0; i < dim; ++i) text += ":, ";
    text += std::to_string(start) + ":" + std::to_string(end) + (by > 1 ? ":" + std::to_string(by) : "");
    for (int64_t i = 0; i < rest; ++i) text += ", :";
    step(text + "]", chain_.model.sliced(dim, start, end, by));
  }

  void select() {
    const int64_t dim = any_dim(), size = sizes()[static_cast<size_t>(dim)];
    if (size == 0) return unsqueeze();
    const int64_t index = below(size);
    step(".select(" + said(dim) + ", " + std::to_string(below(2) ? index : index - size) + ")",
         chain_.model.selected(dim, index));
  }

  void unsqueeze() {
    const auto rank = static_cast<int64_t>(sizes().size());
    const int64_t dim = below(rank + 1);
    std::string text = "[";
    for (int64_t i = 0; i < dim; ++i) text += ":, ";
    step(below(2) ? ".unsqueeze(" + std::to_string(dim) + ")" : text + "None, ...]",
         chain_.model.unsqueezed(dim));
  }

  void expand() {
    std::vector<int64_t> ones;
    for (size_t i = 0; i < sizes().size(); ++i)
      if (sizes()[i] == 1) ones.push_back(static_cast<int64_t>(i));
    if (ones.empty()) return unsqueeze();
    const int64_t dim = ones[static_cast<size_t>(below(static_cast<int64_t>(ones.size())))], size = below(4);
    std::string text;
    for (size_t i = 0; i < sizes().size(); ++i)
      text += (i ? ", " : "") + std::to_string(static_cast<int64_t>(i) == dim ? size : -1);
    step(".expand(" + text + ")", chain_.model.expanded(dim, size));
  }

  void unfold() {
    const int64_t dim = any_dim(), size = sizes()[static_cast<size_t>(dim)];
    if (size == 0) return unsqueeze();
    const int64_t window = 1 + below(std::min<int64_t>(size, 3)), by = 1 + below(3);
    step(".unfold(" + said(dim) + ", " + std::to_string(window) + ", " + std::to_string(by) + ")",
         chain_.model.unfolded(dim, window, by));
  }

  void diagonal() {
    const int64_t a = any_dim(), b = any_dim();
    if (a == b) return permute();
    step(".diagonal(0, " + said(a) + ", " + said(b) + ")", chain_.model.diagonal(a, b));
  }

  void reshape() {
    // The dimensions joined two by two.
    std::vector<int64_t> joined;
    for (size_t i = 0; i < sizes().size(); i += 2)
      joined.push_back(sizes()[i] * (i + 1 < sizes().size() ? sizes()[i + 1] : 1));
    std::string text;
    for (int64_t size : joined) text += (text.empty() ? "" : ", ") + std::to_string(size);
    chain_.copied = true;
    step(".reshape([" + text + "])", chain_.model.reshaped(joined));
  }

  void choose() {
    const int64_t dim = any_dim(), size = sizes()[static_cast<size_t>(dim)];
    if (size == 0) return reshape();
    std::vector<int64_t> positions;
    std::string text = "[";
    for (int64_t i = 0; i < dim; ++i) text += ":, ";
    text += "[";
    for (int64_t n = 1 + below(4); n > 0; --n) {
      positions.push_back(below(size));
      text += std::to_string(below(2) ? positions.back() : positions.back() - size) + (n > 1 ? ", " : "");
    }
    chain_.copied = true;
    step(text + "]]", chain_.model.chosen(dim, positions));
  }

  void contiguous() {
    chain_.copied = true;
    step(below(2) ? ".contiguous()" : ".clone()", chain_.model);
  }

  std::mt19937_64& random_;
  RandomChain& chain_;
};

}  // namespace

RandomChain random_chain(std::mt19937_64& random, const std::vector<int64_t>& sizes, int steps, bool copies) {
  constexpr int64_t kMostElements = 4000;
  RandomChain chain;
  chain.model = IndexModel::counting(sizes);
  ChainMaker maker(random, chain);
  for (int i = 0; i < steps && chain.model.numel() < kMostElements; ++i) maker.add_step(copies);
  return chain;
}

}  // namespace cutaway::inspector
