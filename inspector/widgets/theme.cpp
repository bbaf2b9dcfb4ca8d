#include "inspector/widgets/theme.h"

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace cutaway::inspector {
namespace {

ThemeName current_theme = ThemeName::Dark;
float current_scale = 1;
ImFont* fonts[3] = {};

//                                     Ground    Panel     Raised    Line      Text      Quiet     Faint     Accent    Wrong     Overlap   Plate     OnAccent
constexpr uint32_t kDark[kRoles] = {0x0F1115, 0x191C22, 0x252A33, 0x2A2F39, 0xE7EAF0, 0x98A2B3,
                                    0x6B7486, 0x5AA9FF, 0xFF6B6B, 0xFFFFFF, 0x14171C, 0x0F1115};
constexpr uint32_t kLight[kRoles] = {0xE9ECF1, 0xFFFFFF, 0xF0F2F6, 0xD3D9E2, 0x14181F, 0x4C5667,
                                     0x7A8496, 0x0B63C9, 0xC62828, 0x111111, 0xFFFFFF, 0xFFFFFF};
constexpr uint32_t kDarkViews[kViewColors] = {0x5AA9FF, 0xF2A541, 0x36C5A0, 0xE86A92, 0xB58BFF, 0xF0E442};
constexpr uint32_t kLightViews[kViewColors] = {0x1769C2, 0xB86A00, 0x0A8A68, 0xC2335F, 0x6E3FC9, 0x8A7F00};

ImU32 packed(uint32_t rgb, float alpha) {
  return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, static_cast<int>(alpha * 255 + 0.5f));
}

ImVec4 vec(Role role, float alpha = 1) { return ImGui::ColorConvertU32ToFloat4(color(role, alpha)); }

void style_colors(ImGuiStyle& style) {
  for (ImVec4& c : style.Colors) c = vec(Role::Raised);
  const auto set = [&](ImGuiCol which, Role role, float alpha = 1) {
    style.Colors[which] = vec(role, alpha);
  };
  set(ImGuiCol_Text, Role::Text);
  set(ImGuiCol_TextDisabled, Role::Quiet);
  set(ImGuiCol_WindowBg, Role::Panel);
  set(ImGuiCol_ChildBg, Role::Panel, 0);
  set(ImGuiCol_PopupBg, Role::Raised);
  set(ImGuiCol_Border, Role::Line);
  set(ImGuiCol_BorderShadow, Role::Line, 0);
  set(ImGuiCol_FrameBg, Role::Raised);
  set(ImGuiCol_FrameBgHovered, Role::Line);
  set(ImGuiCol_FrameBgActive, Role::Line);
  for (ImGuiCol title :
       {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed, ImGuiCol_MenuBarBg, ImGuiCol_Tab,
        ImGuiCol_TabDimmed, ImGuiCol_TabSelected, ImGuiCol_TabDimmedSelected})
    set(title, Role::Panel);
  set(ImGuiCol_TabHovered, Role::Raised);
  set(ImGuiCol_TabSelectedOverline, Role::Accent);
  set(ImGuiCol_TabDimmedSelectedOverline, Role::Accent);
  set(ImGuiCol_ScrollbarBg, Role::Panel, 0);
  set(ImGuiCol_ScrollbarGrab, Role::Line);
  set(ImGuiCol_ScrollbarGrabHovered, Role::Faint);
  set(ImGuiCol_ScrollbarGrabActive, Role::Faint);
  set(ImGuiCol_Separator, Role::Line);
  set(ImGuiCol_SeparatorHovered, Role::Accent);
  set(ImGuiCol_SeparatorActive, Role::Accent);
  set(ImGuiCol_ResizeGrip, Role::Line, 0);
  set(ImGuiCol_HeaderHovered, Role::Raised);
  set(ImGuiCol_CheckMark, Role::Accent);
  set(ImGuiCol_SliderGrab, Role::Faint);
  set(ImGuiCol_SliderGrabActive, Role::Accent);
  set(ImGuiCol_DockingPreview, Role::Accent, 0.4f);
  set(ImGuiCol_DockingEmptyBg, Role::Ground);
  set(ImGuiCol_TextSelectedBg, Role::Accent, 0.35f);
  set(ImGuiCol_NavCursor, Role::Accent);
  set(ImGuiCol_ModalWindowDimBg, Role::Ground, 0.6f);
}

// Returns: the path, when the font is installed. Throws: std::runtime_error naming the package.
std::string installed(const char* file, const char* package) {
  std::string path = std::string("/usr/share/fonts/") + file;
  if (std::filesystem::exists(path)) return path;
  throw std::runtime_error("the font " + path + " is missing; Debian's package " + package +
                           " brings it (./cutaway installs it)");
}

ImFont* load(const char* file, const char* package) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  const std::string path = installed(file, package),
                    dejavu = installed("truetype/dejavu/DejaVuSans.ttf", "fonts-dejavu-core");
  ImFont* font = atlas->AddFontFromFileTTF(path.c_str());
  ImFontConfig merge;
  merge.MergeMode = true;
  if (!font || !atlas->AddFontFromFileTTF(dejavu.c_str(), 0, &merge))
    throw std::runtime_error("the font " + path + " or " + dejavu + " cannot be read");
  return font;
}

}  // namespace

void use_theme(ThemeName name, float new_scale) {
  current_theme = name;
  current_scale = new_scale;
  ImGuiStyle style;
  style.WindowPadding = {16, 12};
  style.FramePadding = {8, 5};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.WindowRounding = 0;
  style.FrameRounding = 6;
  style.PopupRounding = 8;
  style.GrabRounding = 4;
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.TabRounding = 0;
  style.TabBarOverlineSize = 0;  // the layout underlines tabs instead
  style.TabBarBorderSize = 1;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.DockingSeparatorSize = 1;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.ScaleAllSizes(new_scale);
  style.FontSizeBase = kBody;
  style.FontScaleMain = new_scale;
  ImGui::GetStyle() = style;
  style_colors(ImGui::GetStyle());
}

ThemeName theme_name() { return current_theme; }
float scale() { return current_scale; }

uint32_t rgb(ThemeName theme, Role role) {
  return (theme == ThemeName::Dark ? kDark : kLight)[static_cast<int>(role)];
}

uint32_t view_rgb(ThemeName theme, int view) {
  return (theme == ThemeName::Dark ? kDarkViews : kLightViews)[view % kViewColors];
}

ImU32 color(Role role, float alpha) { return packed(rgb(current_theme, role), alpha); }
ImU32 view_color(int view, float alpha) { return packed(view_rgb(current_theme, view), alpha); }

void load_fonts() {
  fonts[0] = load("opentype/inter/Inter-Regular.otf", "fonts-inter");
  fonts[1] = load("opentype/inter/Inter-SemiBold.otf", "fonts-inter");
  fonts[2] = load("truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "fonts-jetbrains-mono");
}

ImFont* words_font() { return fonts[0]; }
ImFont* strong_font() { return fonts[1]; }
ImFont* mono_font() { return fonts[2]; }

namespace {

double linear(uint32_t channel) {
  const double c = channel / 255.0;
  return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(uint32_t rgb) {
  return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}

}  // namespace

double contrast(uint32_t a, uint32_t b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace cutaway::inspector
