// The look of everything, by role: colours, type, spacing. Panels never name a colour by number.
//
// Two themes with the same roles. Hues of views are told apart by colour-blind eyes, and each has a hatch beside it.
// Sizes are in points at scale 1; everything is multiplied by the scale.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <cstdint>

namespace cutaway::inspector {

enum class Role {
  Ground,  // behind everything
  Panel,
  Raised,  // cells, fields, chips
  Line,
  Text,
  Quiet,     // labels
  Faint,     // rulers
  Accent,    // the one current thing, links
  Wrong,     // NaN, refusals
  Overlap,   // one place, several indices
  Plate,     // behind a value on a hatch
  OnAccent,  // ink on a fill of the accent
};
inline constexpr int kRoles = 12;
inline constexpr int kViewColors = 6;

enum class ThemeName { Dark, Light };

// Text sizes.
inline constexpr float kBody = 15, kSmall = 13, kRuler = 12, kTitle = 18;

void use_theme(ThemeName name, float scale);
ThemeName theme_name();
float scale();
// `points` at scale 1, in pixels.
inline float px(float points) { return points * scale(); }

// 0xRRGGBB of a role in a theme.
uint32_t rgb(ThemeName theme, Role role);
uint32_t view_rgb(ThemeName theme, int view);

// Colours of the theme in use, as Dear ImGui wants them.
ImU32 color(Role role, float alpha = 1);
ImU32 view_color(int view, float alpha = 1);

// Loads Inter, JetBrains Mono and DejaVu for the signs they lack. Throws: std::runtime_error
// naming the package that is missing.
void load_fonts();
ImFont* words_font();
ImFont* strong_font();
ImFont* mono_font();

// Contrast of two colours by WCAG 2, 1 to 21.
double contrast(uint32_t a, uint32_t b);

}  // namespace cutaway::inspector
