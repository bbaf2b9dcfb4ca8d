#include "inspector/app/app.h"

#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/error.h"
#include "inspector/app/bars.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/json.h"
#include "inspector/model/lab_model.h"
#include "inspector/model/storage_model.h"
#include "inspector/model/text.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

constexpr float kPlayStep = 0.6f;  // seconds an event while playing
constexpr float kLeastScale = 0.5f, kMostScale = 3;

}  // namespace

App::App(Session& session, const Options& options, bool deterministic)
    : session_(session), look_given_(options.theme != "dark" || options.scale != 1), base_scale_(scale()) {
  memory_.wait = deterministic;
  for (const Panel& panel : panels())
    if (options.panel == panel.id) only_panel_ = panel.id;
}

// --- commands

void App::run(const Command& command) {
  message_.clear();
  message_wrong_ = false;
  if (const char* why = command.refused(*this)) return say(why, true);
  try {
    command.run(*this);
  } catch (const std::exception& error) {
    say(error.what(), true);
  }
}

void App::run(std::string_view id) {
  const Command* command = find_command(id);
  CUTAWAY_INTERNAL_ASSERT(command != nullptr, "there is no command ", std::string(id));
  run(*command);
}

KeyFocus App::key_focus() const {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return {ImGui::GetIO().WantTextInput || context.WantTextInputNextFrame == 1,
          prompt_.overlay != Sheet::None};
}

bool App::press(const Chord& chord) {
  const Command* command = command_for(chord, key_focus());
  if (command) run(*command);
  return command != nullptr;
}

void App::say(std::string text, bool wrong) {
  message_ = std::move(text);
  message_wrong_ = wrong;
}

void App::show_overlay(Sheet overlay) {
  if (prompt_.overlay == overlay) return close_overlay();
  prompt_ = {};
  prompt_.overlay = overlay;
  prompt_.opened = true;
  settle();
}

void App::close_overlay() {
  prompt_ = {};
  ImGui::ClearActiveID();
  settle();
}

void App::close_help() {
  if (prompt_.overlay == Sheet::Help) close_overlay();
}

void App::move_in_overlay(int rows) {
  if (prompt_.choices.empty()) return;
  const int count = static_cast<int>(prompt_.choices.size());
  prompt_.row = (prompt_.row + rows + count) % count;
  prompt_.moved = true;
}

void App::accept_overlay() {
  if (prompt_.overlay == Sheet::Help) return close_overlay();
  if (!prompt_.worked_out || prompt_.asked != prompt_.text) {
    prompt_.choices = choices_for(prompt_, *this);
    prompt_.row = 0;
  }
  if (prompt_.choices.empty()) {
    if (prompt_.overlay == Sheet::GoTo)
      prompt_.error =
          "'" + prompt_.text + "' is no event; there are 0 to " + std::to_string(session_.trace().size());
    if (prompt_.overlay == Sheet::Open) open_files({prompt_.text});
    return;
  }
  const Choice choice = prompt_.choices[static_cast<size_t>(prompt_.row)];
  const Sheet overlay = prompt_.overlay;
  if (overlay == Sheet::Open && choice.path.ends_with('/')) {
    prompt_.text = choice.path;
    prompt_.opened = true;
    ImGui::ClearActiveID();  // the field takes up the new text
    return settle();
  }
  if (overlay == Sheet::Open) return open_files({choice.path});
  close_overlay();
  if (overlay == Sheet::Export) return export_as(choice.command);
  if (choice.tensor) session_.select_tensor(choice.tensor);
  if (choice.event != SIZE_MAX) session_.seek(choice.event);
  if (!choice.command.empty()) run(choice.command);
}

void App::toggle_play() {
  playing_ = !playing_;
  play_clock_ = 0;
  // From the end it begins again.
  if (playing_ && session_.time() == session_.trace().size()) session_.seek(0);
}

void App::stop() {
  // The first Esc leaves a field, the next one stops.
  if (!key_focus().text_field) playing_ = false;
  ImGui::ClearActiveID();
  settle();
}

void App::toggle_bookmark() {
  session_.toggle_bookmark();
  const auto& marks = session_.bookmarks();
  const bool set = std::binary_search(marks.begin(), marks.end(), session_.time());
  say((set ? "bookmark set at event " : "bookmark cleared at event ") + std::to_string(session_.time()));
}

void App::toggle_compare() {
  session_.lock_compare();
  say(session_.compared_event()
          ? "comparing with event " + std::to_string(*session_.compared_event()) + "; C lets go"
          : "no longer comparing");
}

void App::toggle_theme() {
  use_theme(theme_name() == ThemeName::Dark ? ThemeName::Light : ThemeName::Dark, scale());
  ImGui::MarkIniSettingsDirty();
}

void App::change_scale(float factor) {
  base_scale_ = std::clamp(scale() * factor, kLeastScale, kMostScale);
  use_theme(theme_name(), base_scale_);
  say("scale " + std::to_string(static_cast<int>(scale() * 100 + 0.5f)) + " %");
  ImGui::MarkIniSettingsDirty();
}

void App::set_preset(Preset preset) {
  const bool was_presenting = layout_.preset() == Preset::Present;
  layout_.reset(preset);
  if (preset == Preset::Present && !was_presenting) {
    base_scale_ = scale();
    use_theme(theme_name(), std::clamp(scale() * 1.3f, kLeastScale, kMostScale));
  } else if (preset != Preset::Present && was_presenting) {
    use_theme(theme_name(), base_scale_);
  }
  say(std::string("layout: ") + to_string(preset));
  ImGui::MarkIniSettingsDirty();
}

void App::focus_filter() {
  layout_.show("explorer");
  focus_filter_ = true;
  settle();
}

void App::select_neighbour(int direction) {
  const ExplorerModel model = make_explorer_model(session_, session_.filter("explorer"));
  const auto& rows = model.tensors;
  if (rows.empty()) return say("the list of tensors is empty", true);
  const auto now = std::find_if(rows.begin(), rows.end(), [](const TensorRow& row) { return row.selected; });
  if (now == rows.end()) return session_.select_tensor(rows.front().tensor);
  const int64_t next =
      std::clamp<int64_t>(now - rows.begin() + direction, 0, static_cast<int64_t>(rows.size()) - 1);
  session_.select_tensor(rows[static_cast<size_t>(next)].tensor);
}

GridState* App::canvas() {
  return session_.selection().storage ? &memory_.grids[session_.selection().storage] : nullptr;
}

void App::move_cell(int64_t dx, int64_t dy) {
  const StorageModel model = make_storage_model(session_);
  if (model.elements == 0) return say("this storage has no elements", true);
  const GridState* grid = canvas();
  const int64_t columns = grid && grid->columns ? grid->columns : model.columns;
  const auto now = session_.selection().element;
  const int64_t to = now ? *now + dx + dy * columns / std::max<int64_t>(model.span, 1) : 0;
  session_.select_element(std::clamp<int64_t>(to, 0, model.elements - 1));
  frame_selection();
}

void App::zoom_canvas(float factor) {
  if (GridState* grid = canvas()) grid->zoom = std::clamp(grid->zoom * factor, 0.001f, 6.0f);
}

void App::fit_canvas() {
  if (GridState* grid = canvas()) grid->fit = true;
}

void App::frame_selection() {
  const auto element = session_.selection().element;
  if (!element) return say("no cell is selected; a click or W A S D select one");
  if (GridState* grid = canvas()) grid->frame = *element * make_storage_model(session_).span;
}

void App::toggle_pin() {
  const ObjectId tensor = session_.selection().tensor;
  if (tensor == 0) return say("no tensor is selected", true);
  session_.toggle_hidden(tensor);
  say(session_.is_hidden(tensor) ? "its view is hidden on the canvas; P shows it again"
                                 : "its view is shown on the canvas");
}

// --- files

void App::open_files(const std::vector<std::string>& paths) {
  try {
    const bool trace = paths.size() == 1 && std::filesystem::path(paths.front()).extension() == ".trace";
    auto document = trace ? Document::open_trace(paths.front(), false) : Document::open_files(paths);
    session_ = Session(std::move(document));
    const bool wait = memory_.wait;
    memory_ = PanelMemory();
    memory_.wait = wait;
    bars_ = {};
    playing_ = false;
    if (prompt_.overlay != Sheet::None) close_overlay();
    say("opened " + paths.front());
  } catch (const std::exception& error) {
    prompt_.error = error.what();
    if (prompt_.overlay == Sheet::None) say(error.what(), true);
  }
}

void App::export_as(std::string_view kind) {
  if (kind == "python") {
    ImGui::SetClipboardText(make_lab_model(session_).code.c_str());
    return say("the view is on the clipboard, as Python");
  }
  const std::string path = std::string("cutaway-out/window.") + (kind == "png"    ? "png"
                                                                 : kind == "text" ? "txt"
                                                                                  : "json");
  std::filesystem::create_directories("cutaway-out");
  if (kind == "png") {
    picture_path_ = path;
  } else {
    std::ofstream out(path);
    out << (kind == "text" ? frame_text(session_) : frame_json(session_));
    CUTAWAY_CHECK(out.flush(), path, ": cannot be written");
  }
  say("written: " + path);
}

std::string App::take_picture_path() { return std::exchange(picture_path_, ""); }

std::string App::title() const {
  return "Cutaway: " + session_.document().title() + ", event " + std::to_string(session_.time()) + " of " +
         std::to_string(session_.trace().size());
}

std::string App::state() const {
  return "theme=" + std::string(theme_name() == ThemeName::Light ? "light" : "dark") +
         "\nscale=" + std::to_string(base_scale_) + "\n" + layout_.state();
}

void App::read_state(std::string_view name, std::string_view value) {
  if (name == "theme") {
    if (!look_given_) use_theme(value == "light" ? ThemeName::Light : ThemeName::Dark, scale());
  } else if (name == "scale") {
    const float kept = std::strtof(std::string(value).c_str(), nullptr);
    if (!look_given_ && kept >= kLeastScale && kept <= kMostScale)
      use_theme(theme_name(), base_scale_ = kept);
  } else {
    layout_.read_state(name, value);
  }
}

// --- drawing

void App::advance_play() {
  if (!playing_) return;
  play_clock_ += ImGui::GetIO().DeltaTime;
  if (play_clock_ < kPlayStep) return;
  play_clock_ = 0;
  session_.step(1);
  if (session_.time() == session_.trace().size()) playing_ = false;
}

void App::draw() {
  if (settling_ > 0) --settling_;
  advance_play();
  if (only_panel_.empty()) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    draw_top_bar();
    draw_status_bar();
    layout_.draw({0, bar_height()}, {size.x, size.y - bar_height() - status_height()});
  }
  memory_.working = false;
  draw_panels();
  if (prompt_.overlay == Sheet::Help) {
    if (draw_help_sheet(prompt_)) close_overlay();
  } else if (prompt_.overlay != Sheet::None) {
    const PromptAnswer answer = draw_prompt(prompt_, *this);
    if (answer == PromptAnswer::Taken) accept_overlay();
    if (answer == PromptAnswer::Dismissed) close_overlay();
  }
}

void App::draw_single(const Panel& panel) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin(panel.title, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoSavedSettings);
  PanelContext context{session_, memory_, [this](const char* id) { run(id); }};
  panel.draw(context);
  ImGui::End();
}

void App::draw_panels() {
  PanelContext context{session_, memory_, [this](const char* id) { run(id); }};
  for (const Panel& panel : panels()) {
    if (!only_panel_.empty()) {
      if (only_panel_ == panel.id) draw_single(panel);
      continue;
    }
    if (!layout_.is_shown(panel.id)) continue;
    if (layout_.begin_panel(panel)) {
      if (focus_filter_ && only_panel_.empty() && panel.place == Place::Left) {
        ImGui::SetKeyboardFocusHere();
        focus_filter_ = false;
      }
      panel.draw(context);
    }
    layout_.end_panel();
  }
}

}  // namespace cutaway::inspector
