#include "core/device.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/dispatch_key.h"
#include "core/error.h"
#include "core/layout.h"
#include "core/memory_format.h"

using namespace cutaway;

TEST_CASE("EXT-1 device strings parse and print") {
  CHECK(Device("cpu") == Device(DeviceType::CPU));
  CHECK(Device("cuda:1") == Device(DeviceType::CUDA, 1));
  CHECK(Device("simt").str() == "simt");
  CHECK(Device("meta").is_meta());
  CHECK(Device("privateuseone:0").str() == "privateuseone:0");
}

TEST_CASE("EXT-1 bad device strings say what was expected") {
  CHECK_THROWS_WITH_AS(
      Device("foo"),
      "Expected one of cpu, cuda, simt, meta, privateuseone device type at start of device string: foo",
      Error);
  for (const char* text :
       {"cpu:", "cpu:-1", "cpu:01", "cpu:x", "cpu:1x", "cpu:999", "cpu: 1", "cpu:1:2", "cuda:00"})
    CHECK_THROWS_WITH_AS(Device{text}, doctest::Contains("Invalid device string"), Error);
  CHECK_THROWS_WITH_AS(Device(""), "Device string must not be empty", Error);
  CHECK_THROWS_AS(Device("CPU"), Error);
}

TEST_CASE("EXT-1 every kind of device has a name that parses back, and a backend bit") {
  std::set<BackendComponent> bits;
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto type = static_cast<DeviceType>(i);
    CHECK(Device(to_string(type)).type == type);
    bits.insert(backend_of(type));
  }
  CHECK(bits.size() == kDeviceTypes);
  CHECK(bits.count(BackendComponent::InvalidBit) == 0);
}

TEST_CASE("EXT-2 layouts and memory formats have PyTorch's names") {
  CHECK(std::string(to_string(Layout::Strided)) == "strided");
  CHECK(std::string(to_string(Layout::Sparse)) == "sparse_coo");
  CHECK(std::string(to_string(MemoryFormat::Contiguous)) == "contiguous_format");
  CHECK(std::string(to_string(MemoryFormat::ChannelsLast3d)) == "channels_last_3d");
}
