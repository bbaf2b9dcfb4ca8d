#include "inspector/model/details_model.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {

void draw_details(PanelContext& context) {
  const DetailsModel model = make_details_model(context.session);
  if (model.step) {
    put_text("step " + std::to_string(model.step) + " of " + std::to_string(model.steps), words(kRuler, Role::Accent));
    put_text(model.step_title, strong(17), true);
    put_text(model.step_text, words(14, Role::Text), true);
    ImGui::PushFont(words_font(), kSmall);
    if (ImGui::Button("Back")) context.run("tour.back");
    ImGui::SameLine();
    ImGui::BeginDisabled(model.step == model.steps);
    if (ImGui::Button("Next step")) context.run("tour.next");
    ImGui::EndDisabled();
    ImGui::PopFont();
    ImGui::Dummy({0, px(4)});
  }
  heading("THIS EVENT");
  put_text(model.sentence, words(kSmall), true);
  if (!model.statement.empty()) {
    put_text(model.statement, mono(kRuler, Role::Accent), true);
    put_text(model.source, words(kRuler, Role::Faint), true);
  }
  for (const auto& [label, value] : model.facts) key_value(label.c_str(), value);
}

}  // namespace cutaway::inspector
