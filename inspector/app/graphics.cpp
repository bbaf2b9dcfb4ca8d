#include "inspector/app/graphics.h"

#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "inspector/widgets/budget.h"
#include "inspector/widgets/stamps.h"
#include "inspector/widgets/texture.h"

namespace cutaway::inspector {
namespace {

std::string last_glfw_error;

void remember_error(int, const char* text) { last_glfw_error = text; }

// With X11 only, GLFW is told so: asking for Wayland first makes its library complain to the terminal.
int platform(bool visible) {
  if (!visible) return GLFW_PLATFORM_NULL;
  return std::getenv("WAYLAND_DISPLAY") ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11;
}

GLFWwindow* make_window(int width, int height, bool visible, const char* title) {
  glfwSetErrorCallback(remember_error);
  glfwInitHint(GLFW_PLATFORM, platform(visible));
  CUTAWAY_CHECK(glfwInit(), "GLFW cannot start: ", last_glfw_error);
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  // Nothing here needs them, and a software renderer clears them every frame.
  for (const int bits : {GLFW_DEPTH_BITS, GLFW_STENCIL_BITS}) glfwWindowHint(bits, 0);
  if (!visible) glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "cutaway");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "cutaway");
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "cutaway");
  GLFWwindow* window = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (!window) {
    const std::string why = last_glfw_error;
    glfwTerminate();
    CUTAWAY_CHECK(false, "no OpenGL 3.3 context: ", why,
                  ". Debian's libgl1-mesa-dri and libegl1 draw in software where there is no GPU");
  }
  return window;
}

// Every bit of it matters, and it is read once a frame: eight bytes at a time.
uint64_t hash(uint64_t seed, const void* data, size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  uint64_t value = seed ^ (bytes * 0x9E3779B97F4A7C15ull);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    value = (value ^ word) * 0xff51afd7ed558ccdull;
    value ^= value >> 32;
  }
  for (; bytes > 0; --bytes, ++at) value = (value ^ *at) * 0x100000001b3ull;
  return value;
}

uint64_t hash_of(const ImDrawData& data, uint32_t background) {
  uint64_t value = hash(background, &data.DisplaySize, sizeof(data.DisplaySize));
  for (const ImDrawList* list : data.CmdLists) {
    value = hash(value, list->VtxBuffer.Data, static_cast<size_t>(list->VtxBuffer.size_in_bytes()));
    value = hash(value, list->IdxBuffer.Data, static_cast<size_t>(list->IdxBuffer.size_in_bytes()));
    for (const ImDrawCmd& command : list->CmdBuffer) {
      value = hash(value, &command.ClipRect, sizeof(command.ClipRect));
      const uint64_t rest[] = {command.ElemCount, command.GetTexID()};
      value = hash(value, rest, sizeof(rest));
    }
  }
  return value ? value : 1;
}

bool textures_are_pending(const ImDrawData& data) {
  if (!data.Textures) return false;
  return std::any_of(data.Textures->begin(), data.Textures->end(),
                     [](const ImTextureData* texture) { return texture->Status != ImTextureStatus_OK; });
}

}  // namespace

Graphics::Graphics(int width, int height, bool visible, const char* title)
    : window_(make_window(width, height, visible, title)) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(visible ? 1 : 0);
  renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  ImGui_ImplOpenGL3_Init("#version 330");
}

Graphics::~Graphics() {
  clear_textures();
  forget_stamps();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

float Graphics::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  int width = 0, height = 0, pixels = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels, &height);
  // Where the window system scales by itself, a window's unit already has several pixels.
  return width > 0 && pixels > 0 ? std::max(x * static_cast<float>(width) / static_cast<float>(pixels), 1.0f)
                                 : 1.0f;
}

void Graphics::begin_frame(float seconds) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (seconds > 0) ImGui::GetIO().DeltaTime = seconds;
  budget().weight = 0;
  ImGui::NewFrame();
}

bool Graphics::end_frame(uint32_t background) {
  ImGui::Render();
  ImDrawData& data = *ImGui::GetDrawData();
  const uint64_t now = hash_of(data, background);
  if (now == drawn_ && !textures_are_pending(data)) return false;
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  const auto part = [background](int shift) { return static_cast<float>(background >> shift & 255) / 255; };
  glClearColor(part(16), part(8), part(0), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  // Textures got their names only now.
  drawn_ = hash_of(data, background);
  return true;
}

void Graphics::present() { glfwSwapBuffers(window_); }

void Graphics::finish() { glFinish(); }

FrameCounts Graphics::counts() const {
  const ImDrawData* data = ImGui::GetDrawData();
  FrameCounts counts{data->TotalVtxCount, 0, budget().weight};
  for (const ImDrawList* list : data->CmdLists) counts.draw_commands += list->CmdBuffer.Size;
  return counts;
}

Picture Graphics::read_pixels() const {
  Picture picture;
  glfwGetFramebufferSize(window_, &picture.width, &picture.height);
  const auto width = static_cast<size_t>(picture.width), height = static_cast<size_t>(picture.height),
             stride = width * 3;
  picture.rgb.resize(stride * height);
  std::vector<uint8_t> bottom_up(picture.rgb.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, picture.width, picture.height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up.data());
  for (size_t y = 0; y < height; ++y)
    std::memcpy(picture.rgb.data() + stride * y, bottom_up.data() + stride * (height - 1 - y), stride);
  return picture;
}

}  // namespace cutaway::inspector
