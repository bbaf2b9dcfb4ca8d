// The Tensor card: every field of one tensor, the verdicts on its strides with the rule that decided, its keys, and the
// struct as it lies in memory.

#include <algorithm>

#include "inspector/model/card_model.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/struct_map.h"

namespace cutaway::inspector {
namespace {

struct Memory {
  Cached<CardModel> model;
  uint64_t told = UINT64_MAX;
  std::vector<Chip> keys;  // high priority first
  std::string first_key;
  std::vector<StructField> layout;
  std::string struct_size;
};

void tell(const Session& session, const CardModel& model, Memory& memory) {
  if (memory.told == session.content_revision()) return;
  memory.told = session.content_revision();
  memory.keys.clear();
  for (size_t i = model.keys.size(); i-- > 0;)
    memory.keys.push_back({model.keys[i].name, model.keys[i].backend_key ? Role::Accent : Role::Text});
  memory.first_key = "first in line: " + model.first_key;
  memory.layout.clear();
  static constexpr int kGroupHues[] = {0, 2, 4};
  for (const CardStructField& field : model.layout)
    memory.layout.push_back(
        {field.name, field.offset, field.size, kGroupHues[std::clamp(field.group, 0, 2)]});
  memory.struct_size =
      std::to_string(model.struct_size) + " bytes: every tensor's fields, then those of strided ones";
}

// A word for the eye, the rule below it.
void verdict(const CardVerdict& told) {
  key_value(told.label, told.value);
  if (told.rule.empty()) return;
  ImGui::Indent(px(12));
  put_text(told.rule, words(kRuler, Role::Quiet), true);
  ImGui::Unindent(px(12));
  gap(2);
}

}  // namespace

void draw_card(PanelContext& context) {
  Session& session = context.session;
  Memory& memory = context.memory.of<Memory>();
  const CardModel& model =
      memory.model.get(session.content_revision(), [&] { return make_card_model(session); });
  if (!model.tensor)
    return empty_state("Every field of one tensor: sizes, strides, offset, keys, and what they mean.",
                       "Select a tensor in the Explorer; the up and down arrows do it too.");
  tell(session, model, memory);
  swatch(model.color);
  ImGui::SameLine(0, px(8));
  put_fitted(model.name, strong(16));
  gap(2);
  ObjectId go_to = 0;
  for (const CardField& field : model.fields)
    if (key_value(field.label, field.value, field.old_value, field.link != 0)) go_to = field.link;
  heading("VERDICTS");
  for (const CardVerdict& told : model.verdicts) verdict(told);
  heading("KEY SET");
  chips(memory.keys);
  put_text(memory.first_key, words(kSmall, Role::Quiet), true);
  heading("TENSORIMPL IN MEMORY");
  struct_map(memory.layout, model.struct_size);
  put_text(memory.struct_size, words(kRuler, Role::Faint), true);
  if (go_to) session.select_tensor(go_to);
}

}  // namespace cutaway::inspector
