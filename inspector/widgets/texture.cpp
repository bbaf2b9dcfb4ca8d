#include "inspector/widgets/texture.h"

#include <imgui_internal.h>

#include <cstring>
#include <map>
#include <memory>

#include "inspector/widgets/budget.h"

namespace cutaway::inspector {
namespace {

struct Texture {
  std::unique_ptr<ImTextureData> data;
  uint64_t generation = 0;
  int drawn = 0;  // number of the frame
};

std::map<ImGuiID, Texture> textures;
// Replaced textures wait here until the back end has destroyed them.
std::vector<std::unique_ptr<ImTextureData>> leaving;
constexpr int kKeptFrames = 240;

void let_go(Texture& texture) {
  if (!texture.data) return;
  texture.data->SetStatus(ImTextureStatus_WantDestroy);
  texture.data->WantDestroyNextFrame = true;
  texture.data->UnusedFrames = 1;
  leaving.push_back(std::move(texture.data));
}

void forget_destroyed() {
  std::erase_if(leaving, [](const std::unique_ptr<ImTextureData>& data) {
    if (data->Status != ImTextureStatus_Destroyed) return false;
    ImGui::UnregisterUserTexture(data.get());
    return true;
  });
}

void let_go_of_unused() {
  const int frame = ImGui::GetFrameCount();
  for (auto at = textures.begin(); at != textures.end();)
    if (frame - at->second.drawn > kKeptFrames) {
      let_go(at->second);
      at = textures.erase(at);
    } else {
      ++at;
    }
}

void create(Texture& texture, const std::vector<uint32_t>& pixels, int width, int height) {
  let_go(texture);
  texture.data = std::make_unique<ImTextureData>();
  texture.data->Create(ImTextureFormat_RGBA32, width, height);
  std::memcpy(texture.data->GetPixels(), pixels.data(), pixels.size() * 4);
  ImGui::RegisterUserTexture(texture.data.get());
}

void update(ImTextureData& data, const std::vector<uint32_t>& pixels) {
  std::memcpy(data.GetPixels(), pixels.data(), pixels.size() * 4);
  const ImTextureRect all{0, 0, static_cast<unsigned short>(data.Width),
                          static_cast<unsigned short>(data.Height)};
  data.UpdateRect = all;
  data.Updates.resize(0);
  data.Updates.push_back(all);
  data.SetStatus(ImTextureStatus_WantUpdates);
}

}  // namespace

void draw_pixels(ImDrawList* list, ImGuiID id, const std::vector<uint32_t>& pixels, int width, int height,
                 ImVec2 at, uint64_t generation) {
  forget_destroyed();
  let_go_of_unused();
  Texture& texture = textures[id];
  texture.drawn = ImGui::GetFrameCount();
  const bool fits = texture.data && texture.data->Width == width && texture.data->Height == height;
  if (!fits)
    create(texture, pixels, width, height);
  else if (texture.generation != generation && texture.data->Status != ImTextureStatus_WantCreate)
    update(*texture.data, pixels);
  texture.generation = generation;
  list->AddImage(texture.data->GetTexRef(), at,
                 {at.x + static_cast<float>(width), at.y + static_cast<float>(height)});
  budget().weight += Budget::kTexture;
}

void clear_textures() {
  for (auto& [id, texture] : textures)
    if (texture.data) ImGui::UnregisterUserTexture(texture.data.get());
  for (const auto& data : leaving) ImGui::UnregisterUserTexture(data.get());
  textures.clear();
  leaving.clear();
}

}  // namespace cutaway::inspector
