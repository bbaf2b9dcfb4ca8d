// The application behind the window: session, panels, popups, layout. Draws one frame; knows nothing of GLFW.
//
// PyTorch: none
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inspector/app/layout.h"
#include "inspector/app/options.h"
#include "inspector/model/session.h"
#include "inspector/panels/panel.h"

namespace cutaway::inspector {

class App {
 public:
  App(Session& session, const Options& options);

  Session& session() { return session_; }

  // One frame, between ImGui::NewFrame and Render. Dear ImGui's display size is the whole window.
  void draw();
  // Runs the command of a key that was pressed. `typing`: a text field has the focus.
  void key(int chord, bool typing);
  void run(const std::string& id);

  enum class Prompt { None, GoTo, Find, Palette, Open };
  void open_prompt(Prompt prompt);
  void close_popups();
  void toggle_help() { help_ = !help_; }
  void toggle_play() { playing_ = !playing_; }
  void toggle_theme();
  void change_scale(float factor);
  void set_layout(Preset preset);
  void keep_restored_layout() { layout_.keep_restored(); }
  void focus_panel(const std::string& title) { focus_ = title; }
  void focus_filter() { focus_filter_ = true; }
  void select_neighbour(int direction);
  void move_cell(int64_t dx, int64_t dy);
  void zoom_grid(float factor);   // 0: back to what fits
  void frame_selection();
  void request_export() { export_requested_ = true; }
  void quit() { quit_ = true; }

  bool wants_quit() const { return quit_; }
  // Whether a text field is about to get the focus.
  bool focuses_field() const { return prompt_opened_ || focus_filter_; }
  bool is_playing() const { return playing_; }
  // Set once after Ctrl+E: the window writes a picture then.
  bool take_export_request();
  void say(std::string message) { message_ = std::move(message); }

 private:
  void draw_top_bar();
  void draw_status_bar();
  void draw_panels();
  void draw_prompt();
  void draw_help();
  void accept_prompt();
  void advance_play();

  Session& session_;
  PanelMemory memory_;
  Layout layout_;
  std::string only_panel_;        // --panel: nothing else is drawn
  Prompt prompt_ = Prompt::None;
  bool prompt_opened_ = false;
  std::string prompt_text_;
  int prompt_choice_ = 0;
  std::string prompt_error_;
  bool help_ = false;
  bool playing_ = false;
  float play_clock_ = 0;
  std::string focus_;
  bool focus_filter_ = false;
  bool export_requested_ = false;
  bool quit_ = false;
  std::string message_;
};

}  // namespace cutaway::inspector
