// The loop. It sleeps in glfwWaitEventsTimeout and draws when there was input, for three frames after it (windows settle),
// and at full rate while something moves. Keys come through GLFW's callback one by one, so that twenty fast presses are
// twenty commands however few frames are drawn.

#include "inspector/app/window.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "inspector/app/app.h"
#include "inspector/app/graphics.h"
#include "inspector/widgets/theme.h"

// Of Dear ImGui's GLFW back end, which defines it for such use without declaring it.
ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);

namespace cutaway::inspector {
namespace {

struct Input {
  std::deque<int> keys;           // chords, in order
  bool happened = true;
};
Input input;

GLFWkeyfun next_key_callback = nullptr;
GLFWmousebuttonfun next_button_callback = nullptr;
GLFWcursorposfun next_cursor_callback = nullptr;
GLFWscrollfun next_scroll_callback = nullptr;

void on_button(GLFWwindow* window, int button, int action, int mods) {
  input.happened = true;
  if (next_button_callback) next_button_callback(window, button, action, mods);
}

void on_cursor(GLFWwindow* window, double x, double y) {
  input.happened = true;
  if (next_cursor_callback) next_cursor_callback(window, x, y);
}

void on_scroll(GLFWwindow* window, double x, double y) {
  input.happened = true;
  if (next_scroll_callback) next_scroll_callback(window, x, y);
}

void on_change(GLFWwindow*, int, int) { input.happened = true; }
void on_refresh(GLFWwindow*) { input.happened = true; }

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  input.happened = true;
  if (action != GLFW_RELEASE) {
    const ImGuiKey imgui_key = ImGui_ImplGlfw_KeyToImGuiKey(key, scancode);
    int chord = imgui_key;
    if (mods & GLFW_MOD_CONTROL) chord |= ImGuiMod_Ctrl;
    if (mods & GLFW_MOD_SHIFT) chord |= ImGuiMod_Shift;
    if (mods & GLFW_MOD_ALT) chord |= ImGuiMod_Alt;
    if (imgui_key != ImGuiKey_None) input.keys.push_back(chord);
  }
  if (next_key_callback) next_key_callback(window, key, scancode, action, mods);
}

std::string layout_file() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  if ((!config || !*config) && (!home || !*home)) return "";
  const std::filesystem::path folder =
      (config && *config ? std::filesystem::path(config) : std::filesystem::path(home) / ".config") / "cutaway";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  return failed ? "" : (folder / "layout.ini").string();
}

void save_picture(App& app, const Graphics& graphics) {
  int width = 0, height = 0;
  const auto pixels = graphics.read_pixels(&width, &height);
  try {
    std::filesystem::create_directories("cutaway-out");
    write_png_file("cutaway-out/window.png", pixels, width, height);
    app.say("saved cutaway-out/window.png");
  } catch (const std::exception& error) {
    app.say(error.what());
  }
}

// The title names the event, for task bars and screen readers.
void update_title(const Session& session, GLFWwindow* window, size_t& titled) {
  if (titled == session.time()) return;
  titled = session.time();
  const std::string title = "Cutaway: " + session.document().title() + ", event " + std::to_string(titled) + " of " +
                            std::to_string(session.trace().size());
  glfwSetWindowTitle(window, title.c_str());
}

void loop(App& app, Graphics& graphics) {
  int frames_left = 3;
  bool typing = false;
  size_t titled = SIZE_MAX;
  while (!glfwWindowShouldClose(graphics.window()) && !app.wants_quit()) {
    const bool moving = app.is_playing() || ImGui::IsAnyItemActive();
    if (frames_left > 0 || moving)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(0.5);
    if (std::exchange(input.happened, false)) frames_left = 3;
    while (!input.keys.empty()) {
      app.key(input.keys.front(), typing);
      input.keys.pop_front();
    }
    update_title(app.session(), graphics.window(), titled);
    if (frames_left == 0 && !moving) continue;
    --frames_left;
    graphics.begin_frame();
    ImGui::NewFrame();
    app.draw();
    graphics.end_frame(rgb(theme_name(), Role::Ground));
    if (app.take_export_request()) save_picture(app, graphics);
    graphics.present();
    typing = ImGui::GetIO().WantTextInput;
  }
}

}  // namespace

bool run_window(Session& session, const Options& options, std::string* why) {
  std::unique_ptr<Graphics> graphics;
  try {
    graphics = std::make_unique<Graphics>(options.width, options.height, true, ("Cutaway: " + session.document().title()).c_str());
  } catch (const Error& error) {
    *why = error.message();
    return false;
  }
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
  const std::string ini = layout_file();
  if (!ini.empty()) io.IniFilename = ini.c_str();
  load_fonts();
  use_theme(options.theme == "light" ? ThemeName::Light : ThemeName::Dark, options.scale);
  next_key_callback = glfwSetKeyCallback(graphics->window(), on_key);
  next_button_callback = glfwSetMouseButtonCallback(graphics->window(), on_button);
  next_cursor_callback = glfwSetCursorPosCallback(graphics->window(), on_cursor);
  next_scroll_callback = glfwSetScrollCallback(graphics->window(), on_scroll);
  glfwSetFramebufferSizeCallback(graphics->window(), on_change);
  glfwSetWindowRefreshCallback(graphics->window(), on_refresh);
  App app(session, options);
  if (!ini.empty() && std::filesystem::exists(ini)) app.keep_restored_layout();
  loop(app, *graphics);
  io.IniFilename = nullptr;
  return true;
}

}  // namespace cutaway::inspector
