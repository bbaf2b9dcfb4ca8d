#include "core/device.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace cutaway;

TEST_CASE("EXT-1 device strings parse and print") {
  CHECK(Device("cpu") == Device(DeviceType::CPU));
  CHECK(Device("cuda:1") == Device(DeviceType::CUDA, 1));
  CHECK(Device("simt").str() == "simt");
  CHECK(Device("meta").is_meta());
  CHECK(Device("privateuseone:0").str() == "privateuseone:0");
}

TEST_CASE("EXT-1 bad device strings say what was expected") {
  CHECK_THROWS_WITH_AS(Device("foo"),
                       "Expected one of cpu, cuda, simt, meta, privateuseone device type at start of device string: foo", Error);
  for (const char* text : {"cpu:", "cpu:-1", "cpu:01", "cpu:x", "cpu:1x", "cpu:999"})
    CHECK_THROWS_WITH_AS(Device{text}, doctest::Contains("Invalid device string"), Error);
  CHECK_THROWS_AS(Device(""), Error);
}
