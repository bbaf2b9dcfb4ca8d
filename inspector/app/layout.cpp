#include "inspector/app/layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

using Where = cutaway::inspector::Place;

struct Shares {
  float left, right, bottom;  // of the window; 0: the preset does without
  float right_below;          // of the right column
};

Shares shares_of(Preset preset) {
  switch (preset) {
    case Preset::Explore: return {0.165f, 0.205f, 0.215f, 0.58f};
    case Preset::Lesson: return {0.145f, 0.290f, 0.165f, 0.42f};
    case Preset::Compare: return {0.150f, 0.200f, 0.165f, 0.55f};
    case Preset::Present: return {0, 0.260f, 0, 0};
  }
  return {};
}

bool is_in_preset(Where place, Preset preset) {
  return preset != Preset::Present || place == Where::Centre || place == Where::Right;
}

}  // namespace

const char* to_string(Preset preset) {
  switch (preset) {
    case Preset::Explore: return "explore";
    case Preset::Lesson: return "lesson";
    case Preset::Compare: return "compare";
    case Preset::Present: return "present";
  }
  return "";
}

Layout::Layout() {
  for (const Panel& panel : panels())
    places_.push_back({&panel, std::string(panel.title) + "###" + panel.id});
}

void Layout::reset(Preset preset) {
  preset_ = preset;
  pending_ = true;
  restored_ = false;
  for (Place& place : places_) place.shown = is_in_preset(place.panel->place, preset);
}

Layout::Place* Layout::find(std::string_view panel) {
  const auto place =
      std::find_if(places_.begin(), places_.end(), [&](const Place& p) { return panel == p.panel->id; });
  return place == places_.end() ? nullptr : &*place;
}
const Layout::Place* Layout::find(std::string_view panel) const {
  return const_cast<Layout*>(this)->find(panel);
}

bool Layout::is_shown(std::string_view panel) const {
  const Place* place = find(panel);
  return place && place->shown;
}

bool Layout::is_in_front(std::string_view panel) const {
  const Place* place = find(panel);
  return place && place->shown && place->in_front;
}

void Layout::toggle(std::string_view panel) {
  if (Place* place = find(panel)) place->shown = !place->shown;
}

void Layout::show(std::string_view panel) {
  Place* place = find(panel);
  if (!place) return;
  place->shown = true;
  to_front_ = panel;
}

void Layout::show_next(int direction) {
  std::vector<const Place*> canvases;
  for (const Place& place : places_)
    if (place.panel->place == Where::Centre && place.shown) canvases.push_back(&place);
  for (size_t i = 0; i < canvases.size(); ++i)
    if (canvases[i]->in_front)
      return show(
          canvases[(i + canvases.size() + static_cast<size_t>(direction)) % canvases.size()]->panel->id);
}

void Layout::build(ImGuiID root, ImVec2 size) {
  constexpr ImGuiDockNodeFlags no_menu = ImGuiDockNodeFlags_NoWindowMenuButton;
  const ImGuiDockNodeFlags quiet =
      static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_AutoHideTabBar) | no_menu;
  ImGui::DockBuilderRemoveNode(root);
  ImGui::DockBuilderAddNode(root, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace) | quiet);
  ImGui::DockBuilderSetNodeSize(root, size);
  const Shares shares = shares_of(preset_);
  ImGuiID rest = root;
  std::array<ImGuiID, 5> node{};
  const auto at = [&](Where where) -> ImGuiID& { return node[static_cast<size_t>(where)]; };
  if (shares.bottom > 0)
    at(Where::Bottom) = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, shares.bottom, nullptr, &rest);
  if (shares.left > 0)
    at(Where::Left) = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, shares.left, nullptr, &rest);
  at(Where::Right) =
      ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, shares.right / (1 - shares.left), nullptr, &rest);
  // On a low window what is above keeps the height that a step of the tour needs.
  const float below = std::min(shares.right_below, std::max(1 - px(348) / size.y, 0.3f));
  if (shares.right_below > 0)
    at(Where::RightBelow) =
        ImGui::DockBuilderSplitNode(at(Where::Right), ImGuiDir_Down, below, nullptr, &at(Where::Right));
  // Comparing wants two canvases side by side.
  ImGuiID second = rest;
  if (preset_ == Preset::Compare)
    second = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, 0.5f, nullptr, &rest);
  at(Where::Centre) = rest;
  bool first = true;
  for (const Place& place : places_) {
    const bool canvas = place.panel->place == Where::Centre;
    ImGuiID to = canvas && !first ? second : at(place.panel->place);
    if (canvas) first = false;
    // What the preset does without still has a place, for when it is asked for.
    if (to == 0) to = at(Where::Right);
    ImGui::DockBuilderDockWindow(place.window.c_str(), to);
    if (ImGuiDockNode* docked = ImGui::DockBuilderGetNode(to))
      docked->SetLocalFlags(docked->LocalFlags | no_menu | (canvas ? 0 : quiet));
  }
  if (ImGuiDockNode* canvas = ImGui::DockBuilderGetNode(at(Where::Centre)))
    canvas->SetLocalFlags((canvas->LocalFlags & ~ImGuiDockNodeFlags_AutoHideTabBar) |
                          ImGuiDockNodeFlags_CentralNode);
  ImGui::DockBuilderFinish(root);
}

bool Layout::all_docked() const {
  return std::all_of(places_.begin(), places_.end(), [](const Place& place) {
    const ImGuiWindowSettings* settings = ImGui::FindWindowSettingsByID(ImHashStr(place.window.c_str()));
    return settings && settings->DockId != 0;
  });
}

namespace {

// Tabs are taller than other frames. Windows below them must be begun with the same measures.
void push_tab_style() {
  ImGui::PushFont(words_font(), 14);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(12), px(10)});
}
void pop_tab_style() {
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

// The selected tab is underlined, and a hairline parts the strip from what is below.
void draw_tabs_of(const ImGuiDockNode* node) {
  if (!node) return;
  for (const ImGuiDockNode* child : node->ChildNodes) draw_tabs_of(child);
  const ImGuiTabBar* tabs = node->TabBar;
  if (!tabs || !node->HostWindow || node->IsHiddenTabBar() || node->IsNoTabBar()) return;
  ImDrawList* list = node->HostWindow->DrawList;
  const float y = tabs->BarRect.Max.y;
  list->PushClipRect(node->HostWindow->Rect().Min, node->HostWindow->Rect().Max);
  list->AddRectFilled({node->Pos.x, y - 1}, {node->Pos.x + node->Size.x, y}, color(Role::Line));
  for (const ImGuiTabItem& tab : tabs->Tabs) {
    if (tab.ID != tabs->VisibleTabId) continue;
    const float x = tabs->BarRect.Min.x + tab.Offset - tabs->ScrollingAnim,
                pad = ImGui::GetStyle().FramePadding.x;
    list->AddRectFilled({x + pad - px(2), y - std::round(px(3))}, {x + tab.Width - pad + px(2), y},
                        color(Role::Accent), px(2), ImDrawFlags_RoundTop);
  }
  list->PopClipRect();
}

}  // namespace

void Layout::draw(ImVec2 at, ImVec2 size) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  constexpr ImGuiWindowFlags kHost = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                     ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("##dock host", nullptr, kHost);
  ImGui::PopStyleVar();
  const ImGuiID root = ImGui::GetID("dock");
  const bool have = restored_ && ImGui::DockBuilderGetNode(root) != nullptr && all_docked();
  if (pending_ && !have) build(root, size);
  pending_ = restored_ = false;
  push_tab_style();
  ImGui::DockSpace(root, {0, 0}, ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton);
  draw_tabs_of(ImGui::DockBuilderGetNode(root));
  pop_tab_style();
  ImGui::End();
}

bool Layout::begin_panel(const Panel& panel) {
  Place& place = *find(panel.id);
  if (to_front_ == panel.id) {
    ImGui::SetNextWindowFocus();
    to_front_.clear();
  }
  // The tab's word is quiet unless it is the one in front.
  ImGui::PushStyleColor(ImGuiCol_Text, color(place.in_front ? Role::Text : Role::Quiet));
  // The corner by which a panel without tabs can be dragged away is seen only when it is pointed at.
  ImGui::PushStyleColor(ImGuiCol_Button, color(Role::Panel, 0));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, color(Role::Panel, 0));
  push_tab_style();
  const bool visible = ImGui::Begin(place.window.c_str(), nullptr, ImGuiWindowFlags_NoCollapse);
  pop_tab_style();
  ImGui::PopStyleColor(3);
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  place.in_front = visible;
  place.titled = !window->DockNode || !(window->DockNode->IsHiddenTabBar() || window->DockNode->IsNoTabBar());
  const bool heads = panel.place == Where::Right || panel.place == Where::RightBelow;
  if (visible && heads && !place.titled) {
    char title[32];
    size_t length = 0;
    for (const char* c = panel.title; *c && length < sizeof(title); ++c)
      title[length++] = static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
    put_text({title, length}, strong(kRuler, Role::Quiet));
    gap(2);
  }
  return visible;
}

void Layout::end_panel() { ImGui::End(); }

std::string Layout::state() const {
  std::string text = "preset=" + std::to_string(static_cast<int>(preset_)) + "\n";
  for (const Place& place : places_)
    if (!place.shown) text += std::string("hidden=") + place.panel->id + "\n";
  return text;
}

void Layout::read_state(std::string_view name, std::string_view value) {
  restored_ = true;
  if (name == "hidden") {
    if (Place* place = find(value)) place->shown = false;
  } else if (name == "preset" && value.size() == 1 && value[0] >= '0' && value[0] < '0' + kPresets) {
    preset_ = static_cast<Preset>(value[0] - '0');
  }
}

}  // namespace cutaway::inspector
