// GLFW, an OpenGL 3.3 context and Dear ImGui's back ends, with or without a screen: one path for both.
//
// Without a screen GLFW's null platform is used with EGL, and Mesa draws in software. Pixels are read from the back buffer
// before it is shown. What is drawn is compared with the frame before: when both are the same, OpenGL is left alone.
// Dear ImGui's context belongs to this object: one of it at a time.
// Thread safety: the main thread only.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>

#include "inspector/app/picture_file.h"

struct GLFWwindow;

namespace cutaway::inspector {

// What a frame has cost, in counts that are the same on every machine.
struct FrameCounts {
  int vertices = 0;
  int draw_commands = 0;
  int weight = 0;  // see widgets/budget.h
};

class Graphics {
 public:
  // Throws: Error that names what is missing.
  Graphics(int width, int height, bool visible, const char* title);
  ~Graphics();
  Graphics(const Graphics&) = delete;
  Graphics& operator=(const Graphics&) = delete;

  GLFWwindow* window() const { return window_; }
  const std::string& renderer() const { return renderer_; }
  // Pixels of the screen for a point of the window's own unit: 1, or more on dense screens. 1 without a screen.
  float content_scale() const;

  // `seconds`: since the last frame; 0: as the clock says.
  void begin_frame(float seconds = 0);
  // Draws what Dear ImGui has gathered onto `background` (RGB).
  // Returns: false when it is what was drawn before, and nothing was done.
  bool end_frame(uint32_t background);
  void present();
  // Waits until everything is drawn.
  void finish();
  // The next end_frame draws in any case: the window system lost what was there.
  void forget_frame() { drawn_ = 0; }

  FrameCounts counts() const;
  // Of the back buffer. Call between end_frame and present.
  Picture read_pixels() const;

 private:
  GLFWwindow* window_ = nullptr;
  std::string renderer_;
  uint64_t drawn_ = 0;  // hash of the frame in the buffer
};

}  // namespace cutaway::inspector
