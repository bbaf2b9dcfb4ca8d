#include "inspector/widgets/card.h"

#include <algorithm>

#include "inspector/widgets/budget.h"
#include "inspector/widgets/text.h"

namespace cutaway::inspector {
namespace {

constexpr float kPad = 16, kBar = 4, kBetween = 7;

float wrap_of(float width) { return std::max(width - px(2 * kPad + kBar), px(40)); }

}  // namespace

float card_height(const Card& card, float width) {
  const float wrap = wrap_of(width);
  float height = px(2 * kPad - 4) + text_size(card.title, strong(kBody), wrap).y;
  if (!card.message.empty()) height += px(kBetween) + text_size(card.message, mono(kRuler), wrap).y;
  if (!card.body.empty()) height += px(kBetween) + text_size(card.body, words(14), wrap).y;
  return height;
}

void draw_card(ImDrawList* list, ImVec2 at, float width, const Card& card) {
  const float height = card_height(card, width), wrap = wrap_of(width);
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, 0.75f), px(8),
                      ImDrawFlags_RoundRight);
  list->AddRectFilled(at, {at.x + px(kBar), at.y + height}, color(card.bar));
  budget().weight += Budget::kRounded + Budget::kQuad;
  ImVec2 pen{at.x + px(kPad + kBar), at.y + px(kPad - 2)};
  draw_text(list, pen, card.title, strong(kBody), wrap);
  pen.y += text_size(card.title, strong(kBody), wrap).y + px(kBetween);
  if (!card.message.empty()) {
    draw_text(list, pen, card.message, mono(kRuler, card.bar == Role::Wrong ? Role::Wrong : Role::Quiet),
              wrap);
    pen.y += text_size(card.message, mono(kRuler), wrap).y + px(kBetween);
  }
  if (!card.body.empty()) draw_text(list, pen, card.body, words(14), wrap);
}

void put_card(const Card& card) {
  const float width = ImGui::GetContentRegionAvail().x;
  draw_card(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width, card);
  ImGui::Dummy({width, card_height(card, width)});
}

void empty_state(std::string_view what, std::string_view how) {
  const ImVec2 region = ImGui::GetContentRegionAvail();
  const float width = std::min(region.x, px(420)), indent = (region.x - width) / 2;
  const float height =
      text_size(what, words(kBody), width).y + px(8) + text_size(how, words(kSmall), width).y;
  ImGui::Dummy({0, std::clamp((region.y - height) * 0.4f, 0.0f, px(240))});
  for (const bool first : {true, false}) {
    const std::string_view text = first ? what : how;
    const TextStyle style = first ? words(kBody, Role::Text) : words(kSmall, Role::Quiet);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = text_size(text, style, width);
    // Short lines stand in the middle; long ones are read from the left.
    const float x = indent + (width - std::min(size.x, width)) / 2;
    draw_text(ImGui::GetWindowDrawList(), {at.x + x, at.y}, text, style, width);
    ImGui::Dummy({region.x, size.y + px(4)});
  }
}

}  // namespace cutaway::inspector
