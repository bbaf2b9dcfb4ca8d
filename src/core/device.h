// Where a tensor's bytes live: a kind of device and its number.
//
// Five kinds: cpu, cuda, simt (GPU kernels interpreted on the CPU), meta (shapes without bytes) and
// privateuseone (a backend registered from outside). Index -1 means "the current one", as in a bare "cuda".
//
// PyTorch: c10/core/Device.h, c10/core/DeviceType.h
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace cutaway {

enum class DeviceType : int8_t { CPU, CUDA, SIMT, Meta, PrivateUse1 };
inline constexpr int kDeviceTypes = 5;

// Returns: the name in a device string, "cpu", "privateuseone".
const char* to_string(DeviceType type);

struct Device {
  DeviceType type = DeviceType::CPU;
  int8_t index = -1;

  constexpr Device() = default;
  constexpr Device(DeviceType t, int8_t i = -1) : type(t), index(i) {}
  // Parses "cpu" or "cuda:1". Throws: Error with PyTorch's texts.
  explicit Device(std::string_view text);

  constexpr bool has_index() const { return index >= 0; }
  constexpr bool is_cpu() const { return type == DeviceType::CPU; }
  constexpr bool is_meta() const { return type == DeviceType::Meta; }

  // Returns: "cpu" or "cuda:1".
  std::string str() const;

  friend constexpr bool operator==(Device a, Device b) { return a.type == b.type && a.index == b.index; }
};

std::ostream& operator<<(std::ostream& out, Device device);

}  // namespace cutaway
