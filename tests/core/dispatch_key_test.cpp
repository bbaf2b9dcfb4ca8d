#include <doctest/doctest.h>

#include <iterator>
#include <set>
#include <string>

#include "core/dispatch_key_set.h"
#include "core/error.h"

using namespace cutaway;

namespace {

constexpr DispatchKeySet kCpu{DispatchKey::CPU};

int count(DispatchKeySet set) { return static_cast<int>(std::distance(set.begin(), set.end())); }

}  // namespace

TEST_CASE("DSP-1 backends and functionalities fit in 64 bits, slots are counted") {
  static_assert(kBackends + kFunctionalities <= 64);
  CHECK(kRuntimeKeys == count(DispatchKeySet::full()) + 1);
  CHECK(DispatchKeySet::full().raw() == (1ull << (kBackends + kFunctionalities)) - 1);
}

TEST_CASE("DSP-1 a key set is arithmetic that the compiler can do") {
  static_assert(to_runtime_key(DispatchKey::AutogradFunctionality, BackendComponent::SIMTBit) ==
                DispatchKey::AutogradSIMT);
  static_assert(to_functionality(DispatchKey::SparseMeta) == DispatchKey::Sparse);
  static_assert(to_backend(DispatchKey::QuantizedCUDA) == BackendComponent::CUDABit);
  static_assert(to_backend(DispatchKey::Tracer) == BackendComponent::InvalidBit);
  static_assert((kCpu | DispatchKeySet{DispatchKey::Tracer}).highest_priority_key() == DispatchKey::Tracer);
  static_assert(*kCpu.begin() == DispatchKey::CPU);
  CHECK(kCpu.has(DispatchKey::CPU));
}

TEST_CASE("DSP-2 the order of a full set is fixed") {
  CHECK(DispatchKeySet::full().str() ==
        "DispatchKeySet(CPU, CUDA, SIMT, PrivateUse1, Meta, QuantizedCPU, QuantizedCUDA, QuantizedSIMT, "
        "QuantizedPrivateUse1, QuantizedMeta, SparseCPU, SparseCUDA, SparseSIMT, SparsePrivateUse1, "
        "SparseMeta, "
        "BackendSelect, Python, Functionalize, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, "
        "AutogradSIMT, "
        "AutogradPrivateUse1, AutogradMeta, Tracer, AutocastCPU, AutocastCUDA, AutocastPrivateUse1, Batched, "
        "TESTING_ONLY_GenericWrapper, TESTING_ONLY_GenericMode, PythonDispatcher)");
}

TEST_CASE("DSP-2 the reasons of the order hold") {
  const auto above = [](DispatchKey high, DispatchKey low) {
    return DispatchKeySet{high, low}.highest_priority_key() == high;
  };
  CHECK(above(DispatchKey::AutocastCPU, DispatchKey::AutogradCPU));
  CHECK(above(DispatchKey::SparseCPU, DispatchKey::CPU));
  CHECK(above(DispatchKey::AutogradCPU, DispatchKey::Functionalize));
  CHECK(above(DispatchKey::AutogradCPU, DispatchKey::ADInplaceOrView));
  CHECK(above(DispatchKey::ADInplaceOrView, DispatchKey::BackendSelect));
}

TEST_CASE("DSP-3a {CPU} minus {CPU} keeps the backend bit and has no runtime key") {
  CHECK((kCpu - kCpu).raw() == 1);
  CHECK((kCpu - kCpu).keys().empty());
  CHECK(count(kCpu - kCpu) == 0);
  CHECK((kCpu - kCpu).highest_priority_key() == DispatchKey::Undefined);
}

TEST_CASE("DSP-3b {CPU} or {AutogradCUDA} iterates as the cross product") {
  const DispatchKeySet both = kCpu | DispatchKeySet{DispatchKey::AutogradCUDA};
  CHECK(both.str() == "DispatchKeySet(CPU, CUDA, AutogradCPU, AutogradCUDA)");
  CHECK(both.highest_priority_key() == DispatchKey::AutogradCUDA);
  CHECK(both.has(DispatchKey::AutogradCPU));
}

TEST_CASE("DSP-3b every union of two runtime keys holds their cross product, highest last") {
  for (DispatchKey a : DispatchKeySet::full())
    for (DispatchKey b : DispatchKeySet::full()) {
      std::set<DispatchKey> product;
      for (DispatchKey functionality : {to_functionality(a), to_functionality(b)})
        for (DispatchKey from : {a, b}) {
          const BackendComponent backend = to_backend(from);
          if (is_per_backend_functionality(functionality) && backend == BackendComponent::InvalidBit)
            continue;
          product.insert(to_runtime_key(functionality, backend));
        }
      const DispatchKeySet both{a, b};
      REQUIRE(std::set<DispatchKey>(both.begin(), both.end()) == product);
      DispatchKey last = DispatchKey::Undefined;
      for (DispatchKey key : both) last = key;
      REQUIRE(both.highest_priority_key() == last);
    }
}

TEST_CASE("DSP-4 keys of new tensors are PyTorch's") {
  CHECK(key_set_of_tensor(Device()).str() ==
        "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  CHECK(key_set_of_tensor(Device(DeviceType::Meta)).str() ==
        "DispatchKeySet(Meta, ADInplaceOrView, AutogradMeta)");
  CHECK(key_set_of_tensor(Device(), true).str() ==
        "DispatchKeySet(SparseCPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  CHECK(key_set_of_tensor(Device(DeviceType::SIMT)).str() ==
        "DispatchKeySet(SIMT, ADInplaceOrView, AutogradSIMT)");
  CHECK(without_autograd(key_set_of_tensor(Device())).str() == "DispatchKeySet(CPU, AutocastCPU)");
}

TEST_CASE("names of keys go there and back; every runtime key has functionality and backend") {
  for (DispatchKey key : DispatchKeySet::full()) {
    CHECK(parse_dispatch_key(to_string(key)) == key);
    CHECK(to_runtime_key(to_functionality(key), to_backend(key)) == key);
    CHECK(DispatchKeySet(key).highest_priority_key() == key);
  }
  CHECK(parse_dispatch_key("CompositeImplicitAutograd") == DispatchKey::CompositeImplicitAutograd);
  CHECK(parse_dispatch_key("NoSuchKey") == std::nullopt);
  CHECK(parse_dispatch_key(to_string(DispatchKey::EndOfKeys)) == std::nullopt);
  CHECK(std::string(to_string(BackendComponent::SIMTBit)) == "SIMTBit");
}

TEST_CASE("an alias key has no bit") {
  CHECK_THROWS_AS(DispatchKeySet{DispatchKey::Autograd}, Error);
  CHECK_THROWS_AS(DispatchKeySet{DispatchKey::EndOfFunctionalityKeys}, Error);
  CHECK(DispatchKeySet(DispatchKey::Undefined).empty());
}
