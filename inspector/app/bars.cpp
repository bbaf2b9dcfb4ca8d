// App's bars: name and menus, transport, the current event, the field that finds; below, the status line.

#include "inspector/app/bars.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "inspector/app/app.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/icons.h"

namespace cutaway::inspector {
namespace {

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                  ImGuiWindowFlags_NoBringToFrontOnFocus;

void begin_bar(const char* id, float top, float height) {
  ImGui::SetNextWindowPos({0, std::floor(top)});
  ImGui::SetNextWindowSize({ImGui::GetIO().DisplaySize.x, std::ceil(height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin(id, nullptr, kBar);
  ImGui::PopStyleVar(2);
}

void hairline(float y) {
  ImGui::GetWindowDrawList()->AddRectFilled({0, y}, {ImGui::GetIO().DisplaySize.x, y + 1}, color(Role::Line));
}

// y at which a line of text stands in the middle of a bar.
float middle_of(float top, float height, const TextStyle& style) {
  return std::floor(top + (height - text_size("0", style).y) / 2);
}

// A row of a menu: tick, title, keys.
bool menu_row(const Command& command, const App& app) {
  const char* refused = command.refused(app);
  const float width = px(330), height = std::round(px(26));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(command.id, {width, height});
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
    list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Line), px(4));
  if (command.ticked && command.ticked(app))
    draw_icon(list, {at.x + px(13), at.y + height / 2}, px(14), Icon::Check, color(Role::Accent));
  const TextStyle style = words(kSmall, refused ? Role::Faint : Role::Text);
  draw_fitted(list, {at.x + px(28), at.y + px(4)}, command.title, style, width - px(130));
  if (!command.keys[0].empty())
    draw_right(list, at.x + width - px(8), at.y + px(5), to_string(command.keys[0]), mono(11, Role::Quiet));
  if (refused && ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    put_text(refused, words(kSmall));
    ImGui::EndTooltip();
  }
  return clicked;
}

}  // namespace

void App::draw_menus() {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = bar_height();
  for (int i = 0; i < kMenus; ++i) {
    const char* name = to_string(static_cast<Menu>(i));
    const TextStyle style = words(kSmall, open_menu_ == i ? Role::Text : Role::Quiet);
    const float width = std::round(text_size(name, style).x + px(18));
    if (i > 0) ImGui::SameLine(0, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(name, {width, px(30)});
    const bool over = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup);
    if (clicked || (over && open_menu_ >= 0 && open_menu_ != i)) ImGui::OpenPopup(name);
    if (over || ImGui::IsItemFocused())
      list->AddRectFilled(at, {at.x + width, at.y + px(30)}, color(Role::Raised), px(6));
    draw_text(list, {at.x + px(9), middle_of(0, height, style)}, name, over ? words(kSmall) : style);
    ImGui::SetNextWindowPos({at.x, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(6), px(6)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (ImGui::BeginPopup(name)) {
      open_menu_ = i;
      for (const Command& command : commands())
        if (static_cast<int>(command.menu) == i && command.context == Context::Window &&
            menu_row(command, *this)) {
          ImGui::CloseCurrentPopup();
          run(command);
        }
      ImGui::EndPopup();
    } else if (open_menu_ == i) {
      open_menu_ = -1;
    }
    ImGui::PopStyleVar(2);
  }
}

void App::draw_transport(float x) {
  struct Part {
    const char* id;
    const char* command;
    Icon icon;
  };
  const Part parts[] = {{"first", "time.first", Icon::First},
                        {"back", "event.previous", Icon::Back},
                        {"play", "time.play", playing_ ? Icon::Pause : Icon::Play},
                        {"forward", "event.next", Icon::Next},
                        {"last", "time.last", Icon::Last}};
  ImGui::SetCursorScreenPos({x, std::floor((bar_height() - px(28)) / 2)});
  for (const Part& part : parts) {
    const Command* command = find_command(part.command);
    const bool enabled = !command->refused(*this);
    if (icon_button(part.id,
                    {part.icon, part.icon == Icon::Play || part.icon == Icon::Pause, enabled, 32, 28, {}}))
      run(*command);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) tip(command->title, to_string(command->keys[0]));
    ImGui::SameLine(0, px(5));
  }
}

void App::draw_find_field(float left, float right) {
  const float top = std::floor((bar_height() - px(30)) / 2), bottom = top + px(30);
  ImGui::SetCursorScreenPos({left, top});
  if (ImGui::InvisibleButton("find", {right - left, bottom - top})) show_overlay(Sheet::Find);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({left, top}, {right, bottom}, color(ImGui::IsItemHovered() ? Role::Line : Role::Raised),
                      px(6));
  draw_icon(list, {left + px(16), (top + bottom) / 2}, px(14), Icon::Search, color(Role::Quiet));
  const float key = draw_key(list, right - px(8), top + px(6), "Ctrl P");
  draw_fitted(list, {left + px(30), middle_of(0, bar_height(), words(kSmall))}, "Find tensor, op, event ...",
              words(kSmall, Role::Quiet), right - left - px(46) - key);
}

const App::Bars& App::bars() {
  return bars_.get(session_.revision(), [this] {
    const DetailsModel details = make_details_model(session_);
    return Bars{make_status_model(session_), session_.document().title(),
                details.statement.empty() ? details.op : details.statement};
  });
}

void App::draw_top_bar() {
  const Bars& said = bars();
  const float width = ImGui::GetIO().DisplaySize.x, height = bar_height();
  begin_bar("##top", 0, height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  hairline(height - 1);
  draw_text(list, {px(18), middle_of(0, height, strong(17))}, "Cutaway", strong(17));
  float x = px(18) + text_size("Cutaway", strong(17)).x + px(14);
  ImGui::SetCursorScreenPos({x, std::floor((height - px(30)) / 2)});
  draw_menus();
  x = ImGui::GetItemRectMax().x + px(14);
  const float transport = px(5 * 37), field = std::clamp(width * 0.18f, px(60), px(300));
  const float field_left = width - px(16) - field;
  const float middle = std::max(x, std::min(width * 0.35f, field_left - transport - px(180)));
  draw_fitted(list, {x, middle_of(0, height, words(kSmall))}, said.document, words(kSmall, Role::Quiet),
              middle - x - px(16));
  draw_transport(middle);
  x = middle + transport + px(16);
  const TextStyle event = mono(14);
  if (field_left - x > px(40))
    x += draw_fitted(list, {x, middle_of(0, height, event)}, said.status.event, event,
                     field_left - x - px(12)) +
         px(24);
  const TextStyle code = mono(kSmall, Role::Quiet);
  if (field_left - x > px(60))
    draw_fitted(list, {x, middle_of(0, height, code)}, said.statement, code, field_left - x - px(20));
  if (field >= px(80)) draw_find_field(field_left, width - px(16));
  ImGui::End();
}

void App::draw_status_bar() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float height = status_height(), top = std::floor(size.y - height);
  begin_bar("##status", top, height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  hairline(top);
  const StatusModel& status = bars().status;
  const TextStyle quiet = words(kRuler, Role::Quiet);
  const float y = middle_of(top, height, quiet);
  float right = size.x - px(18);
  if (size.x > px(700)) {
    right -= draw_right(list, right, y, "commands", quiet) + px(8);
    right -= draw_key(list, right, std::floor(top + px(5)), "Ctrl Shift P") + px(18);
    right -= draw_right(list, right, y, "keys", quiet) + px(8);
    right -= draw_key(list, right, std::floor(top + px(5)), "?") + px(24);
  }
  float x = px(18);
  x += draw_fitted(list, {x, y}, status.source, quiet, std::max(right - x, px(20)) * 0.6f) + px(28);
  const bool told = !message_.empty();
  const std::string& middle = told ? message_ : !status.hovered.empty() ? status.hovered : status.problem;
  const bool wrong = told ? message_wrong_ : status.hovered.empty() && !status.problem.empty();
  if (right - x > px(40))
    draw_fitted(list, {x, y}, middle, words(kRuler, wrong ? Role::Wrong : Role::Text), right - x);
  ImGui::End();
}

}  // namespace cutaway::inspector
