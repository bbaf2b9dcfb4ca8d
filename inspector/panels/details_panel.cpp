// Details: the step of the tour in words, and what the current event did.

#include <algorithm>

#include "inspector/model/details_model.h"
#include "inspector/model/value_text.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/icons.h"

namespace cutaway::inspector {
namespace {

struct Memory {
  Cached<DetailsModel> model;
  uint64_t told = UINT64_MAX;
  std::string place;  // "event 42 of 118"
  std::string step;   // "step 3 of 12"
  std::string next;   // title of the next step
};

std::string title_of_step(const Session& session, size_t step) {
  const auto marks = session.trace().marks();
  if (step >= marks.size()) return "";
  const std::string& text = session.trace().text(session.trace().event(marks[step]).detail);
  return text.substr(0, text.find('\n'));
}

void tell(const Session& session, const DetailsModel& model, Memory& memory) {
  if (memory.told == session.content_revision()) return;
  memory.told = session.content_revision();
  memory.place = "event " + grouped(model.time) + " of " + grouped(model.events);
  memory.step = "STEP " + std::to_string(model.step) + " OF " + std::to_string(model.steps);
  memory.next = title_of_step(session, model.step);
}

// One dot for each step; a click goes there.
void step_dots(PanelContext& context, const DetailsModel& model) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x,
              apart = std::min(px(16), width / static_cast<float>(model.steps));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < model.steps; ++i) {
    const bool now = i + 1 == model.step, past = i + 1 < model.step;
    const ImVec2 min{at.x + apart * static_cast<float>(i), at.y + px(4)};
    list->AddRectFilled(min, {min.x + apart - px(3), min.y + px(4)},
                        color(now    ? Role::Accent
                              : past ? Role::Quiet
                                     : Role::Line),
                        px(2));
    ImGui::SetCursorScreenPos({min.x, at.y});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("step", {std::max(apart, 1.0f), px(12)}))
      context.session.seek(context.session.trace().marks()[i]);
    ImGui::PopID();
    if (ImGui::IsItemHovered()) tip(title_of_step(context.session, i));
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, px(12)});
}

void tour_step(PanelContext& context, const DetailsModel& model, const Memory& memory) {
  put_text(memory.step, strong(kRuler, Role::Accent));
  step_dots(context, model);
  gap(4);
  // Above the text, so that they stay where they are from step to step.
  if (word_button("Back", "Back", false, model.step > 1)) context.run("tour.back");
  ImGui::SameLine(0, px(8));
  if (word_button("Next", "Next", true, model.step < model.steps)) context.run("tour.next");
  if (!memory.next.empty()) {
    ImGui::SameLine(0, px(10));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(6));
    put_fitted(memory.next, words(kSmall, Role::Quiet));
  }
  gap(6);
  put_text(model.step_title, strong(17), true);
  gap(2);
  put_text(model.step_text, words(14), true);
  gap(4);
}

// The program's own line, with where it stands.
void statement(const DetailsModel& model) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, wrap = width - px(24);
  const ImVec2 code = text_size(model.statement, mono(kRuler), wrap);
  const float height = code.y + px(16);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, 0.75f), px(6));
  draw_text(list, {at.x + px(12), at.y + px(8)}, model.statement, mono(kRuler, Role::Text), wrap);
  ImGui::Dummy({width, height});
  put_text(model.source, words(kRuler, Role::Faint));
}

}  // namespace

void draw_details(PanelContext& context) {
  const Session& session = context.session;
  Memory& memory = context.memory.of<Memory>();
  const DetailsModel& model =
      memory.model.get(session.content_revision(), [&] { return make_details_model(session); });
  if (model.events == 0)
    return empty_state("What the current event did, in words, with the line of the program that did it.",
                       "Open a trace or a file: ./cutaway show TRACE, ./cutaway open FILE.");
  tell(session, model, memory);
  if (model.step) tour_step(context, model, memory);
  heading("THIS EVENT");
  put_text(model.sentence, words(14), true);
  gap(2);
  if (!model.statement.empty()) statement(model);
  key_value("event", memory.place);
  if (!model.op.empty()) key_value("operator", model.op);
  for (const auto& [label, value] : model.facts) key_value(label, value);
}

}  // namespace cutaway::inspector
