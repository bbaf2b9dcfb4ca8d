// Keys, typed signs and the mouse, in the order in which they happened.
//
// GLFW's callbacks only put them into a queue. Once a frame they are handed out: a chord that runs a command runs it there
// and then, so that twenty fast presses are twenty commands however few frames are drawn; everything else goes on to Dear
// ImGui. After something that moves the focus (a click, an overlay) the rest waits until the focus is where it belongs, so
// that letters typed at once after "/" land in the field. See Note [Why keys wait].
// Thread safety: the main thread only; one queue at a time.
//
// PyTorch: none
#pragma once

#include <deque>
#include <string>
#include <vector>

struct GLFWwindow;

namespace cutaway::inspector {

class App;

class InputQueue {
 public:
  // Takes over the window's callbacks.
  explicit InputQueue(GLFWwindow* window);
  ~InputQueue();
  InputQueue(const InputQueue&) = delete;
  InputQueue& operator=(const InputQueue&) = delete;

  // Whether anything happened since the last call.
  bool take_happened();
  bool empty() const { return events_.empty(); }
  // Hands out what is due.
  void hand_out(App& app);

 private:
  struct Event {
    enum class Kind { Key, Sign, Button, Cursor, Scroll, Focus, Enter } kind;
    int a = 0, b = 0, c = 0, d = 0;
    double x = 0, y = 0;
  };
  struct Callbacks;
  void push(const Event& event);
  bool must_wait(const App& app, const Event& event) const;
  bool hand_out_key(App& app, const Event& event);
  void forward(const Event& event);

  GLFWwindow* window_;
  std::deque<Event> events_;
  std::vector<std::string> dropped_;  // files
  bool happened_ = true;
  bool swallow_sign_ = false;  // the press just before ran a command: its sign belongs to it
};

}  // namespace cutaway::inspector
