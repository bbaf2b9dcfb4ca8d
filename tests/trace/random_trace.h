// A trace of random events that make sense, and beside it what each byte should be at each moment, kept the
// simple way.
//
// The model copies a whole storage whenever one of its bytes changes, so it cannot be wrong in the ways the
// trace can.
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "trace/builder.h"

namespace cutaway::trace {

// What a storage holds at one moment.
struct ModelBytes {
  std::vector<std::byte> bytes;
  std::vector<ByteState> known;
  std::vector<size_t> writer;  // event that wrote each byte last, 0 for none
};

class RandomTrace {
 public:
  // `largest`: bytes of the largest storages; `pages`: whether many are of several pages.
  explicit RandomTrace(uint64_t seed, uint64_t largest = 300);

  // Adds one event, now and then two.
  void step();
  void steps(size_t n) {
    for (size_t i = 0; i < n; ++i) step();
  }

  TraceBuilder& builder() { return builder_; }
  std::shared_ptr<const Trace> trace() const { return builder_.trace(); }
  std::mt19937_64& random() { return random_; }
  // Below n.
  uint64_t below(uint64_t n) { return random_() % n; }

  std::vector<ObjectId> storages() const;
  // What the storage holds at time t; empty before it is made.
  const ModelBytes& bytes_at(ObjectId storage, size_t t) const;

 private:
  struct Tensor {
    ObjectId id, counter;
    uint64_t version;
  };

  void allocate();
  void resize();
  void write();
  void make_tensor();
  void change_tensor();
  void view();
  void counts();
  void end_something();
  void write_text();
  TensorFacts random_facts(ObjectId id, ObjectId counter, uint64_t version);
  std::vector<std::byte> random_bytes(uint64_t n);
  ModelBytes& now(ObjectId storage) { return history_[storage].rbegin()->second; }
  // The model's entry for time t, at first a copy of the one before.
  ModelBytes& entry(ObjectId storage, size_t t);

  TraceBuilder builder_;
  std::mt19937_64 random_;
  uint64_t largest_;
  ObjectId last_id_ = 0;
  int open_ops_[3] = {};
  std::vector<ObjectId> living_;                              // storages
  std::vector<Tensor> tensors_;                               // living
  std::map<ObjectId, std::map<size_t, ModelBytes>> history_;  // by storage, then event number
};

}  // namespace cutaway::trace
