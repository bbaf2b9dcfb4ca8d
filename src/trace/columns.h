// The changing facts of all objects at one moment, as columns in copy-on-write chunks. For src/trace only.
//
// Copying a Columns copies pointers; writing to a chunk that another Columns also holds copies that chunk
// first. So 245 keyframes of a million events share whatever did not change between them.
//
//   Columns at t = 4096   chunks [ a ][ b ][ c ]
//   Columns at t = 8192   chunks [ a ][ B ][ c ]      only b was written to in between
//
// Thread safety: two Columns that share chunks may be used on two threads, one Columns on one at a time.
//
// PyTorch: none
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cutaway::trace {

template <class Cell>
class Column {
 public:
  static constexpr size_t kRows = 64;

  // Returns: 0 for a row that was never set.
  Cell at(size_t row) const {
    const size_t chunk = row / kRows;
    return chunk < chunks_.size() && chunks_[chunk].get() ? chunks_[chunk].get()->cells[row % kRows] : Cell{};
  }

  void set(size_t row, Cell value) {
    const size_t chunk = row / kRows;
    if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
    chunks_[chunk].own()[row % kRows] = value;
  }

 private:
  struct Chunk {
    std::atomic<uint32_t> owners{1};
    std::array<Cell, kRows> cells{};
  };

  class ChunkPtr {
   public:
    ChunkPtr() = default;
    ChunkPtr(const ChunkPtr& other) : chunk_(other.chunk_) {
      if (chunk_) chunk_->owners.fetch_add(1, std::memory_order_relaxed);
    }
    ChunkPtr(ChunkPtr&& other) noexcept : chunk_(std::exchange(other.chunk_, nullptr)) {}
    ChunkPtr& operator=(ChunkPtr other) noexcept {
      std::swap(chunk_, other.chunk_);
      return *this;
    }
    ~ChunkPtr() {
      if (chunk_ && chunk_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete chunk_;
    }

    const Chunk* get() const { return chunk_; }

    // The cells to write to, held by nobody else.
    std::array<Cell, kRows>& own() {
      if (!chunk_) chunk_ = new Chunk;
      // Acquire: whoever let go of the chunk a moment ago has finished reading it.
      if (chunk_->owners.load(std::memory_order_acquire) > 1) {
        ChunkPtr copy;
        copy.chunk_ = new Chunk;
        copy.chunk_->cells = chunk_->cells;
        *this = std::move(copy);
      }
      return chunk_->cells;
    }

   private:
    Chunk* chunk_ = nullptr;
  };

  std::vector<ChunkPtr> chunks_;
};

// One row for each object, at its slot. 0 where nothing happened yet.
struct Columns {
  Column<uint32_t> facts;   // storage: its StorageRow; tensor: its TensorRow
  Column<uint32_t> last;    // storage: event number of the last write; tensor: 1 + index of its name
  Column<uint32_t> view;    // tensor: 1 + index of its ViewRecord
  Column<uint64_t> number;  // storage, tensor: strong << 32 | weak; counter: version after its last change
};

}  // namespace cutaway::trace
