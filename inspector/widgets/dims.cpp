#include "inspector/widgets/dims.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

constexpr float kLabel = 64, kLeastColumn = 52, kRow = 22, kBracket = 26;

struct Number {
  char text[24];
  size_t length;
  explicit Number(int64_t value)
      : length(
            static_cast<size_t>(std::snprintf(text, sizeof(text), "%lld", static_cast<long long>(value)))) {}
  std::string_view view() const { return {text, length}; }
};

float column_width(const Dims& dims) {
  float width = px(kLeastColumn);
  for (const auto numbers : {dims.sizes, dims.strides})
    for (const int64_t number : numbers)
      width = std::max(width, text_size(Number(number).view(), mono(14)).x + px(20));
  return std::round(width);
}

bool has_bracket(const Dims& dims) {
  return dims.outer >= 0 && dims.inner > dims.outer && dims.inner < static_cast<int>(dims.sizes.size());
}

void draw_bracket(ImDrawList* list, float left, float right, float y, const Dims& dims) {
  const ImU32 ink = color(dims.role);
  const float thick = std::max(std::round(px(1.5f)), 1.0f), drop = px(7);
  list->AddRectFilled({left, y}, {left + thick, y + drop}, ink);
  list->AddRectFilled({left, y + drop - thick}, {right, y + drop}, ink);
  list->AddRectFilled({right - thick, y}, {right, y + drop}, ink);
  budget().weight += 3 * Budget::kQuad;
  const float width = text_size(dims.bracket, words(kRuler)).x;
  draw_text(list, {std::max((left + right - width) / 2, left), y + drop + px(2)}, dims.bracket,
            words(kRuler, dims.role));
}

}  // namespace

ImVec2 dims_size(const Dims& dims) {
  const float columns = column_width(dims) * static_cast<float>(dims.sizes.size());
  return {px(kLabel) + columns, px(3 * kRow - 2) + (has_bracket(dims) ? px(kBracket) : 0)};
}

void draw_dims(ImDrawList* list, ImVec2 at, const Dims& dims) {
  const float column = column_width(dims), left = at.x + px(kLabel);
  const auto y_of = [&](int row) { return at.y + px(kRow * static_cast<float>(row)); };
  draw_text(list, {at.x, y_of(1) + px(2)}, "sizes", words(kRuler, Role::Quiet));
  draw_text(list, {at.x, y_of(2) + px(2)}, "strides", words(kRuler, Role::Quiet));
  for (size_t i = 0; i < dims.sizes.size(); ++i) {
    const int dim = static_cast<int>(i);
    const bool named = has_bracket(dims) && (dim == dims.outer || dim == dims.inner);
    const float x = left + column * static_cast<float>(i);
    const auto centred = [&](int row, std::string_view text, const TextStyle& style) {
      draw_text(list, {x + (column - text_size(text, style).x) / 2, y_of(row)}, text, style);
    };
    if (named) {
      list->AddRectFilled({x + px(3), y_of(1) - px(3)}, {x + column - px(3), y_of(3) - px(3)},
                          color(dims.role, 0.12f), px(4));
      budget().weight += Budget::kRounded;
    }
    char label[16];
    const auto length = static_cast<size_t>(std::snprintf(label, sizeof(label), "dim %d", dim));
    centred(0, {label, length}, words(kRuler, named ? dims.role : Role::Faint));
    centred(1, Number(dims.sizes[i]).view(), mono(14));
    if (i < dims.strides.size()) centred(2, Number(dims.strides[i]).view(), mono(14));
  }
  if (has_bracket(dims))
    draw_bracket(list, left + column * static_cast<float>(dims.outer) + px(10),
                 left + column * static_cast<float>(dims.inner + 1) - px(10), y_of(3), dims);
}

void put_dims(const Dims& dims) {
  draw_dims(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), dims);
  ImGui::Dummy(dims_size(dims));
}

}  // namespace cutaway::inspector
