#include "benchmarks/busy_program.h"

#include <string>

namespace cutaway::bench {

BusyProgram::BusyProgram(uint64_t first_id, size_t tensors, uint64_t seed)
    : first_(first_id), random_(seed), bytes_(kStorageBytes * tensors), versions_(tensors) {}

size_t BusyProgram::make_tensors(Observer& o) {
  const int64_t sizes[] = {16, 16}, strides[] = {16, 1};
  for (size_t i = 0; i < versions_.size(); ++i) {
    StorageFacts storage;
    storage.storage = first_ + 3 * i;
    storage.nbytes = kStorageBytes;
    storage.allocator = "cpu";
    o.storage_allocated(storage);
    const TensorFacts tensor = facts(i, sizes, strides);
    o.tensor_made(tensor);
    o.tensor_named(tensor.tensor, "t" + std::to_string(i));
  }
  return 3 * versions_.size();
}

size_t BusyProgram::run(Observer& o, size_t events) {
  size_t told = 0;
  while (told < events) told += step(o);
  return told;
}

TensorFacts BusyProgram::facts(size_t i, const int64_t* sizes, const int64_t* strides) const {
  TensorFacts f;
  f.storage = first_ + 3 * i;
  f.tensor = f.storage + 1;
  f.version_counter = f.storage + 2;
  f.version = versions_[i];
  f.sizes = {sizes, 2};
  f.strides = {strides, 2};
  f.dtype = ScalarType::Float;
  return f;
}

size_t BusyProgram::step(Observer& o) {
  const size_t i = random_() % versions_.size();
  const uint64_t begin = random_() % (kStorageBytes / 16) * 16;
  std::byte* data = bytes_.data() + kStorageBytes * i;
  o.op_begin("add_", "add_(3)", {});
  o.counts_changed(first_ + 3 * i, static_cast<uint32_t>(random_() % 5 + 1), 1);
  WriteFacts w;
  w.storage = first_ + 3 * i;
  w.tensor = w.storage + 1;
  w.begin = begin;
  w.end = begin + 16;
  w.data = data;
  w.version = versions_[i];
  o.before_write(w);
  data[begin] = static_cast<std::byte>(random_());
  o.version_changed(w.storage + 2, versions_[i], versions_[i] + 1);
  w.version = ++versions_[i];
  o.written(w);
  o.op_end();
  const int64_t sizes[] = {16, 16}, strides[] = {1, 16};
  o.tensor_changed(facts(i, sizes, strides));
  return 6;
}

}  // namespace cutaway::bench
