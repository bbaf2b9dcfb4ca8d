// GLFW, an OpenGL 3.3 context and Dear ImGui's back ends, with or without a screen: one path for both.
//
// Without a screen GLFW's null platform is used with EGL, and Mesa draws in software. The pixels are read from the back
// buffer before it is shown.
// Thread safety: the main thread only.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct GLFWwindow;

namespace cutaway::inspector {

class Graphics {
 public:
  // Throws: Error that names what is missing.
  Graphics(int width, int height, bool visible, const char* title);
  ~Graphics();
  Graphics(const Graphics&) = delete;
  Graphics& operator=(const Graphics&) = delete;

  GLFWwindow* window() const { return window_; }
  const std::string& renderer() const { return renderer_; }

  void begin_frame();
  // Draws what Dear ImGui has gathered onto `background` (RGB).
  void end_frame(uint32_t background);
  void present();

  // Pixels of the back buffer, RGB, top row first. Call between end_frame and present.
  std::vector<uint8_t> read_pixels(int* width, int* height) const;

 private:
  GLFWwindow* window_ = nullptr;
  std::string renderer_;
};

// Throws: Error when the file cannot be written.
void write_png_file(const std::string& path, const std::vector<uint8_t>& rgb, int width, int height);

}  // namespace cutaway::inspector
