// What lies in the pages of a storage, at every moment at once: a persistent tree, one root for each change.
//
// A change makes new nodes only on the way to the pages it touches; all else is shared with the root before
// it, so the old root still shows the old contents. Sixteen children a node; a leaf above the lowest level
// stands for all pages below it (a fresh allocation of 10 GB is one leaf).
//
//   root at event 7      root at event 9                  leaf    "bytes [8, 16) of the page are this piece"
//        |    \             |     \                         | under
//      [page]  [page] <-----+      [page']                leaf    "bytes [0, 64) are uninitialised"
//
// Within a page a leaf may change only some bytes; the rest shows what lies under it. After 32 leaves above
// each other the page as it then looks is kept as an image, so reading a page never looks at more.
// Thread safety: reading is, while nobody paints.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/byte_store.h"
#include "trace/table.h"

namespace cutaway::trace {

// What a leaf says about its bytes. The first three say the same of every byte.
enum class Content : uint8_t {
  Outside,  // not in the trace; whoever provides the storage's bytes knows
  NotRecorded,
  Uninitialised,
  Piece,  // of ByteStore
  Page,   // of ByteStore, whole
  Image,  // bytes and a Content for each of them
};

// A Content as the array of contents of a read holds it: a plain byte, so that it may lie where a ByteState
// will.
using ContentByte = unsigned char;
constexpr ContentByte byte_of(Content content) { return static_cast<ContentByte>(content); }

// The part of some contents that lies in one page of a storage.
struct PagePiece {
  Content content = Content::NotRecorded;  // Piece, Page or NotRecorded
  uint32_t page = 0;                       // of the store, when it is a Page
  std::span<const std::byte> bytes;        // of the Piece; may be given for a Page
};

// What a range of a storage holds: its bytes, or its pieces page by page, or nothing that is known.
struct Contents {
  std::span<const std::byte> bytes;
  std::span<const PagePiece> pieces;

  bool empty() const { return bytes.empty() && pieces.empty(); }
};

// Why: a write counts as such; `Seen` is a change nobody reported, noticed at the next write.
enum class Cause : uint8_t { Birth, Write, Seen, Image };

class PageTree {
 public:
  // A node or a leaf; kNothing where nothing was ever painted.
  using Ref = uint32_t;
  static constexpr Ref kNothing = 0xffffffffu;
  static constexpr int kMostLevels = 12;

  // One change of the bytes [begin, end) of a storage.
  struct Brush {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t nbytes = 0;  // of the storage: a leaf that reaches it covers its page
    uint32_t number = 0;  // of the event
    Cause cause = Cause::Write;
    Content content = Content::NotRecorded;  // of all bytes, unless there are:
    Contents contents;                       // of [begin, end), whole
  };

  // Returns: bytes under a root of that level.
  static uint64_t capacity(int level) { return uint64_t{kPageBytes} << (4 * level); }
  // Returns: a root one level higher that shows the same.
  Ref raised(Ref root);

  // Returns: the new root. `all_kept` becomes false when the store had no room for some of the bytes.
  Ref paint(Ref root, int level, const Brush& brush, ByteStore& store, bool& all_kept);

  // Fills `out` and `content` for the bytes from `begin` on. Requires: `out` is zero; where nothing is known
  // it stays so.
  void read(Ref root, int level, uint64_t begin, std::span<std::byte> out, std::span<ContentByte> content,
            const ByteStore& store) const;

  // Returns: the event number of the newest write that touched [begin, end), 0 if none.
  uint32_t last_write(Ref root, int level, uint64_t begin, uint64_t end) const;

  // What the change at event `number` did within one page, for who writes it to a file: Piece, Page or
  // NotRecorded, and the place of the piece or the number of the page.
  struct Change {
    Content content = Content::NotRecorded;
    uint64_t at = 0;
  };
  Change change_at(Ref root, int level, uint64_t page, uint32_t number, Cause cause) const;

 private:
  static constexpr int kFanout = 16;
  static constexpr Ref kNodeBit = 0x80000000u;
  static constexpr uint8_t kMostDepth = 32;

  struct Node {
    Ref child[kFanout];
  };

  struct Leaf {
    uint64_t at = 0;  // Piece: place; Page: number; Image: index
    Ref under = kNothing;
    uint32_t number = 0;
    uint16_t begin = 0;  // of the page
    uint16_t end = 0;
    Content content = Content::NotRecorded;
    Cause cause = Cause::Write;
    uint8_t depth = 0;    // leaves to look at below this one
    bool covers = false;  // all of its page, or pages
  };
  static_assert(sizeof(Leaf) == 24);

  struct Image {
    uint64_t bytes = 0;  // places in the store
    uint64_t content = 0;
    uint16_t size = 0;
  };

  static bool is_node(Ref ref) { return ref != kNothing && (ref & kNodeBit); }
  const Node& node(Ref ref) const { return nodes_[ref & ~kNodeBit]; }
  Ref add_leaf(const Leaf& leaf);
  Ref add_node(const Node& node);

  Ref paint_at(Ref ref, int level, uint64_t first, const Brush& brush, ByteStore& store, bool& all_kept);
  Ref paint_page(Ref ref, uint64_t first, const Brush& brush, ByteStore& store, bool& all_kept);
  static void keep(Leaf& leaf, uint64_t first, const Brush& brush, ByteStore& store);
  Ref image_of(Ref ref, uint16_t size, ByteStore& store);
  void read_at(Ref ref, int level, uint64_t first, uint64_t begin, std::span<std::byte> out,
               std::span<ContentByte> content, const ByteStore& store) const;
  void read_leaves(Ref ref, uint16_t begin, std::span<std::byte> out, std::span<ContentByte> content,
                   const ByteStore& store) const;
  void show(const Leaf& leaf, uint16_t begin, std::span<std::byte> out, std::span<ContentByte> content,
            const ByteStore& store) const;
  uint32_t last_write_at(Ref ref, int level, uint64_t first, uint64_t begin, uint64_t end) const;

  Table<Node> nodes_;
  Table<Leaf> leaves_;
  Table<Image> images_;
};

}  // namespace cutaway::trace
