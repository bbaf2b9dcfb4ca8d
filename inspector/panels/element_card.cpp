#include "inspector/panels/element_card.h"

#include <algorithm>
#include <cmath>

#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

constexpr float kWidest = 460, kPad = 14, kBetween = 5;

struct Kept {
  ElementFacts facts;
  uint64_t revision = UINT64_MAX;
  ObjectId storage = 0;
  int64_t element = -1;

  const ElementFacts& of(const Session& session, const StorageModel& model, int64_t wanted) {
    if (revision != session.content_revision() || storage != model.storage || element != wanted) {
      facts = element_facts(session, model, wanted);
      revision = session.content_revision();
      storage = model.storage;
      element = wanted;
    }
    return facts;
  }
};

struct Hovered : Kept {};
struct Pinned : Kept {};

TextStyle style_of(size_t line) {
  if (line == 0) return mono(kSmall);
  return line == 1 ? mono(kRuler, Role::Quiet) : words(kSmall, Role::Quiet);
}

ImVec2 size_of(const ElementFacts& facts) {
  ImVec2 size{0, px(2 * kPad)};
  const float wrap = px(kWidest - 2 * kPad);
  for (size_t i = 0; i < facts.lines.size(); ++i) {
    const ImVec2 line = text_size(facts.lines[i], style_of(i), wrap);
    size.x = std::max(size.x, line.x);
    size.y += line.y + (i ? px(kBetween) : 0);
  }
  size.x = std::ceil(size.x + px(2 * kPad));
  return size;
}

void draw_facts(ImDrawList* list, ImVec2 at, ImVec2 size, const ElementFacts& facts) {
  const ImVec2 end{at.x + size.x, at.y + size.y};
  list->AddRectFilled({at.x + px(2), at.y + px(4)}, {end.x + px(2), end.y + px(4)},
                      color(Role::Ground, 0.45f), px(8));
  list->AddRectFilled(at, end, color(Role::Raised), px(8));
  list->AddRect(at, end, color(Role::Faint, 0.55f), px(8), 1.0f);
  ImVec2 pen{at.x + px(kPad), at.y + px(kPad)};
  const float wrap = px(kWidest - 2 * kPad);
  for (size_t i = 0; i < facts.lines.size(); ++i) {
    draw_text(list, pen, facts.lines[i], style_of(i), wrap);
    pen.y += text_size(facts.lines[i], style_of(i), wrap).y + px(kBetween);
  }
}

ImVec2 placed(ImVec2 cell_min, ImVec2 cell_max, ImVec2 size, ImVec2 min, ImVec2 max) {
  ImVec2 at{cell_max.x + px(8), cell_max.y + px(6)};
  if (at.x + size.x > max.x) at.x = cell_min.x - px(8) - size.x;
  if (at.y + size.y > max.y) at.y = cell_min.y - px(6) - size.y;
  return {std::floor(std::clamp(at.x, min.x, std::max(max.x - size.x, min.x))),
          std::floor(std::clamp(at.y, min.y, std::max(max.y - size.y, min.y)))};
}

}  // namespace

void element_tooltip(PanelContext& context, const StorageModel& model, int64_t element) {
  const ElementFacts& facts = context.memory.of<Hovered>().of(context.session, model, element);
  if (facts.lines.empty()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos, display = ImGui::GetIO().DisplaySize, size = size_of(facts);
  const ImVec2 at =
      placed({mouse.x - px(6), mouse.y - px(6)}, {mouse.x + px(8), mouse.y + px(10)}, size, {0, 0}, display);
  draw_facts(ImGui::GetForegroundDrawList(), at, size, facts);
}

void pin_element_card(PanelContext& context, const StorageModel& model, int64_t element, ImVec2 cell_min,
                      ImVec2 cell_max, ImVec2 min, ImVec2 max) {
  const ElementFacts& facts = context.memory.of<Pinned>().of(context.session, model, element);
  if (facts.lines.empty()) return;
  const ImVec2 size = size_of(facts);
  draw_facts(ImGui::GetWindowDrawList(), placed(cell_min, cell_max, size, min, max), size, facts);
}

}  // namespace cutaway::inspector
