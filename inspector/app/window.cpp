// The loop. It sleeps in glfwWaitEventsTimeout and draws when there was input, for three frames after it (windows settle),
// and at full rate while something moves.

#include "inspector/app/window.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "inspector/app/app.h"
#include "inspector/app/graphics.h"
#include "inspector/app/input_queue.h"
#include "inspector/app/preferences.h"
#include "inspector/widgets/theme.h"

namespace cutaway::inspector {
namespace {

constexpr int kFramesAfterInput = 3;
// Hover tips appear after a moment without input; workers become ready. Seconds.
constexpr double kRestlessWait = 0.1, kRestingWait = 1.0;

void save_picture(App& app, const Graphics& graphics, const std::string& path) {
  try {
    write_png_file(path, graphics.read_pixels());
  } catch (const std::exception& error) {
    app.say(error.what(), true);
  }
}

void update_title(const App& app, GLFWwindow* window, std::string& shown) {
  std::string title = app.title();
  if (title == shown) return;
  glfwSetWindowTitle(window, title.c_str());
  shown = std::move(title);
}

void draw_frame(App& app, Graphics& graphics) {
  graphics.begin_frame();
  app.draw();
  const std::string picture = app.take_picture_path();
  if (!picture.empty()) graphics.forget_frame();
  const bool drawn = graphics.end_frame(rgb(theme_name(), Role::Ground));
  if (!picture.empty()) save_picture(app, graphics, picture);
  if (drawn) graphics.present();
}

void loop(App& app, Graphics& graphics, InputQueue& input) {
  int frames_left = kFramesAfterInput;
  double last_input = glfwGetTime();
  std::string title;
  while (!glfwWindowShouldClose(graphics.window()) && !app.wants_quit()) {
    const bool moving = app.is_moving() || ImGui::IsAnyItemActive() || !input.empty();
    const bool restless = glfwGetTime() - last_input < 2 || app.is_waiting();
    if (frames_left > 0 || moving)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(restless ? kRestlessWait : kRestingWait);
    if (input.take_happened()) {
      frames_left = kFramesAfterInput;
      last_input = glfwGetTime();
    } else if (frames_left == 0 && !moving && !restless) {
      continue;
    }
    input.hand_out(app);
    update_title(app, graphics.window(), title);
    frames_left = std::max(frames_left - 1, 0);
    draw_frame(app, graphics);
    // Nothing paces the loop when the frame was the same as before and there was nothing to present.
    if (moving) glfwWaitEventsTimeout(0.001);
  }
}

}  // namespace

bool run_window(Session& session, const Options& options, std::string* why) {
  std::unique_ptr<Graphics> graphics;
  try {
    graphics = std::make_unique<Graphics>(options.width, options.height, true, "Cutaway");
  } catch (const Error& error) {
    *why = error.message();
    return false;
  }
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigDpiScaleFonts = false;
  load_fonts();
  use_theme(options.theme == "light" ? ThemeName::Light : ThemeName::Dark,
            std::clamp(options.scale * graphics->content_scale(), 0.5f, 3.0f));
  const std::string kept = preferences_file();
  App app(session, options, false);
  keep_preferences(app, kept);
  InputQueue input(graphics->window());
  loop(app, *graphics, input);
  if (!kept.empty()) ImGui::SaveIniSettingsToDisk(kept.c_str());
  io.IniFilename = nullptr;
  return true;
}

}  // namespace cutaway::inspector
