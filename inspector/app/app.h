// The application behind the window: session, panels, overlays, layout. Draws one frame; knows nothing of GLFW.
//
// The same object draws windows, pictures and UI tests. It holds what is open on the screen (overlay, theme, scale, layout,
// whether it plays) and nothing of the document: that is the Session's. Commands act on it through its methods.
// Thread safety: the main thread only.
//
// PyTorch: none
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inspector/app/commands.h"
#include "inspector/app/layout.h"
#include "inspector/app/options.h"
#include "inspector/app/overlay.h"
#include "inspector/model/details_model.h"
#include "inspector/model/session.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/theme.h"

namespace cutaway::inspector {

class App {
 public:
  // `deterministic`: nothing depends on clocks or on how quick the machine is.
  App(Session& session, const Options& options, bool deterministic);

  // One frame, between ImGui::NewFrame and Render. Dear ImGui's display size is the whole window.
  void draw();

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  Layout& layout() { return layout_; }
  const Layout& layout() const { return layout_; }

  // Runs a command; one that is refused says why instead.
  void run(const Command& command);
  void run(std::string_view id);
  // Runs the command of a chord at this moment. Returns: whether there is one.
  bool press(const Chord& chord);
  KeyFocus key_focus() const;
  // Keys must wait until the next frames have moved the focus to where they belong.
  bool settling() const { return settling_ > 0; }
  void settle() { settling_ = 3; }

  // A line at the bottom: what was done, or why it was not. It stays until the next command.
  void say(std::string text, bool wrong = false);

  // --- what commands do
  void show_overlay(Sheet overlay);
  void close_overlay();
  void close_help();
  void move_in_overlay(int rows);
  void accept_overlay();
  void toggle_play();
  void stop();
  void toggle_bookmark();
  void toggle_compare();
  void toggle_theme();
  void change_scale(float factor);
  void set_preset(Preset preset);
  void focus_filter();
  void select_neighbour(int direction);
  void move_cell(int64_t dx, int64_t dy);
  void zoom_canvas(float factor);
  void fit_canvas();
  void frame_selection();
  void toggle_pin();
  void open_files(const std::vector<std::string>& paths);
  // Writes what Ctrl+E asked for; a picture is taken after the frame is drawn.
  void export_as(std::string_view kind);
  void quit() { quitting_ = true; }

  Sheet overlay() const { return prompt_.overlay; }
  bool is_playing() const { return playing_; }
  bool wants_quit() const { return quitting_; }
  // Frames must go on without input.
  bool is_moving() const { return playing_ || settling_ > 0; }
  // A worker is at something that will be shown when it is ready.
  bool is_waiting() const { return memory_.working; }
  // Set once after a picture was asked for: the path to write it to.
  std::string take_picture_path();
  // The title of the window: it names the event, for task bars and screen readers.
  std::string title() const;
  // What is kept between runs, as lines of "name=value".
  std::string state() const;
  void read_state(std::string_view name, std::string_view value);

 private:
  void draw_single(const Panel& panel);
  void draw_panels();
  void draw_top_bar();
  void draw_menus();
  void draw_transport(float x);
  void draw_find_field(float left, float right);
  void draw_status_bar();
  void advance_play();
  GridState* canvas();

  Session& session_;
  PanelMemory memory_;
  Layout layout_;
  std::string only_panel_;  // --panel: nothing else is drawn
  Prompt prompt_;
  bool playing_ = false;
  float play_clock_ = 0;
  bool focus_filter_ = false;
  bool quitting_ = false;
  int settling_ = 0;
  bool look_given_ = false;  // on the command line: what was kept is not taken
  float base_scale_ = 1;     // before the preset for presenting enlarged it
  std::string picture_path_;
  std::string message_;
  bool message_wrong_ = false;
  int open_menu_ = -1;
  struct Bars {
    StatusModel status;
    std::string document;
    std::string statement;  // the program's line, or the operator
  };
  const Bars& bars();
  Cached<Bars> bars_;
};

}  // namespace cutaway::inspector
