// Drawing of the overlays: one look for all prompts, and the sheet of keys in columns.

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>

#include "inspector/app/app.h"
#include "inspector/app/commands.h"
#include "inspector/app/overlay.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/icons.h"

namespace cutaway::inspector {
namespace {

constexpr ImGuiWindowFlags kSheet = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings;

struct Words {
  const char* title;
  const char* hint;
  const char* nothing;
};

Words words_of(Sheet overlay) {
  switch (overlay) {
    case Sheet::Palette: return {"Commands", "what to do", "No command is called that."};
    case Sheet::Find:
      return {"Find", "name of a tensor, an operator, words of an event, or its number",
              "Nothing here is called that."};
    case Sheet::GoTo: return {"Go to event", "its number", "A number of an event is expected."};
    case Sheet::Open:
      return {"Open a file", "path of a .npy, .npz, .safetensors or .trace file",
              "No such file or folder begins like that."};
    case Sheet::Export: return {"Export", "", ""};
    case Sheet::Help:
    case Sheet::None: break;
  }
  return {"", "", ""};
}

// Dims what is below and keeps clicks from it. Returns: whether it was clicked.
bool draw_dim(bool opened) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  if (opened) ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg,
                        color(Role::Ground, theme_name() == ThemeName::Dark ? 0.6f : 0.7f));
  ImGui::Begin("##dim", nullptr, kSheet | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  ImGui::End();
  return clicked;
}

// The window of an overlay, with a hairline around it.
void begin_sheet(const char* id, ImVec2 at, ImVec2 size, bool opened) {
  ImGui::SetNextWindowPos({std::floor(at.x), std::floor(at.y)});
  ImGui::SetNextWindowSize({std::floor(size.x), std::floor(size.y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(14), px(12)});
  // Only at first: to focus a window takes the focus from the field in it.
  if (opened) ImGui::SetNextWindowFocus();
  ImGui::Begin(id, nullptr, kSheet);
  ImGui::PopStyleVar(3);
}

bool prompt_field(Prompt& prompt, const char* hint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(36);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised), px(6));
  list->AddRect(at, {at.x + width, at.y + height}, color(Role::Accent), px(6), 1);
  ImGui::PushFont(words_font(), kBody);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(12), (height - ImGui::GetFontSize()) / 2});
  for (const ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
    ImGui::PushStyleColor(part, color(Role::Raised, 0));
  if (prompt.opened) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool changed = ImGui::InputTextWithHint("##ask", hint, &prompt.text);
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return changed;
}

bool choice_row(const Choice& choice, int index, bool chosen) {
  const float width = ImGui::GetContentRegionAvail().x, height = std::round(px(32));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(index);
  const bool clicked = ImGui::InvisibleButton("choice", {std::max(width, 1.0f), height});
  ImGui::PopID();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered())
    list->AddRectFilled(at, {at.x + width, at.y + height}, color(Role::Raised, chosen ? 1 : 0.6f), px(6));
  if (chosen)
    list->AddRectFilled({at.x, at.y + px(7)}, {at.x + px(3), at.y + height - px(7)}, color(Role::Accent),
                        px(2));
  float right = at.x + width - px(10);
  if (!choice.key.empty()) right -= draw_key(list, right, at.y + px(7), choice.key) + px(10);
  const TextStyle title = words(14, choice.refused ? Role::Faint : Role::Text),
                  detail = words(kRuler, Role::Quiet);
  const float most = (right - at.x) * 0.62f;
  const float used = draw_fitted(list, {at.x + px(12), at.y + px(6)}, choice.title, title, most);
  const float room = right - (at.x + px(12) + used + px(16));
  const float taken = std::min(text_size(choice.detail, detail).x, room);
  if (room > px(24)) draw_fitted(list, {right - taken, at.y + px(8)}, choice.detail, detail, room);
  return clicked;
}

}  // namespace

PromptAnswer draw_prompt(Prompt& prompt, const App& app) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Words said = words_of(prompt.overlay);
  if (!prompt.worked_out || prompt.asked != prompt.text) {
    prompt.choices = choices_for(prompt, app);
    prompt.asked = prompt.text;
    prompt.worked_out = true;
    prompt.row = 0;
    prompt.moved = true;
  }
  const int rows = static_cast<int>(prompt.choices.size());
  const float row = std::round(px(32)), list_height = std::min(row * static_cast<float>(std::max(rows, 1)),
                                                               std::min(row * 11, display.y - px(220)));
  const bool asks = prompt.overlay != Sheet::Export;
  const float width = std::min(px(640), display.x - px(32));
  const float height =
      px(24 + 25) + (asks ? px(42) : 0) + list_height + px(4) + (prompt.error.empty() ? 0 : px(26));
  PromptAnswer answer = draw_dim(prompt.opened) ? PromptAnswer::Dismissed : PromptAnswer::None;
  begin_sheet("##prompt", {(display.x - width) / 2, std::min(px(84), display.y * 0.1f)}, {width, height},
              prompt.opened);
  put_text(said.title, strong(kRuler, Role::Quiet));
  if (asks && prompt_field(prompt, said.hint)) prompt.error.clear();
  if (!prompt.error.empty()) put_fitted(prompt.error, words(kSmall, Role::Wrong));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("choices", {0, list_height + px(4)});
  ImGuiListClipper clipper;
  clipper.Begin(rows, row);
  if (prompt.moved) clipper.IncludeItemByIndex(prompt.row);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      if (choice_row(prompt.choices[static_cast<size_t>(i)], i, i == prompt.row)) {
        prompt.row = i;
        answer = PromptAnswer::Taken;
      }
      if (prompt.moved && i == prompt.row) ImGui::SetScrollHereY(0.5f);
    }
  if (rows == 0) put_text(said.nothing, words(kSmall, Role::Quiet));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::End();
  prompt.moved = prompt.opened = false;
  return answer;
}

namespace {

// Rows of a group, its heading counted as two.
int help_rows(Menu menu) {
  int rows = 2;
  for (const Command& command : commands())
    rows += command.menu == menu && command.context == Context::Window && !command.keys[0].empty();
  return rows;
}

void help_group(Menu menu) {
  std::string title = to_string(menu);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  heading(title);
  for (const Command& command : commands()) {
    if (command.menu != menu || command.context != Context::Window || command.keys[0].empty()) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    float x = at.x;
    for (const Chord& chord : command.keys) {
      if (chord.empty()) continue;
      const std::string key = to_string(chord);
      const float wide = std::round(text_size(key, mono(11)).x + px(10));
      if (x + wide > at.x + px(150)) break;
      draw_key(list, x + wide, at.y, key);
      x += wide + px(4);
    }
    draw_fitted(list, {at.x + px(156), at.y + px(1)}, command.title, words(kSmall),
                ImGui::GetContentRegionAvail().x - px(160));
    ImGui::Dummy({px(156), std::round(px(19))});
  }
}

}  // namespace

bool draw_help_sheet(Prompt& prompt) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // Time | Canvas | View, Help, File: about as long as each other.
  static constexpr std::initializer_list<Menu> kParts[] = {
      {Menu::Time}, {Menu::Canvas}, {Menu::View, Menu::Help, Menu::File}};
  int rows = 0, all_rows = 0;
  for (const auto& part : kParts) {
    int of_part = 0;
    for (const Menu menu : part) of_part += help_rows(menu);
    rows = std::max(rows, of_part);
    all_rows += of_part;
  }
  const float width = std::min(px(1240), display.x - px(32));
  const int columns = width > px(1100) ? 3 : width > px(720) ? 2 : 1;
  if (columns == 2) rows = std::max(help_rows(Menu::Time), all_rows - help_rows(Menu::Time));
  if (columns == 1) rows = all_rows;
  const float height = std::min(px(64) + px(22.5f) * static_cast<float>(rows), display.y - px(64));
  const bool dismissed = draw_dim(prompt.opened);
  begin_sheet("##help", {(display.x - width) / 2, (display.y - height) / 2}, {width, height}, prompt.opened);
  prompt.opened = false;
  put_text("Keys", strong(kTitle));
  ImGui::SameLine(0, px(18));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(4));
  put_text("everything here is also in the menus and under Ctrl+Shift+P.   Esc closes.",
           words(kSmall, Role::Quiet));
  ImGui::BeginChild("columns", {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(3)});
  const float column = ImGui::GetContentRegionAvail().x / static_cast<float>(columns);
  for (int i = 0; i < columns; ++i) {
    if (i > 0) ImGui::SameLine(0, 0);
    ImGui::BeginChild(i + 1, {column - px(8), 0}, ImGuiChildFlags_AutoResizeY);
    for (int part = i; part < 3 && (part == i || i == columns - 1); ++part)
      for (const Menu menu : kParts[part]) help_group(menu);
    ImGui::EndChild();
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::End();
  return dismissed;
}

}  // namespace cutaway::inspector
