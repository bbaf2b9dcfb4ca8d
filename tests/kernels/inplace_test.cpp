#include "kernels/inplace.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"
#include "core/warning.h"
#include "kernels/ops.h"

using namespace cutaway;

namespace {

std::string last_warning;

struct CatchWarnings {
  CatchWarnings() {
    last_warning.clear();
    set_warning_handler([](const std::string& message) { last_warning = message; });
  }
  ~CatchWarnings() { set_warning_handler(nullptr); }
};

}  // namespace

TEST_CASE("MEM-7 add_, zero_, t_, resize_, set_ give versions 1 to 5, as PyTorch 2.15") {
  const Tensor x = ones({2, 3});
  CHECK(add_(x, 1)._version() == 1);
  CHECK(zero_(x)._version() == 2);
  CHECK(t_(x)._version() == 3);
  CHECK(resize_(x, {2})._version() == 4);
  CHECK(set_(x, ones({1}))._version() == 5);
}

TEST_CASE("MEM-7 views share the counter both ways; resize_ counts only when the sizes change") {
  const Tensor x = ones({4});
  const Tensor v = slice(x, 0, 0, 2);
  add_(v, 1);
  CHECK(x._version() == 1);
  mul_(x, 2);
  CHECK(v._version() == 2);
  const Tensor y = ones({4});
  const int64_t versions[] = {0, 1, 1, 2, 3};
  const std::vector<std::vector<int64_t>> sizes{{4}, {2}, {2}, {8}, {2, 4}};
  for (size_t i = 0; i < sizes.size(); ++i)
    CHECK(resize_(y, sizes[i])._version() == static_cast<uint64_t>(versions[i]));
}

TEST_CASE("MEM-7 an out= that had to be resized ends at 1, the same as one that fitted") {
  CatchWarnings warnings;
  const Tensor fits = zeros({3}), resized = zeros({2});
  add_out(fits, ones({3}), 1);
  add_out(resized, ones({3}), 1);
  CHECK(fits._version() == 1);
  CHECK(resized._version() == 1);
}

TEST_CASE("VIEW-11 an out= of another size is resized, with a warning unless it is empty") {
  CatchWarnings warnings;
  const Tensor out = zeros({2});
  add_out(out, ones({3}), 1);
  CHECK(out.sizes() == IntArrayRef(std::vector<int64_t>{3}));
  CHECK(
      last_warning.find(
          "An output with one or more elements was resized since it had shape [2], which does not match the "
          "required output shape [3]") == 0);
  last_warning.clear();
  add_out(zeros({0}), ones({3}), 1);
  CHECK(last_warning.empty());
}

TEST_CASE("VIEW-11 resize_ grows the storage and keeps what was there") {
  const Tensor x = arange(4);
  resize_(x, {2, 4});
  CHECK(x.storage()->nbytes() == 64);
  CHECK(x.const_data_ptr<int64_t>()[3] == 3);
  resize_(x, {2});
  CHECK(x.storage()->nbytes() == 64);
}

TEST_CASE("VIEW-10a M6 M7 writes to expanded tensors and partial overlaps are refused, full overlap works") {
  const Tensor tall = expand(zeros({1, 4}), {3, 4});
  CHECK_THROWS_WITH_AS(
      add_(tall, 1),
      "unsupported operation: more than one element of the written-to tensor refers to a single memory "
      "location. Please clone() the tensor before performing the operation.",
      Error);
  CHECK(tall._version() == 0);
  const Tensor a = arange(5);
  CHECK_THROWS_WITH_AS(add_(slice(a, 0, 1, {}), slice(a, 0, 0, -1)),
                       doctest::Contains("some elements of the input tensor"), Error);
  add_(a, a);
  CHECK(item(select(a, 0, 4)).to<int64_t>() == 8);
}

TEST_CASE("VIEW-10b M7 the rule lets a non-dense operand through, with PyTorch's wrong result") {
  const Tensor a = view(arange(4), {2, 2});
  const Tensor minus = mul_(clone(slice(a, 1, 0, 1)), -1);
  add_(a, minus);  // without overlap: [[0, 1], [0, 1]]
  CHECK(item(select(select(a, 0, 1), 0, 1)).to<int64_t>() == 1);
}

TEST_CASE("M3 M5 broadcasting errors of in-place operations") {
  CHECK_THROWS_WITH_AS(
      add_(zeros({3}), zeros({4})),
      "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0", Error);
  CHECK_THROWS_WITH_AS(add_(zeros({1, 3}), zeros({2, 3})),
                       "output with shape [1, 3] doesn't match the broadcast shape [2, 3]", Error);
  CHECK_THROWS_WITH_AS(
      copy_(zeros({2}), zeros({3})),
      "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0.  "
      "Target sizes: [2].  Tensor sizes: [3]",
      Error);
}

TEST_CASE("DT-4 M26 results that the dtype cannot hold are refused") {
  CHECK_THROWS_WITH_AS(add_(zeros({2}, {ScalarType::Int, {}}), 1.5),
                       "result type Float can't be cast to the desired output type Int", Error);
  CHECK_THROWS_AS(add_(zeros({2}, {ScalarType::Bool, {}}), 1), Error);
  CHECK(item(add_(full({}, 250, {ScalarType::Byte, {}}), 10)).to<int64_t>() == 4);
  CHECK(
      item(add_(full({}, true, {ScalarType::Bool, {}}), full({}, true, {ScalarType::Bool, {}}))).to<bool>());
}

TEST_CASE("EXT-1 M25 two devices do not mix") {
  CHECK_THROWS_WITH_AS(
      add_(zeros({2}), empty({2}, {ScalarType::Float, Device(DeviceType::Meta)})),
      "Expected all tensors to be on the same device, but found at least two devices, cpu and meta!", Error);
}

TEST_CASE("in-place operations work on every dtype, strided and broadcast") {
  for (ScalarType type : kScalarTypes) {
    const Tensor x = zeros({4, 6}, {type, {}});
    const Tensor v = transpose(slice(x, 1, 0, {}, 2), 0, 1);
    fill_(v, 1);
    add_(v, full({4}, 1, {type, {}}));
    mul_(v, full({3, 1}, 1, {type, {}}));
    const double wanted = type == ScalarType::Bool ? 1 : 2;
    CHECK(item(select(select(to(x, ScalarType::Double), 0, 3), 0, 4)).to<double>() == wanted);
    CHECK(item(select(select(to(x, ScalarType::Double), 0, 3), 0, 5)).to<double>() == 0);
  }
}
