// Overview. A stamp is a rectangle in the font atlas that holds one shape as an alpha mask, at the very size it is drawn
// in, so that pixels meet pixels. find_or_bake() looks a stamp up by shape and size and bakes it when it is new. Shapes
// that are larger than kMostSide are drawn from tiles (hatches) or by Dear ImGui itself.

#include "inspector/widgets/stamps.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/theme.h"

namespace cutaway::inspector {
namespace {

enum class Shape : uint8_t { Fill, Frame, Hatched, Tile };

struct Key {
  Shape shape;
  Hatch hatch;
  uint16_t width, height;  // picture elements
  uint16_t scale;          // of the theme, in 1/64
  friend bool operator==(const Key&, const Key&) = default;
};

struct Baked {
  Key key;
  ImFontAtlasRectId rect;
};

std::vector<Baked> baked;
constexpr size_t kMostBaked = 160;
constexpr float kRadius = 3, kFrame = 1.5f;
constexpr float kMostSide = 96;                // points: the largest shape that is baked whole
constexpr int kTileWide = 48, kTileHigh = 12;  // steps of a hatch: whole periods of all of them

// Signed distance to a rectangle with round corners, negative inside.
float distance_to_box(float x, float y, float width, float height, float radius) {
  const float dx = std::fabs(x - width / 2) - (width / 2 - radius),
              dy = std::fabs(y - height / 2) - (height / 2 - radius);
  const float outside = std::hypot(std::max(dx, 0.0f), std::max(dy, 0.0f));
  return outside + std::min(std::max(dx, dy), 0.0f) - radius;
}

float covered(float distance) { return std::clamp(0.5f - distance, 0.0f, 1.0f); }

// Distance to the nearest multiple of `step`, offset by half a step.
float to_line(float at, float step) { return std::fabs(at - step * std::floor(at / step) - step / 2); }

float mask_at(const Key& key, float x, float y, float scale) {
  const auto width = static_cast<float>(key.width), height = static_cast<float>(key.height);
  const float tint = 1 / kHatchInk;
  if (key.shape == Shape::Tile) return tint + (1 - tint) * hatch_cover(key.hatch, x, y, scale);
  const float distance = distance_to_box(x, y, width, height, kRadius * scale);
  if (key.shape == Shape::Frame) return covered(distance) - covered(distance + kFrame * scale);
  if (key.shape == Shape::Fill) return covered(distance);
  return covered(distance) * (tint + (1 - tint) * hatch_cover(key.hatch, x, y, scale));
}

void write_mask(const Key& key, const ImFontAtlasRect& rect) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  ImTextureData* texture = atlas->TexData;
  const float scale = static_cast<float>(key.scale) / 64;
  for (int y = 0; y < rect.h; ++y)
    for (int x = 0; x < rect.w; ++x) {
      const float mask = mask_at(key, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, scale);
      auto* pixel = static_cast<unsigned char*>(texture->GetPixelsAt(rect.x + x, rect.y + y));
      for (int i = 0; i < texture->BytesPerPixel; ++i) pixel[i] = 255;
      pixel[texture->BytesPerPixel - 1] = static_cast<unsigned char>(mask * 255 + 0.5f);
    }
  ImFontAtlasTextureBlockQueueUpload(atlas, texture, rect.x, rect.y, rect.w, rect.h);
}

void throw_away() {
  for (const Baked& stamp : baked) ImGui::GetIO().Fonts->RemoveCustomRect(stamp.rect);
  baked.clear();
}

bool find_or_bake(const Key& key, ImFontAtlasRect* rect) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  for (const Baked& stamp : baked)
    if (stamp.key == key) return atlas->GetCustomRect(stamp.rect, rect);
  if (baked.size() >= kMostBaked) throw_away();
  const ImFontAtlasRectId id = atlas->AddCustomRect(key.width, key.height, rect);
  if (id == ImFontAtlasRectId_Invalid) return false;
  write_mask(key, *rect);
  baked.push_back({key, id});
  return true;
}

float density() { return std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f); }

Key key_of(Shape shape, Hatch hatch, float width, float height) {
  const auto pixels = [](float length) {
    return static_cast<uint16_t>(std::max(std::lround(length * density()), 1L));
  };
  return {shape, hatch, pixels(width), pixels(height),
          static_cast<uint16_t>(std::lround(scale() * density() * 64))};
}

bool draw_whole(ImDrawList* list, Shape shape, Hatch hatch, ImVec2 min, ImVec2 max, ImU32 tint) {
  const float width = max.x - min.x, height = max.y - min.y;
  if (width <= 0 || height <= 0) return true;
  if (width > px(kMostSide) || height > px(kMostSide)) return false;
  ImFontAtlasRect rect;
  if (!find_or_bake(key_of(shape, hatch, width, height), &rect)) return false;
  list->AddImage(ImGui::GetIO().Fonts->TexRef, min, max, rect.uv0, rect.uv1, tint);
  budget().weight += Budget::kQuad;
  return true;
}

// Tiles are laid from the corner of the screen, so that neighbouring rectangles show one pattern.
void draw_tiles(ImDrawList* list, ImVec2 min, ImVec2 max, Hatch hatch, ImU32 tint) {
  const auto step = static_cast<float>(hatch_step(scale()));
  const float wide = step * kTileWide, high = step * kTileHigh;
  ImFontAtlasRect rect;
  if (!find_or_bake(key_of(Shape::Tile, hatch, wide, high), &rect))
    return list->AddRectFilled(min, max, tint);
  const ImVec2 uv{(rect.uv1.x - rect.uv0.x) / wide, (rect.uv1.y - rect.uv0.y) / high};
  for (float top = std::floor(min.y / high) * high; top < max.y; top += high)
    for (float left = std::floor(min.x / wide) * wide; left < max.x; left += wide) {
      const ImVec2 a{std::max(min.x, left), std::max(min.y, top)},
          b{std::min(max.x, left + wide), std::min(max.y, top + high)};
      list->AddImage(ImGui::GetIO().Fonts->TexRef, a, b,
                     {rect.uv0.x + (a.x - left) * uv.x, rect.uv0.y + (a.y - top) * uv.y},
                     {rect.uv0.x + (b.x - left) * uv.x, rect.uv0.y + (b.y - top) * uv.y}, tint);
      budget().weight += Budget::kQuad;
    }
}

ImU32 with_alpha(ImU32 rgb, float alpha) {
  return (rgb & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::clamp(alpha, 0.0f, 1.0f) * 255 + 0.5f)
                                        << IM_COL32_A_SHIFT;
}

}  // namespace

Hatch hatch_of_view(int view) { return static_cast<Hatch>(view % kViewColors); }

int hatch_step(float scale) { return 3 * std::max(static_cast<int>(std::lround(2 * scale)), 1); }

float hatch_cover(Hatch hatch, float x, float y, float scale) {
  const auto step = static_cast<float>(hatch_step(scale));
  const float half = 0.5f * std::max(scale, 1.0f);
  const auto line = [&](float distance) { return std::clamp(half + 0.5f - distance, 0.0f, 1.0f); };
  const auto dash = [&](float dx, float dy, float length) {
    return std::min(line(dy), std::clamp(length + 0.5f - dx, 0.0f, 1.0f));
  };
  const float dx = to_line(x, step), dy = to_line(y, step);
  // Lines that lean meet the axes every step and a third: as far apart as the others look.
  const float lean = step * 4 / 3;
  const float slash = to_line(x + y, lean) / std::sqrt(2.0f),
              backslash = to_line(x - y, lean) / std::sqrt(2.0f);
  switch (hatch) {
    case Hatch::Plain: return 0;
    case Hatch::Slash: return line(slash);
    case Hatch::Backslash: return line(backslash);
    case Hatch::Dots: return std::clamp(scale + 0.5f - std::hypot(dx, dy), 0.0f, 1.0f);
    case Hatch::Dashes: return dash(dx, dy, step / 3);
    case Hatch::Plus: return std::max(dash(dx, dy, step / 3), dash(dy, dx, step / 3));
    case Hatch::Cross: return std::max(line(slash), line(backslash));
  }
  return 0;
}

void stamp_fill(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color) {
  if (draw_whole(list, Shape::Fill, Hatch::Plain, min, max, color)) return;
  list->AddRectFilled(min, max, color, px(kRadius));
  budget().weight += Budget::kRounded;
}

void stamp_frame(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color) {
  if (draw_whole(list, Shape::Frame, Hatch::Plain, min, max, color)) return;
  const float half = px(kFrame) / 2;
  list->AddRect({min.x + half, min.y + half}, {max.x - half, max.y - half}, color, px(kRadius), px(kFrame));
  budget().weight += Budget::kRounded;
}

void stamp_hatch(ImDrawList* list, ImVec2 min, ImVec2 max, Hatch hatch, ImU32 rgb, float alpha) {
  if (hatch == Hatch::Plain) return stamp_fill(list, min, max, with_alpha(rgb, alpha));
  const ImU32 tint = with_alpha(rgb, alpha * kHatchInk);
  if (!draw_whole(list, Shape::Hatched, hatch, min, max, tint)) draw_tiles(list, min, max, hatch, tint);
}

void forget_stamps() { baked.clear(); }

}  // namespace cutaway::inspector
