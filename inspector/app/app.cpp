#include "inspector/app/app.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/error.h"
#include "inspector/app/commands.h"
#include "inspector/model/details_model.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/storage_model.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

constexpr float kTopBar = 48, kStatusBar = 28;
constexpr float kPlayStep = 0.6f;   // seconds an event while playing

}  // namespace

App::App(Session& session, const Options& options) : session_(session) {
  for (const Panel& panel : panels())
    if (options.panel == panel.id) only_panel_ = panel.title;
  if (!session.document().is_trace()) return;
  if (!session.trace().marks().empty()) layout_.reset(Preset::Explore);
}

void App::run(const std::string& id) {
  const Command* command = find_command(id);
  CUTAWAY_INTERNAL_ASSERT(command != nullptr, "there is no command ", id);
  command->run(*this);
}

void App::key(int chord, bool typing) {
  if (prompt_ != Prompt::None && chord != ImGuiKey_Escape) return;
  const Command* command = command_for(chord);
  if (!command || (typing && !acts_in_text_field(chord))) return;
  message_.clear();
  command->run(*this);
}

void App::open_prompt(Prompt prompt) {
  prompt_ = prompt;
  prompt_opened_ = true;
  prompt_text_.clear();
  prompt_error_.clear();
  prompt_choice_ = 0;
}

void App::close_popups() {
  prompt_ = Prompt::None;
  help_ = false;
  playing_ = false;
}

void App::toggle_theme() { use_theme(theme_name() == ThemeName::Dark ? ThemeName::Light : ThemeName::Dark, scale()); }

void App::change_scale(float factor) { use_theme(theme_name(), std::clamp(scale() * factor, 0.5f, 3.0f)); }

void App::set_layout(Preset preset) {
  layout_.reset(preset);
  if (preset == Preset::Present) change_scale(std::max(1.0f, 1.25f / scale()));
}

void App::select_neighbour(int direction) {
  const ExplorerModel model = make_explorer_model(session_, session_.filter("explorer"));
  const auto& rows = model.tensors;
  const auto now = std::find_if(rows.begin(), rows.end(), [](const TensorRow& row) { return row.selected; });
  if (rows.empty()) return;
  if (now == rows.end()) return session_.select_tensor(rows.front().tensor);
  const int64_t next = std::clamp<int64_t>(now - rows.begin() + direction, 0, static_cast<int64_t>(rows.size()) - 1);
  session_.select_tensor(rows[static_cast<size_t>(next)].tensor);
}

void App::move_cell(int64_t dx, int64_t dy) {
  const StorageModel model = make_storage_model(session_);
  if (model.elements == 0) return;
  const int64_t now = session_.selection().element.value_or(0);
  session_.select_element(std::clamp<int64_t>(now + dx + dy * model.columns, 0, model.elements - 1));
  frame_selection();
}

void App::zoom_grid(float factor) {
  GridState& grid = memory_.grids[session_.selection().storage];
  grid.zoom = factor == 0 ? 1 : std::clamp(grid.zoom * factor, 0.01f, 8.0f);
}

void App::frame_selection() {
  const StorageModel model = make_storage_model(session_);
  if (!session_.selection().element || model.columns == 0) return;
  GridState& grid = memory_.grids[model.storage];
  const int64_t row = *session_.selection().element / model.columns;
  if (row < grid.first_row || row >= grid.first_row + 8) grid.first_row = std::max<int64_t>(row - 4, 0);
}

bool App::take_export_request() { return std::exchange(export_requested_, false); }

void App::advance_play() {
  if (!playing_) return;
  play_clock_ += ImGui::GetIO().DeltaTime;
  if (play_clock_ < kPlayStep) return;
  play_clock_ = 0;
  if (session_.time() == session_.trace().size())
    playing_ = false;
  else
    session_.step(1);
}

void App::draw() {
  budget().weight = 0;
  advance_play();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (only_panel_.empty()) {
    draw_top_bar();
    draw_status_bar();
    layout_.draw({0, px(kTopBar)}, {size.x, size.y - px(kTopBar + kStatusBar)});
  }
  draw_panels();
  draw_prompt();
  draw_help();
}

void App::draw_panels() {
  PanelContext context{session_, memory_, [this](const char* id) { run(id); }};
  for (const Panel& panel : panels()) {
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoCollapse;
    if (!only_panel_.empty()) {
      if (only_panel_ != panel.title) continue;
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
      flags |= ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking;
    }
    if (focus_ == panel.title) {
      ImGui::SetNextWindowFocus();
      focus_.clear();
    }
    if (ImGui::Begin(panel.title, nullptr, flags)) {
      if (focus_filter_ && panel.place == Place::Left) {
        ImGui::SetKeyboardFocusHere();
        focus_filter_ = false;
      }
      panel.draw(context);
    }
    ImGui::End();
  }
}

namespace {

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavFocus;

enum class Icon { First, Back, Play, Pause, Forward };

bool transport_button(const char* id, Icon icon, bool strong_fill) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{px(34), px(28)};
  const bool clicked = ImGui::InvisibleButton(id, size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool over = ImGui::IsItemHovered();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, strong_fill ? color(Role::Accent, over ? 0.85f : 1) : color(over ? Role::Line : Role::Raised), px(6));
  const ImU32 ink = strong_fill ? color(Role::Ground) : color(Role::Text);
  const ImVec2 c{at.x + size.x / 2, at.y + size.y / 2};
  const float r = px(5);
  const auto triangle = [&](float x, float direction) {
    list->AddTriangleFilled({x - r * direction, c.y - r}, {x - r * direction, c.y + r}, {x + r * direction, c.y}, ink);
  };
  if (icon == Icon::First) list->AddRectFilled({c.x - px(7), c.y - r}, {c.x - px(5), c.y + r}, ink);
  if (icon == Icon::First || icon == Icon::Back) triangle(c.x + (icon == Icon::First ? px(2) : 0), -1);
  if (icon == Icon::Play || icon == Icon::Forward) triangle(c.x, 1);
  if (icon == Icon::Pause) {
    list->AddRectFilled({c.x - px(5), c.y - r}, {c.x - px(1), c.y + r}, ink);
    list->AddRectFilled({c.x + px(1), c.y - r}, {c.x + px(5), c.y + r}, ink);
  }
  return clicked;
}

}  // namespace

void App::draw_top_bar() {
  const float width = ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({width, px(kTopBar)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin("##top", nullptr, kBar);
  ImGui::PopStyleVar();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({0, px(kTopBar) - 1}, {width, px(kTopBar) - 1}, color(Role::Line));
  draw_text(list, {px(18), px(15)}, "Cutaway", strong(17));
  const float title_x = px(110);
  const float middle = std::max(width * 0.35f, px(260));
  draw_text(list, {title_x, px(17)}, fitted(session_.document().title(), words(kSmall), middle - title_x - px(16)), words(kSmall, Role::Quiet));
  ImGui::SetCursorScreenPos({middle, px(10)});
  if (transport_button("first", Icon::First, false)) run("time.first");
  ImGui::SameLine(0, px(6));
  if (transport_button("back", Icon::Back, false)) run("event.previous");
  ImGui::SameLine(0, px(6));
  if (transport_button("play", playing_ ? Icon::Pause : Icon::Play, true)) run("time.play");
  ImGui::SameLine(0, px(6));
  if (transport_button("forward", Icon::Forward, false)) run("event.next");
  const StatusModel status = make_status_model(session_);
  float x = middle + px(4 * 40 + 18);
  draw_text(list, {x, px(16)}, status.event, mono(14));
  x += text_size(status.event, mono(14)).x + px(28);
  const float field = px(220), field_x = width - field - px(14);
  const DetailsModel details = make_details_model(session_);
  const std::string where = details.statement.empty() ? details.op : details.statement;
  if (field_x - x > px(60)) draw_text(list, {x, px(17)}, fitted(where, mono(kSmall), field_x - x - px(16)), mono(kSmall, Role::Quiet));
  ImGui::SetCursorScreenPos({field_x, px(9)});
  if (ImGui::InvisibleButton("find", {field, px(30)})) open_prompt(Prompt::Find);
  list->AddRectFilled({field_x, px(9)}, {field_x + field, px(39)}, color(Role::Raised), px(6));
  draw_text(list, {field_x + px(12), px(16)}, "Find a tensor ...", words(kSmall, Role::Faint));
  draw_text(list, {field_x + field - px(50), px(17)}, "Ctrl P", mono(11, Role::Faint));
  ImGui::End();
}

void App::draw_status_bar() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float top = size.y - px(kStatusBar);
  ImGui::SetNextWindowPos({0, top});
  ImGui::SetNextWindowSize({size.x, px(kStatusBar)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin("##status", nullptr, kBar);
  ImGui::PopStyleVar();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({0, top}, {size.x, top}, color(Role::Line));
  const StatusModel status = make_status_model(session_);
  const TextStyle quiet = words(kRuler, Role::Quiet);
  const std::string keys = "?  keys      Ctrl Shift P  commands";
  const float keys_x = size.x - text_size(keys, quiet).x - px(18);
  draw_text(list, {px(18), top + px(7)}, status.source, quiet);
  const float x = px(18) + text_size(status.source, quiet).x + px(32);
  const std::string middle = !message_.empty() ? message_ : !status.problem.empty() ? status.problem : status.hovered;
  const Role role = message_.empty() && !status.problem.empty() ? Role::Wrong : Role::Text;
  draw_text(list, {x, top + px(7)}, fitted(middle, words(kRuler), keys_x - x - px(24)), words(kRuler, role));
  draw_text(list, {keys_x, top + px(7)}, keys, quiet);
  ImGui::End();
}

}  // namespace cutaway::inspector
