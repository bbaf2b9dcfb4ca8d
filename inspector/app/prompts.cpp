// The popups of the application: the line that asks (go to, find, open, commands) and the sheet of keys.

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "core/error.h"
#include "inspector/app/app.h"
#include "inspector/app/commands.h"
#include "inspector/model/explorer_model.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

struct Choice {
  std::string title;
  std::string tag;
  std::string id;                 // of a command
  ObjectId tensor = 0;
};

bool contains(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

constexpr size_t kMostChoices = 12;

std::vector<Choice> choices_for(App::Prompt prompt, const Session& session, const std::string& typed) {
  std::vector<Choice> choices;
  if (prompt == App::Prompt::Palette) {
    for (const Command& command : commands())
      if (contains(command.title, typed))
        choices.push_back({command.title, command.keys.empty() ? "" : key_text(command.keys.front()), command.id, 0});
  }
  if (prompt == App::Prompt::Find) {
    for (const TensorRow& row : make_explorer_model(session).tensors)
      if (contains(row.name, typed)) choices.push_back({row.name, row.dtype, "", row.tensor});
  }
  if (choices.size() > kMostChoices) choices.resize(kMostChoices);
  return choices;
}

const char* hint_of(App::Prompt prompt) {
  switch (prompt) {
    case App::Prompt::GoTo: return "Number of an event";
    case App::Prompt::Find: return "Name of a tensor";
    case App::Prompt::Palette: return "A command";
    case App::Prompt::Open: return "Path of a .npy, .npz or .safetensors file";
    case App::Prompt::None: break;
  }
  return "";
}

}  // namespace

void App::accept_prompt() {
  const std::vector<Choice> choices = choices_for(prompt_, session_, prompt_text_);
  const auto chosen = static_cast<size_t>(prompt_choice_);
  if (prompt_ == Prompt::GoTo) {
    char* end = nullptr;
    const unsigned long long number = std::strtoull(prompt_text_.c_str(), &end, 10);
    if (prompt_text_.empty() || *end != '\0') {
      prompt_error_ = "expected a number from 0 to " + std::to_string(session_.trace().size());
      return;
    }
    session_.seek(number);
  } else if (prompt_ == Prompt::Open) {
    prompt_error_ = "to open another file, start ./cutaway open " + prompt_text_;
    return;
  } else if (chosen < choices.size()) {
    const Choice choice = choices[chosen];
    prompt_ = Prompt::None;
    if (choice.tensor) session_.select_tensor(choice.tensor);
    if (!choice.id.empty()) run(choice.id);
    return;
  }
  prompt_ = Prompt::None;
}

void App::draw_prompt() {
  if (prompt_ == Prompt::None) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(560), size.x - px(40));
  ImGui::SetNextWindowPos({(size.x - width) / 2, px(72)});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color(Role::Raised));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::SetNextWindowFocus();
  ImGui::Begin("##prompt", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  if (prompt_opened_) ImGui::SetKeyboardFocusHere();
  prompt_opened_ = false;
  ImGui::SetNextItemWidth(-1);
  const std::string before = prompt_text_;
  const bool entered = ImGui::InputTextWithHint("##ask", hint_of(prompt_), &prompt_text_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (before != prompt_text_) prompt_choice_ = 0;
  const std::vector<Choice> choices = choices_for(prompt_, session_, prompt_text_);
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++prompt_choice_;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --prompt_choice_;
  prompt_choice_ = std::clamp(prompt_choice_, 0, std::max(static_cast<int>(choices.size()) - 1, 0));
  bool clicked = false;
  for (size_t i = 0; i < choices.size(); ++i) {
    ListRow row;
    const std::string id = "choice" + std::to_string(i);
    row.id = id.c_str();
    row.title = choices[i].title;
    row.tag = choices[i].tag;
    row.selected = static_cast<int>(i) == prompt_choice_;
    if (!list_row(row)) continue;
    prompt_choice_ = static_cast<int>(i);
    clicked = true;
  }
  if (!prompt_error_.empty()) put_text(prompt_error_, words(kSmall, Role::Wrong), true);
  ImGui::End();
  if (entered || clicked) accept_prompt();
}

void App::draw_help() {
  if (!help_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(860), size.x - px(40)), height = std::min(px(640), size.y - px(80));
  ImGui::SetNextWindowPos({(size.x - width) / 2, (size.y - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::SetNextWindowFocus();
  ImGui::Begin("##help", nullptr, (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  put_text("Keys", strong(kTitle));
  std::string group;
  ImGui::Columns(2, "keys", false);
  const float start = ImGui::GetCursorPosY();
  for (const Command& command : commands()) {
    if (group == "Time" && group != command.group) {
      ImGui::NextColumn();
      ImGui::SetCursorPosY(start);
    }
    if (group != command.group) heading((group = command.group).c_str());
    std::string keys;
    for (ImGuiKeyChord key : command.keys) keys += (keys.empty() ? "" : ", ") + key_text(key);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ImGui::GetWindowDrawList(), at, keys, mono(kRuler, Role::Accent));
    draw_text(ImGui::GetWindowDrawList(), {at.x + px(140), at.y}, command.title, words(kSmall));
    ImGui::Dummy({px(100), px(17)});
  }
  ImGui::Columns(1);
  ImGui::End();
}

}  // namespace cutaway::inspector
