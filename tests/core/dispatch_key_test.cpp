#include <doctest/doctest.h>

#include <string>

#include "core/dispatch_key_set.h"
#include "core/error.h"

using namespace cutaway;

TEST_CASE("DSP-1 backends and functionalities fit in 64 bits, slots are counted") {
  static_assert(kBackends + kFunctionalities <= 64);
  CHECK(kRuntimeKeys == static_cast<int>(DispatchKeySet::full().keys().size()) + 1);
}

TEST_CASE("DSP-2 the order of a full set is fixed") {
  CHECK(DispatchKeySet::full().str() ==
        "DispatchKeySet(CPU, CUDA, SIMT, PrivateUse1, Meta, QuantizedCPU, QuantizedCUDA, QuantizedSIMT, "
        "QuantizedPrivateUse1, QuantizedMeta, SparseCPU, SparseCUDA, SparseSIMT, SparsePrivateUse1, SparseMeta, "
        "BackendSelect, Python, Functionalize, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, AutogradSIMT, "
        "AutogradPrivateUse1, AutogradMeta, Tracer, AutocastCPU, AutocastCUDA, AutocastPrivateUse1, Batched, "
        "TESTING_ONLY_GenericWrapper, TESTING_ONLY_GenericMode, PythonDispatcher)");
}

TEST_CASE("DSP-3a {CPU} minus {CPU} keeps the backend bit and has no runtime key") {
  const DispatchKeySet cpu{DispatchKey::CPU};
  CHECK((cpu - cpu).raw() == 1);
  CHECK((cpu - cpu).keys().empty());
  CHECK((cpu - cpu).highest_priority_key() == DispatchKey::Undefined);
}

TEST_CASE("DSP-3b {CPU} or {AutogradCUDA} iterates as the cross product") {
  const DispatchKeySet both = DispatchKeySet{DispatchKey::CPU} | DispatchKeySet{DispatchKey::AutogradCUDA};
  CHECK(both.str() == "DispatchKeySet(CPU, CUDA, AutogradCPU, AutogradCUDA)");
  CHECK(both.highest_priority_key() == DispatchKey::AutogradCUDA);
  CHECK(both.has(DispatchKey::AutogradCPU));
}

TEST_CASE("DSP-4 keys of new tensors are PyTorch's") {
  CHECK(key_set_of_tensor(Device(), false).str() == "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  CHECK(key_set_of_tensor(Device(DeviceType::Meta), false).str() == "DispatchKeySet(Meta, ADInplaceOrView, AutogradMeta)");
  CHECK(key_set_of_tensor(Device(), true).str() == "DispatchKeySet(SparseCPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
}

TEST_CASE("names of keys go there and back; every runtime key has functionality and backend") {
  for (DispatchKey key : DispatchKeySet::full().keys()) {
    CHECK(parse_dispatch_key(to_string(key)) == key);
    CHECK(to_runtime_key(to_functionality(key), to_backend(key)) == key);
    CHECK(DispatchKeySet(key).highest_priority_key() == key);
  }
  CHECK(parse_dispatch_key("NoSuchKey") == std::nullopt);
  CHECK_THROWS_AS(DispatchKeySet(DispatchKey::Autograd), Error);
}
