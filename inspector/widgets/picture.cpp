#include "inspector/widgets/picture.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

ImU32 mix(ImU32 a, ImU32 b, float t) {
  ImU32 result = 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const float x = static_cast<float>(a >> shift & 255), y = static_cast<float>(b >> shift & 255);
    result |= static_cast<ImU32>(x + (y - x) * t) << shift;
  }
  return result;
}

struct Shades {
  float low = 0;
  float high = 1;
  ImU32 table[256];

  explicit Shades(const std::vector<float>& values) {
    low = INFINITY;
    high = -INFINITY;
    for (float v : values) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
    if (!(low < high)) {
      high = low = std::isfinite(low) ? low : 0;
      high += 1;
    }
    for (int i = 0; i < 256; ++i) table[i] = mix(color(Role::Raised), color(Role::Accent), static_cast<float>(i) / 255);
  }
  ImU32 of(float value) const {
    return table[static_cast<int>(std::clamp((value - low) / (high - low), 0.0f, 1.0f) * 255)];
  }
};

struct Texture {
  ImTextureData data;
  uint64_t key = 0;
  bool registered = false;
};

}  // namespace

std::vector<uint32_t> shade_values(const std::vector<float>& values, int64_t columns, int64_t rows, int width, int height) {
  const Shades shades(values);
  const ImU32 wrong = color(Role::Wrong);
  std::vector<uint32_t> pixels(static_cast<size_t>(width) * height, color(Role::Panel));
  for (int y = 0; y < height; ++y) {
    const int64_t row0 = y * rows / height, row1 = std::max((y + 1) * rows / height, row0 + 1);
    for (int x = 0; x < width; ++x) {
      const int64_t column0 = x * columns / width, column1 = std::max((x + 1) * columns / width, column0 + 1);
      float sum = 0;
      int count = 0;
      bool special = false;
      for (int64_t row = row0; row < row1; ++row)
        for (int64_t column = column0; column < column1; ++column) {
          const auto at = static_cast<size_t>(row * columns + column);
          if (at >= values.size()) continue;
          special |= !std::isfinite(values[at]);
          sum += values[at];
          ++count;
        }
      if (count) pixels[static_cast<size_t>(y) * width + x] = special ? wrong : shades.of(sum / static_cast<float>(count));
    }
  }
  return pixels;
}

void draw_pixels(ImDrawList* list, const char* name, const std::vector<uint32_t>& pixels, int width, int height, ImVec2 at,
                 uint64_t key) {
  static std::map<std::string, std::unique_ptr<Texture>> textures;
  auto& texture = textures[name];
  if (!texture) texture = std::make_unique<Texture>();
  ImTextureData& data = texture->data;
  if (texture->key != key || data.Width != width || data.Height != height) {
    const bool same_size = texture->registered && data.Width == width && data.Height == height && data.Status == ImTextureStatus_OK;
    if (!same_size) {
      // The old texture is handed back before one of another size takes its place.
      if (texture->registered) {
        ImGui::UnregisterUserTexture(&data);
        data.DestroyPixels();
        texture = std::make_unique<Texture>();
      }
      ImTextureData& fresh = texture->data;
      fresh.Create(ImTextureFormat_RGBA32, width, height);
      std::memcpy(fresh.GetPixels(), pixels.data(), pixels.size() * 4);
      ImGui::RegisterUserTexture(&fresh);
      fresh.SetStatus(ImTextureStatus_WantCreate);
      texture->registered = true;
    } else {
      std::memcpy(data.GetPixels(), pixels.data(), pixels.size() * 4);
      data.UpdateRect = {0, 0, static_cast<unsigned short>(width), static_cast<unsigned short>(height)};
      data.Updates.resize(0);
      data.Updates.push_back(data.UpdateRect);
      data.SetStatus(ImTextureStatus_WantUpdates);
    }
    texture->key = key;
  }
  list->AddImage(texture->data.GetTexRef(), at, {at.x + static_cast<float>(width), at.y + static_cast<float>(height)});
  budget().weight += 16;
}

}  // namespace cutaway::inspector
