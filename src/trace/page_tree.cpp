#include "trace/page_tree.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace cutaway::trace {
namespace {

constexpr auto kPage16 = static_cast<uint16_t>(kPageBytes);

}  // namespace

PageTree::Ref PageTree::add_leaf(const Leaf& leaf) {
  CUTAWAY_CHECK_VALUE(leaves_.size() < kNodeBit - 1, "trace: too many changes of bytes");
  return static_cast<Ref>(leaves_.push_back(leaf));
}

PageTree::Ref PageTree::add_node(const Node& node) {
  CUTAWAY_CHECK_VALUE(nodes_.size() < kNodeBit - 1, "trace: too many changes of bytes");
  return static_cast<Ref>(nodes_.push_back(node)) | kNodeBit;
}

PageTree::Ref PageTree::raised(Ref root) {
  if (root == kNothing) return root;
  Node node;
  std::fill(node.child, node.child + kFanout, kNothing);
  node.child[0] = root;
  return add_node(node);
}

PageTree::Ref PageTree::paint(Ref root, int level, const Brush& brush, ByteStore& store, bool& all_kept) {
  return brush.begin < brush.end ? paint_at(root, level, 0, brush, store, all_kept) : root;
}

// `first` is the first byte under `ref`. Requires: the brush touches it.
PageTree::Ref PageTree::paint_at(Ref ref, int level, uint64_t first, const Brush& brush, ByteStore& store,
                                 bool& all_kept) {
  if (level == 0) return paint_page(ref, first, brush, store, all_kept);
  const uint64_t end = first + capacity(level);
  if (brush.contents.empty() && brush.begin <= first && std::min(end, brush.nbytes) <= brush.end) {
    Leaf leaf;
    leaf.number = brush.number;
    leaf.end = kPage16;
    leaf.content = brush.content;
    leaf.cause = brush.cause;
    leaf.covers = true;
    return add_leaf(leaf);
  }
  Node node;
  if (is_node(ref))
    node = this->node(ref);
  else
    std::fill(node.child, node.child + kFanout, ref);  // a leaf above many pages is the leaf of each of them
  const uint64_t step = capacity(level - 1);
  const uint64_t from = (std::max(brush.begin, first) - first) / step,
                 to = (std::min(brush.end, end) - 1 - first) / step;
  for (uint64_t i = from; i <= to; ++i)
    node.child[i] = paint_at(node.child[i], level - 1, first + i * step, brush, store, all_kept);
  return add_node(node);
}

// Puts what the brush brings for one page into the store. `first` is the first byte of the page.
void PageTree::keep(Leaf& leaf, uint64_t first, const Brush& brush, ByteStore& store) {
  const size_t size = leaf.end - leaf.begin;
  PagePiece piece{size == kPageBytes ? Content::Page : Content::Piece, 0, {}};
  std::optional<uint64_t> kept;
  if (!brush.contents.pieces.empty())
    piece = brush.contents.pieces[first / kPageBytes - brush.begin / kPageBytes];
  else
    piece.bytes = brush.contents.bytes.subspan(first + leaf.begin - brush.begin, size);
  if (piece.content == Content::Piece)
    kept = store.add_piece(piece.bytes);
  else if (piece.content == Content::Page)
    kept = brush.contents.pieces.empty() ? store.add_page(piece.bytes) : piece.page;
  leaf.content = kept ? piece.content : Content::NotRecorded;
  leaf.at = kept.value_or(0);
}

PageTree::Ref PageTree::paint_page(Ref ref, uint64_t first, const Brush& brush, ByteStore& store,
                                   bool& all_kept) {
  const uint64_t begin = std::max(brush.begin, first), end = std::min(brush.end, first + kPageBytes);
  const uint64_t size = std::min<uint64_t>(kPageBytes, brush.nbytes - first);  // of the page, in this storage
  Leaf leaf;
  leaf.number = brush.number;
  leaf.begin = static_cast<uint16_t>(begin - first);
  leaf.end = static_cast<uint16_t>(end - first);
  leaf.content = brush.content;
  leaf.cause = brush.cause;
  leaf.covers = leaf.begin == 0 && leaf.end >= size;
  if (!brush.contents.empty()) {
    keep(leaf, first, brush, store);
    all_kept &= leaf.content != Content::NotRecorded;
  }
  // Who wrote a byte before does not matter once a write or a birth covers it.
  if (!leaf.covers || leaf.cause == Cause::Seen) leaf.under = ref;
  if (!leaf.covers && ref != kNothing) {
    if (leaves_[ref].depth >= kMostDepth - 1) leaf.under = image_of(ref, static_cast<uint16_t>(size), store);
    leaf.depth = static_cast<uint8_t>(leaves_[leaf.under].depth + 1);
  }
  return add_leaf(leaf);
}

// Returns: a leaf that covers the page and shows what `ref` shows.
PageTree::Ref PageTree::image_of(Ref ref, uint16_t size, ByteStore& store) {
  std::byte bytes[kPageBytes] = {};
  ContentByte content[kPageBytes];
  std::fill(content, content + size, byte_of(Content::NotRecorded));
  read_leaves(ref, 0, {bytes, size}, {content, size}, store);
  const Image image{store.add_derived({bytes, size}),
                    store.add_derived(std::as_bytes(std::span(content, size))), size};
  Leaf leaf;
  leaf.at = images_.push_back(image);
  leaf.under = ref;
  leaf.end = kPage16;
  leaf.content = Content::Image;
  leaf.cause = Cause::Image;
  leaf.covers = true;
  return add_leaf(leaf);
}

void PageTree::read(Ref root, int level, uint64_t begin, std::span<std::byte> out,
                    std::span<ContentByte> content, const ByteStore& store) const {
  std::fill(content.begin(), content.end(), byte_of(Content::NotRecorded));
  if (!out.empty()) read_at(root, level, 0, begin, out, content, store);
}

// Reads [begin, begin + out.size()), which lies under `ref`.
void PageTree::read_at(Ref ref, int level, uint64_t first, uint64_t begin, std::span<std::byte> out,
                       std::span<ContentByte> content, const ByteStore& store) const {
  if (ref == kNothing) return;
  if (!is_node(ref)) {
    if (level == 0) return read_leaves(ref, static_cast<uint16_t>(begin - first), out, content, store);
    std::fill(content.begin(), content.end(),
              byte_of(leaves_[ref].content));  // alike for every byte under it
    return;
  }
  const uint64_t step = capacity(level - 1);
  for (size_t done = 0; done < out.size();) {
    const uint64_t at = begin + done, child = (at - first) / step, child_first = first + child * step;
    const size_t n = std::min<uint64_t>(child_first + step - at, out.size() - done);
    read_at(node(ref).child[child], level - 1, child_first, at, out.subspan(done, n),
            content.subspan(done, n), store);
    done += n;
  }
}

// Shows the leaves of a page, the lowest first. `begin`: where in the page `out` begins.
void PageTree::read_leaves(Ref ref, uint16_t begin, std::span<std::byte> out, std::span<ContentByte> content,
                           const ByteStore& store) const {
  Ref stack[kMostDepth + 1];
  size_t n = 0;
  for (Ref at = ref; at != kNothing && n <= kMostDepth; at = leaves_[at].under) {
    stack[n++] = at;
    const Leaf& leaf = leaves_[at];
    if (leaf.covers || (leaf.begin <= begin && begin + out.size() <= leaf.end)) break;
  }
  while (n > 0) show(leaves_[stack[--n]], begin, out, content, store);
}

void PageTree::show(const Leaf& leaf, uint16_t begin, std::span<std::byte> out,
                    std::span<ContentByte> content, const ByteStore& store) const {
  const size_t from = std::max(leaf.begin, begin), to = std::min<size_t>(leaf.end, begin + out.size());
  if (from >= to) return;
  const auto put = [&](const std::byte* bytes, size_t n) {
    std::memcpy(out.data() + (from - begin), bytes, n);
  };
  const auto fill = [&](Content what) {
    std::memset(content.data() + (from - begin), byte_of(what), to - from);
  };
  switch (leaf.content) {
    case Content::Outside:
    case Content::NotRecorded:
    case Content::Uninitialised:
      std::memset(out.data() + (from - begin), 0, to - from);
      fill(leaf.content);
      break;
    case Content::Piece:
      put(store.piece(leaf.at) + (from - leaf.begin), to - from);
      fill(Content::Piece);
      break;
    case Content::Page:
      put(store.page(static_cast<uint32_t>(leaf.at)) + from, to - from);
      fill(Content::Page);
      break;
    case Content::Image: {
      const Image& image = images_[leaf.at];
      if (from >= image.size) break;
      const size_t n = std::min<size_t>(to, image.size) - from;
      put(store.piece(image.bytes) + from, n);
      std::memcpy(content.data() + (from - begin), store.piece(image.content) + from, n);
      break;
    }
  }
}

uint32_t PageTree::last_write(Ref root, int level, uint64_t begin, uint64_t end) const {
  return begin < std::min(end, capacity(level)) ? last_write_at(root, level, 0, begin, end) : 0;
}

uint32_t PageTree::last_write_at(Ref ref, int level, uint64_t first, uint64_t begin, uint64_t end) const {
  if (is_node(ref)) {
    const uint64_t step = capacity(level - 1);
    const uint64_t from = (std::max(begin, first) - first) / step;
    const uint64_t to = (std::min(end, first + capacity(level)) - 1 - first) / step;
    uint32_t newest = 0;
    for (uint64_t i = from; i <= to; ++i)
      newest = std::max(newest, last_write_at(node(ref).child[i], level - 1, first + i * step, begin, end));
    return newest;
  }
  for (Ref at = ref; at != kNothing; at = leaves_[at].under) {
    const Leaf& leaf = leaves_[at];
    const bool touched = level > 0 || (first + leaf.begin < end && begin < first + leaf.end);
    if (touched && leaf.cause == Cause::Write) return leaf.number;
    // Bytes that came when the storage grew have no write before; they always reach to its end.
    if (touched && leaf.cause == Cause::Birth) end = first + leaf.begin;
    if (begin >= end) return 0;
  }
  return 0;
}

PageTree::Change PageTree::change_at(Ref root, int level, uint64_t page, uint32_t number, Cause cause) const {
  Ref ref = root;
  for (int l = level; is_node(ref); --l) ref = node(ref).child[page * kPageBytes / capacity(l - 1) % kFanout];
  for (; ref != kNothing; ref = leaves_[ref].under) {
    const Leaf& leaf = leaves_[ref];
    if (leaf.number == number && leaf.cause == cause) return {leaf.content, leaf.at};
    if (leaf.number < number && leaf.cause != Cause::Image) break;
  }
  return {};
}

}  // namespace cutaway::trace
