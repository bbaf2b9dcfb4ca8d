#include <doctest/doctest.h>

#include "trace/builder.h"

namespace cutaway::trace {
namespace {

class Teller {
 public:
  Teller() {
    storage_.storage = 3;
    storage_.nbytes = 4096;
    storage_.allocator = "cpu";
    builder.storage_allocated(storage_);
    tensor_ = facts(4, sizes_, strides_);
    builder.tensor_made(tensor_);
    builder.tensor_named(4, "x");
  }

  // Returns: the sentence of the last event.
  std::string last(bool named = true) const {
    const auto trace = builder.trace();
    const World world = trace->world_at(trace->size());
    return trace->describe(trace->size(), named ? &world : nullptr);
  }
  std::string at(size_t number) const {
    const World world = builder.trace()->world_at(builder.trace()->size());
    return builder.trace()->describe(number, &world);
  }

  TensorFacts facts(ObjectId id, const std::vector<int64_t>& sizes,
                    const std::vector<int64_t>& strides) const {
    TensorFacts f;
    f.tensor = id;
    f.storage = 3;
    f.version_counter = 9;
    f.sizes = sizes;
    f.strides = strides;
    f.dtype = ScalarType::Float;
    return f;
  }

  TraceBuilder builder;
  StorageFacts storage_;
  TensorFacts tensor_;
  std::vector<int64_t> sizes_{2, 3}, strides_{3, 1};
};

TEST_CASE("every kind of event is told in a sentence") {
  Teller t;
  CHECK(t.at(1) == "storage #3 is allocated: 4,096 bytes on cpu, uninitialised");
  CHECK(t.at(2) == "x is made: float32, sizes [2, 3], strides [3, 1], offset 0, over storage #3");
  CHECK(t.last(false) == "tensor #4 is called x");
  t.builder.storage_resized(3, [&] {
    auto s = t.storage_;
    s.nbytes = 5000;
    return s;
  }());
  CHECK(t.last() == "storage #3 is resized from 4096 to 5,000 bytes, the new ones uninitialised");
  t.builder.counts_changed(4, 2, 1);
  CHECK(t.last() == "x has 2 strong references and 1 weak one");
  t.builder.counts_changed(4, 1, 1);
  CHECK(t.last() == "x has 1 strong reference and 1 weak one, it had 2");
  t.builder.counts_changed(3, 3, 2);
  CHECK(t.last() == "storage #3 has 3 strong references and 2 weak ones");
  const std::vector<int64_t> sizes{3, 2}, strides{1, 3};
  t.builder.tensor_changed(t.facts(4, sizes, strides));
  CHECK(t.last() == "x changes in place: sizes [2, 3] become [3, 2], strides [3, 1] become [1, 3]");
  t.builder.tensor_made(t.facts(5, sizes, strides));
  ViewFacts view;
  view.result = 5;
  view.source = 4;
  view.op = "transpose";
  view.call = "transpose(0, 1)";
  t.builder.view_made(view);
  CHECK(t.last() == "tensor #5 is a view of x, made by transpose(0, 1): no byte moved");
  view.copied = true;
  view.why = "Dimensions 0 and 1 cannot merge.";
  t.builder.view_made(view);
  CHECK(t.last() == "tensor #5 is a copy of x, made by transpose(0, 1). Dimensions 0 and 1 cannot merge.");
  view.source = 0;
  t.builder.view_made(view);
  CHECK(t.last().substr(0, 60) == "tensor #5 is a copy of a tensor made before the recording be");
  t.builder.version_changed(9, 1);
  CHECK(t.last() == "version counter #9 (x) goes from 0 to 1");
  t.builder.op_begin("add_", "add_(3)");
  CHECK(t.last() == "add_(3) begins");
  t.builder.op_end();
  CHECK(t.last() == "add_(3) ends");
  t.builder.error("IndexError", "out of range");
  CHECK(t.last() == "IndexError: out of range");
  t.builder.mark("A title\nand prose");
  CHECK(t.last() == "A title");
  t.builder.tensor_released(4);
  CHECK(t.last() == "x ends: no handle to it is left");
  t.builder.storage_freed(3);
  CHECK(t.last() == "storage #3 is freed: 5,000 bytes go back to where they came from");
}

TEST_CASE("a write is told by its bytes, the tensor it went through and the version") {
  Teller t;
  WriteFacts write;
  write.storage = 3;
  write.tensor = 4;
  write.begin = 8;
  write.end = 16;
  write.version = 2;
  const std::vector<std::byte> bytes(8);
  t.builder.written(write, 1, bytes);
  CHECK(t.last() == "bytes 8 to 15 of storage #3 are written through x, version 1 becomes 2");
  write.end = 9;
  t.builder.written(write, 2, {});
  CHECK(t.last() == "byte 8 of storage #3 is written through x (not all bytes were recorded)");
  write.end = 8;
  write.tensor = 0;
  t.builder.written(write, 2, {});
  CHECK(t.last() == "a write of no bytes to storage #3");
}

TEST_CASE("storages tell where their bytes come from") {
  TraceBuilder b;
  StorageFacts s;
  s.storage = 1;
  s.nbytes = 1;
  s.initialised = true;
  s.allocator = "file";
  b.storage_allocated(s);
  CHECK(b.trace()->describe(1) == "storage #1 lies in a file: 1 byte, read when they are looked at");
  s.storage = 2;
  s.allocator = "foreign";
  b.storage_allocated(s);
  CHECK(b.trace()->describe(2) == "storage #2 takes over 1 byte of memory that somebody else made");
  b.storage_met(3, 100, Device());
  CHECK(b.trace()->describe(3) ==
        "storage #3 appears, made before the recording began: it has at least 100 bytes");
  b.storage_met(3, 50, Device());
  CHECK(b.trace()->size() == 3);
  b.storage_met(3, 200, Device());
  CHECK(b.trace()->describe(4) == "storage #3 turns out to have at least 200 bytes");
  CHECK(b.trace()->world_at(4).storage(3)->partial);
}

}  // namespace
}  // namespace cutaway::trace
