#include "core/device.h"

#include <charconv>
#include <ostream>

#include "core/error.h"

namespace cutaway {
namespace {

constexpr DeviceType kAll[kDeviceTypes] = {DeviceType::CPU, DeviceType::CUDA, DeviceType::SIMT,
                                           DeviceType::Meta, DeviceType::PrivateUse1};

DeviceType parse_type(std::string_view name, std::string_view whole) {
  std::string expected;
  for (DeviceType t : kAll) {
    if (name == to_string(t)) return t;
    expected += (expected.empty() ? "" : ", ") + std::string(to_string(t));
  }
  CUTAWAY_CHECK(false, "Expected one of ", expected, " device type at start of device string: ", whole);
  return DeviceType::CPU;
}

}  // namespace

const char* to_string(DeviceType type) {
  switch (type) {
    case DeviceType::CPU: return "cpu";
    case DeviceType::CUDA: return "cuda";
    case DeviceType::SIMT: return "simt";
    case DeviceType::Meta: return "meta";
    case DeviceType::PrivateUse1: return "privateuseone";
  }
  return "unknown";
}

Device::Device(std::string_view text) {
  CUTAWAY_CHECK(!text.empty(), "Device string must not be empty");
  const size_t colon = text.find(':');
  type = parse_type(text.substr(0, colon), text);
  if (colon == std::string_view::npos) return;
  const std::string_view digits = text.substr(colon + 1);
  int value = -1;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = failure == std::errc() && end == digits.data() + digits.size();
  const bool plain = digits.size() == 1 || (!digits.empty() && digits.front() != '0');
  CUTAWAY_CHECK(whole && plain && value >= 0 && value <= INT8_MAX, "Invalid device string: '", text, "'");
  index = static_cast<int8_t>(value);
}

std::string Device::str() const {
  std::string text = to_string(type);
  if (has_index()) text += ':' + std::to_string(index);
  return text;
}

std::ostream& operator<<(std::ostream& out, Device device) { return out << device.str(); }

}  // namespace cutaway
