#include "inspector/app/input_queue.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <utility>

#include "inspector/app/app.h"

// Of Dear ImGui's GLFW back end, which defines it for such use without declaring it.
ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);

// Note [Why keys wait]
// Dear ImGui moves the focus while it draws: a field that was asked to take it has it one or two frames later. Keys that
// arrive in between would still find no field and run as shortcuts: "/" and at once "c" would compare instead of typing a
// "c". So App::settle() counts a few frames in which nothing is handed out. At 60 frames a second nobody notices.
// Likewise Dear ImGui takes typed letters over several frames. Enter runs a command of ours, which reads the field: it waits
// until Dear ImGui's own queue is empty.

namespace cutaway::inspector {
namespace {

InputQueue* the_queue = nullptr;

// Shift may be left out of a chord's text but never of the chord: 'Shift+F10' is another one than 'F10'.
Chord chord_of(int key, int scancode, int mods) {
  const ImGuiKey named = ImGui_ImplGlfw_KeyToImGuiKey(key, scancode);
  if (named == ImGuiKey_None) return {};
  ImGuiKeyChord chord = named;
  if (mods & GLFW_MOD_CONTROL) chord |= ImGuiMod_Ctrl;
  if (mods & GLFW_MOD_SHIFT) chord |= ImGuiMod_Shift;
  if (mods & GLFW_MOD_ALT) chord |= ImGuiMod_Alt;
  return chord;
}

}  // namespace

struct InputQueue::Callbacks {
  using Kind = Event::Kind;
  static void key(GLFWwindow*, int key, int scancode, int action, int mods) {
    the_queue->push({Kind::Key, key, scancode, action, mods, 0, 0});
  }
  static void sign(GLFWwindow*, unsigned character) {
    the_queue->push({Kind::Sign, static_cast<int>(character), 0, 0, 0, 0, 0});
  }
  static void button(GLFWwindow*, int button, int action, int mods) {
    the_queue->push({Kind::Button, button, action, mods, 0, 0, 0});
  }
  static void cursor(GLFWwindow*, double x, double y) { the_queue->push({Kind::Cursor, 0, 0, 0, 0, x, y}); }
  static void scroll(GLFWwindow*, double x, double y) { the_queue->push({Kind::Scroll, 0, 0, 0, 0, x, y}); }
  static void focus(GLFWwindow*, int has) { the_queue->push({Kind::Focus, has, 0, 0, 0, 0, 0}); }
  static void enter(GLFWwindow*, int inside) { the_queue->push({Kind::Enter, inside, 0, 0, 0, 0, 0}); }
  static void change(GLFWwindow*, int, int) { the_queue->happened_ = true; }
  static void refresh(GLFWwindow*) { the_queue->happened_ = true; }
  static void scale(GLFWwindow*, float, float) { the_queue->happened_ = true; }
  static void drop(GLFWwindow*, int count, const char** paths) {
    the_queue->dropped_.assign(paths, paths + count);
    the_queue->happened_ = true;
  }
};

InputQueue::InputQueue(GLFWwindow* window) : window_(window) {
  the_queue = this;
  glfwSetKeyCallback(window, Callbacks::key);
  glfwSetCharCallback(window, Callbacks::sign);
  glfwSetMouseButtonCallback(window, Callbacks::button);
  glfwSetCursorPosCallback(window, Callbacks::cursor);
  glfwSetScrollCallback(window, Callbacks::scroll);
  glfwSetWindowFocusCallback(window, Callbacks::focus);
  glfwSetCursorEnterCallback(window, Callbacks::enter);
  glfwSetFramebufferSizeCallback(window, Callbacks::change);
  glfwSetWindowRefreshCallback(window, Callbacks::refresh);
  glfwSetWindowContentScaleCallback(window, Callbacks::scale);
  glfwSetDropCallback(window, Callbacks::drop);
}

InputQueue::~InputQueue() {
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
  glfwSetCursorPosCallback(window_, nullptr);
  glfwSetScrollCallback(window_, nullptr);
  glfwSetWindowFocusCallback(window_, nullptr);
  glfwSetCursorEnterCallback(window_, nullptr);
  glfwSetFramebufferSizeCallback(window_, nullptr);
  glfwSetWindowRefreshCallback(window_, nullptr);
  glfwSetWindowContentScaleCallback(window_, nullptr);
  glfwSetDropCallback(window_, nullptr);
  the_queue = nullptr;
}

void InputQueue::push(const Event& event) {
  happened_ = true;
  events_.push_back(event);
}

bool InputQueue::take_happened() { return std::exchange(happened_, false); }

// Returns: whether the key ran a command, so that Dear ImGui need not hear of it.
bool InputQueue::hand_out_key(App& app, const Event& event) {
  swallow_sign_ = false;
  if (event.c == GLFW_RELEASE) return false;
  const bool ran = app.press(chord_of(event.a, event.b, event.d));
  swallow_sign_ = ran;
  return ran;
}

void InputQueue::forward(const Event& event) {
  switch (event.kind) {
    case Event::Kind::Key: return ImGui_ImplGlfw_KeyCallback(window_, event.a, event.b, event.c, event.d);
    case Event::Kind::Sign: return ImGui_ImplGlfw_CharCallback(window_, static_cast<unsigned>(event.a));
    case Event::Kind::Button: return ImGui_ImplGlfw_MouseButtonCallback(window_, event.a, event.b, event.c);
    case Event::Kind::Cursor: return ImGui_ImplGlfw_CursorPosCallback(window_, event.x, event.y);
    case Event::Kind::Scroll: return ImGui_ImplGlfw_ScrollCallback(window_, event.x, event.y);
    case Event::Kind::Focus: return ImGui_ImplGlfw_WindowFocusCallback(window_, event.a);
    case Event::Kind::Enter: return ImGui_ImplGlfw_CursorEnterCallback(window_, event.a);
  }
}

// Whether letters are on their way into a field: a command that uses what is typed must not overtake them.
bool InputQueue::must_wait(const App& app, const Event& event) const {
  if (event.kind != Event::Kind::Key || event.c == GLFW_RELEASE) return false;
  const KeyFocus focus = app.key_focus();
  return (focus.text_field || focus.overlay) && !ImGui::GetCurrentContext()->InputEventsQueue.empty();
}

void InputQueue::hand_out(App& app) {
  if (!dropped_.empty()) app.open_files(std::exchange(dropped_, {}));
  while (!events_.empty() && !app.settling()) {
    const Event event = events_.front();
    if (must_wait(app, event)) break;
    events_.pop_front();
    bool taken = false;
    if (event.kind == Event::Kind::Key) taken = hand_out_key(app, event);
    if (event.kind == Event::Kind::Sign) {
      taken = std::exchange(swallow_sign_, false) || app.press(Chord::typed(static_cast<unsigned>(event.a)));
    }
    if (!taken) forward(event);
    if (event.kind == Event::Kind::Button && event.b == GLFW_PRESS) app.settle();
  }
}

}  // namespace cutaway::inspector
