#include "tests/inspector/model/small_document.h"

#include <cstring>

#include "core/convert.h"
#include "core/dispatch_key_set.h"
#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "kernels/ops.h"
#include "tests/io/temp_file.h"
#include "trace/recorder.h"

namespace cutaway::inspector {

std::shared_ptr<Document> counting_document(const std::vector<int64_t>& sizes, ScalarType dtype,
                                            int64_t spare) {
  const int64_t elements = compute_numel(sizes) + spare;
  const size_t itemsize = element_size(dtype);
  std::vector<std::byte> bytes(static_cast<size_t>(elements) * itemsize);
  for (int64_t i = 0; i < elements; ++i)
    convert_element(dtype, bytes.data() + static_cast<size_t>(i) * itemsize, ScalarType::Long, &i);
  auto builder = std::make_shared<trace::TraceBuilder>();
  StorageFacts storage;
  storage.storage = 1;
  storage.nbytes = bytes.size();
  storage.allocator = "cpu";
  storage.initialised = true;
  builder->storage_allocated(storage, bytes);
  TensorFacts tensor;
  tensor.tensor = 2;
  tensor.storage = 1;
  tensor.version_counter = 3;
  const DimVector strides = contiguous_strides(sizes);
  tensor.sizes = sizes;
  tensor.strides = strides;
  tensor.dtype = dtype;
  tensor.key_set = key_set_of_tensor(Device(), false).raw();
  builder->tensor_made(tensor);
  builder->tensor_named(2, "x");
  return Document::of(builder, "counting");
}

namespace {

void refused_view(const Tensor& z) {
  try {
    CUTAWAY_STEP(view(z, {24}));
  } catch (const Error&) {
    mark("refused\nview(24) needs a copy.");
  }
}

void refused_write(const Tensor& tall) {
  try {
    CUTAWAY_STEP(add_(tall, 1));
  } catch (const Error&) {
    mark("overlap\nThree indices are one element.");
  }
}

Tensor small_program() {
  Tensor kept;
  {
    CUTAWAY_STEP(Tensor x = zeros({4, 6}));
    name(x, "x");
    CUTAWAY_STEP(fill_(select(x, 0, 1), 7));
    mark("filled\nA row of x holds 7.");
    CUTAWAY_STEP(Tensor z = transpose(x, 0, 1));
    name(z, "z");
    CUTAWAY_STEP(add_(z, 1));
    refused_view(z);
    CUTAWAY_STEP(Tensor flat = reshape(z, {24}));
    name(flat, "flat");
    CUTAWAY_STEP(Tensor tall = expand(select(x, 0, 1), {3, 6}));
    name(tall, "tall");
    refused_write(tall);
    CUTAWAY_STEP(kept = select(x, 0, 1));
    name(kept, "kept");
  }
  mark("kept\nx is gone, its storage is not.");
  CUTAWAY_STEP(kept = clone(kept));
  name(kept, "kept");
  return kept;
}

}  // namespace

void record_program(const std::string& path) {
  Tensor outlives;  // the recording
  trace::Recording recording(path);
  outlives = small_program();
}

std::shared_ptr<Document> recorded_document() {
  const io::TempFile file("small.trace");
  record_program(file.path());
  return Document::open_trace(file.path(), false);
}

}  // namespace cutaway::inspector
