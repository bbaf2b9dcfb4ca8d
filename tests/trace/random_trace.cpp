#include "tests/trace/random_trace.h"

#include <algorithm>
#include <string>

namespace cutaway::trace {

RandomTrace::RandomTrace(uint64_t seed, uint64_t largest) : random_(seed), largest_(largest) {}

std::vector<std::byte> RandomTrace::random_bytes(uint64_t n) {
  std::vector<std::byte> bytes(n);
  // Often the same ones, so that pages meet their equals.
  if (below(3) == 0) {
    std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(below(4)));
    return bytes;
  }
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
  return bytes;
}

std::vector<ObjectId> RandomTrace::storages() const {
  std::vector<ObjectId> ids;
  for (const auto& [id, entries] : history_) ids.push_back(id);
  return ids;
}

const ModelBytes& RandomTrace::bytes_at(ObjectId storage, size_t t) const {
  static const ModelBytes kNothing;
  const auto& entries = history_.at(storage);
  const auto after = entries.upper_bound(t);
  return after == entries.begin() ? kNothing : std::prev(after)->second;
}

ModelBytes& RandomTrace::entry(ObjectId storage, size_t t) {
  auto& entries = history_[storage];
  const auto found = entries.find(t);
  if (found != entries.end()) return found->second;
  return entries[t] = entries.empty() ? ModelBytes() : entries.rbegin()->second;
}

void RandomTrace::step() {
  const auto thread = static_cast<uint16_t>(below(3));
  builder_.set_thread(thread);
  builder_.set_source(below(3) ? builder_.source_index("program.cpp", static_cast<int>(below(9)), "y = f(x);")
                               : kNone);
  if (living_.empty()) return allocate();
  if (tensors_.empty()) return make_tensor();
  switch (below(20)) {
    case 0: return allocate();
    case 1: return resize();
    case 2:
    case 3:
    case 4:
    case 5:
    case 6: return write();
    case 7:
    case 8: return make_tensor();
    case 9: return change_tensor();
    case 10:
    case 11: return view();
    case 12:
    case 13: return counts();
    case 14: return end_something();
    case 15:
      return builder_.tensor_named(tensors_[below(tensors_.size())].id, "t" + std::to_string(below(50)));
    case 16: {
      Tensor& tensor = tensors_[below(tensors_.size())];
      return builder_.version_changed(tensor.counter, tensor.version += below(3));
    }
    case 17: ++open_ops_[thread]; return builder_.op_begin("op", "op(" + std::to_string(below(5)) + ")");
    case 18:
      if (open_ops_[thread] == 0) return write_text();
      --open_ops_[thread];
      return builder_.op_end();
    default: return write_text();
  }
}

void RandomTrace::write_text() {
  if (below(2))
    builder_.mark("A step\nwith words \xc3\xa9 number " + std::to_string(below(1000)));
  else
    builder_.error("RuntimeError", "no " + std::to_string(below(10)));
}

void RandomTrace::allocate() {
  StorageFacts f;
  f.storage = ++last_id_;
  f.nbytes = below(4) == 0 ? below(largest_ + 1) : below(std::min<uint64_t>(largest_, 200) + 1);
  f.allocator = "cpu";
  f.resizable = below(2) != 0;
  f.initialised = below(2) != 0;
  const uint64_t known = f.initialised && below(2) ? below(f.nbytes + 1) : 0;
  const auto contents = random_bytes(known);
  builder_.storage_allocated(f, contents);
  living_.push_back(f.storage);
  ModelBytes& model = entry(f.storage, trace()->size());
  model.bytes.assign(f.nbytes, std::byte{0});
  model.known.assign(f.nbytes, f.initialised ? ByteState::NotRecorded : ByteState::Uninitialised);
  model.writer.assign(f.nbytes, 0);
  std::copy(contents.begin(), contents.end(), model.bytes.begin());
  std::fill_n(model.known.begin(), known, ByteState::Known);
}

void RandomTrace::resize() {
  const ObjectId storage = living_[below(living_.size())];
  StorageFacts f;
  f.storage = storage;
  f.nbytes = below(2) ? below(largest_ + 1) : below(100);
  f.allocator = "cpu";
  builder_.storage_resized(storage, f);
  ModelBytes& model = entry(storage, trace()->size());
  model.bytes.resize(f.nbytes, std::byte{0});
  model.known.resize(f.nbytes, ByteState::Uninitialised);
  model.writer.resize(f.nbytes, 0);
}

void RandomTrace::write() {
  const ObjectId storage = living_[below(living_.size())];
  const ModelBytes before = now(storage);
  WriteFacts f;
  f.storage = storage;
  f.begin = below(before.bytes.size() + 1);
  f.end = f.begin + (below(2) ? below(before.bytes.size() - f.begin + 1)
                              : std::min<uint64_t>(below(20), before.bytes.size() - f.begin));
  if (below(8) == 0) f.begin = 0, f.end = before.bytes.size();
  f.tensor = below(2) ? tensors_[below(tensors_.size())].id : 0;
  f.version = below(5);
  const size_t t = trace()->size();
  std::vector<std::byte> old;
  if (below(3) == 0 && f.begin < f.end) {
    old.assign(before.bytes.begin() + static_cast<ptrdiff_t>(f.begin),
               before.bytes.begin() + static_cast<ptrdiff_t>(f.end));
    for (size_t i = 0; i < old.size(); i += 1 + below(40)) old[i] = static_cast<std::byte>(random_());
    ModelBytes& seen = entry(storage, t);
    for (size_t i = 0; i < old.size(); ++i) {
      if (seen.known[f.begin + i] == ByteState::Uninitialised) continue;
      seen.bytes[f.begin + i] = old[i];
      seen.known[f.begin + i] = ByteState::Known;
    }
  }
  const bool recorded = below(6) != 0;
  const auto bytes = recorded ? random_bytes(f.end - f.begin) : std::vector<std::byte>();
  builder_.written(f, f.version + below(2), bytes, old);
  ModelBytes& after = entry(storage, t + 1);
  for (uint64_t i = f.begin; i < f.end; ++i) {
    after.bytes[i] = recorded ? bytes[i - f.begin] : std::byte{0};
    after.known[i] = recorded ? ByteState::Known : ByteState::NotRecorded;
    after.writer[i] = t + 1;
  }
}

TensorFacts RandomTrace::random_facts(ObjectId id, ObjectId counter, uint64_t version) {
  static thread_local std::vector<int64_t> sizes, strides;
  sizes.clear();
  strides.clear();
  for (size_t i = below(5); i > 0; --i) {
    sizes.push_back(static_cast<int64_t>(below(4)));
    strides.push_back(static_cast<int64_t>(below(5)));
  }
  TensorFacts f;
  f.tensor = id;
  f.storage = below(10) ? living_[below(living_.size())] : 0;
  f.version_counter = counter;
  f.version = version;
  f.sizes = sizes;
  f.strides = strides;
  f.storage_offset = static_cast<int64_t>(below(9));
  f.dtype = kScalarTypes[below(std::size(kScalarTypes))];
  f.key_set = random_();
  f.requires_grad = below(2) != 0;
  return f;
}

void RandomTrace::make_tensor() {
  Tensor tensor{++last_id_, 0, below(3)};
  // Half of them share the counter of another.
  if (!tensors_.empty() && below(2))
    tensor = {tensor.id, tensors_.back().counter, tensors_.back().version};
  else
    tensor.counter = ++last_id_;
  builder_.tensor_made(random_facts(tensor.id, tensor.counter, tensor.version));
  tensors_.push_back(tensor);
}

void RandomTrace::change_tensor() {
  Tensor& tensor = tensors_[below(tensors_.size())];
  builder_.tensor_changed(random_facts(tensor.id, tensor.counter, tensor.version));
}

void RandomTrace::view() {
  ViewFacts f;
  f.result = tensors_[below(tensors_.size())].id;
  f.source = below(5) ? tensors_[below(tensors_.size())].id : 0;
  f.op = "transpose";
  f.call = "transpose(0, 1)";
  f.copied = below(3) == 0;
  f.why = f.copied ? "It had to." : "";
  builder_.view_made(f);
}

void RandomTrace::counts() {
  const ObjectId id = below(2) ? living_[below(living_.size())] : tensors_[below(tensors_.size())].id;
  builder_.counts_changed(id, static_cast<uint32_t>(below(4)), static_cast<uint32_t>(below(4)));
}

void RandomTrace::end_something() {
  if (below(2)) {
    const size_t i = below(tensors_.size());
    builder_.tensor_released(tensors_[i].id);
    tensors_.erase(tensors_.begin() + static_cast<ptrdiff_t>(i));
  } else {
    const size_t i = below(living_.size());
    builder_.storage_freed(living_[i]);
    living_.erase(living_.begin() + static_cast<ptrdiff_t>(i));
  }
}

}  // namespace cutaway::trace
