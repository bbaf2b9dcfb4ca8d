#include "inspector/app/layout.h"

#include <imgui_internal.h>

#include <map>

#include "inspector/panels/panel.h"

namespace cutaway::inspector {
namespace {

struct Shares {
  float left, right, bottom;      // of the window
  float right_below;              // of the right column
};

Shares shares_of(Preset preset) {
  switch (preset) {
    case Preset::Explore: return {0.170f, 0.215f, 0.215f, 0.52f};
    case Preset::Lesson: return {0.140f, 0.300f, 0.150f, 0.40f};
    case Preset::Compare: return {0.150f, 0.220f, 0.160f, 0.55f};
    case Preset::Present: return {0.130f, 0.250f, 0.120f, 0.35f};
  }
  return {};
}

void build(ImGuiID root, ImVec2 size, Preset preset) {
  ImGui::DockBuilderRemoveNode(root);
  ImGui::DockBuilderAddNode(root, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(root, size);
  const Shares shares = shares_of(preset);
  ImGuiID rest = root;
  std::map<Place, ImGuiID> node;
  node[Place::Bottom] = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, shares.bottom, nullptr, &rest);
  node[Place::Left] = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, shares.left, nullptr, &rest);
  node[Place::Right] = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, shares.right / (1 - shares.left), nullptr, &rest);
  node[Place::RightBelow] = ImGui::DockBuilderSplitNode(node[Place::Right], ImGuiDir_Down, shares.right_below, nullptr, &node[Place::Right]);
  // Comparing wants two canvases side by side.
  ImGuiID second = rest;
  if (preset == Preset::Compare) second = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, 0.5f, nullptr, &rest);
  node[Place::Centre] = rest;
  bool first_canvas = true;
  for (const Panel& panel : panels()) {
    const bool canvas = panel.place == Place::Centre;
    ImGui::DockBuilderDockWindow(panel.title, canvas && !first_canvas ? second : node[panel.place]);
    if (canvas) first_canvas = false;
  }
  ImGui::DockBuilderFinish(root);
}

}  // namespace

void Layout::draw(ImVec2 at, ImVec2 size) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  constexpr ImGuiWindowFlags kHost = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("##dock host", nullptr, kHost);
  ImGui::PopStyleVar();
  const ImGuiID root = ImGui::GetID("dock");
  const bool have = restored_ && ImGui::DockBuilderGetNode(root) != nullptr;
  if (pending_ && !have) build(root, size, preset_);
  pending_ = restored_ = false;
  ImGui::DockSpace(root, {0, 0}, ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton);
  ImGui::End();
}

}  // namespace cutaway::inspector
