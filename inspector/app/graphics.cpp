#include "inspector/app/graphics.h"

#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"

namespace cutaway::inspector {
namespace {

std::string last_glfw_error;

void remember_error(int, const char* text) { last_glfw_error = text; }

GLFWwindow* make_window(int width, int height, bool visible, const char* title) {
  glfwSetErrorCallback(remember_error);
  if (!visible) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_NULL);
  CUTAWAY_CHECK(glfwInit(), "GLFW cannot start: ", last_glfw_error);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  if (!visible) glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "cutaway");
  GLFWwindow* window = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (!window) {
    const std::string why = last_glfw_error;
    glfwTerminate();
    CUTAWAY_CHECK(false, "no OpenGL 3.3 context: ", why,
                  ". Debian's libgl1-mesa-dri and libegl1 draw in software where there is no GPU");
  }
  return window;
}

}  // namespace

Graphics::Graphics(int width, int height, bool visible, const char* title)
    : window_(make_window(width, height, visible, title)) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(visible ? 1 : 0);
  renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, visible);
  ImGui_ImplOpenGL3_Init("#version 330");
}

Graphics::~Graphics() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Graphics::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
}

void Graphics::end_frame(uint32_t background) {
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  glClearColor((background >> 16 & 255) / 255.0f, (background >> 8 & 255) / 255.0f, (background & 255) / 255.0f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Graphics::present() { glfwSwapBuffers(window_); }

std::vector<uint8_t> Graphics::read_pixels(int* width, int* height) const {
  glfwGetFramebufferSize(window_, width, height);
  const size_t stride = static_cast<size_t>(*width) * 3;
  std::vector<uint8_t> bottom_up(stride * *height), rgb(bottom_up.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, *width, *height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up.data());
  for (int y = 0; y < *height; ++y)
    std::memcpy(rgb.data() + stride * y, bottom_up.data() + stride * (*height - 1 - y), stride);
  return rgb;
}

void write_png_file(const std::string& path, const std::vector<uint8_t>& rgb, int width, int height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  errno = 0;
  const int written = png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr);
  CUTAWAY_CHECK(written, path, ": cannot be written: ", errno ? std::strerror(errno) : image.message);
}

}  // namespace cutaway::inspector
