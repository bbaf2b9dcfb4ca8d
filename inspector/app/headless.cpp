#include "inspector/app/headless.h"

#include <imgui.h>

#include <chrono>
#include <cstdio>

#include "core/error.h"
#include "inspector/app/app.h"
#include "inspector/app/graphics.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

// Windows size themselves over a few frames; from the fourth on nothing moves.
constexpr int kSettlingFrames = 4;

ThemeName theme_of(const Options& options) { return options.theme == "light" ? ThemeName::Light : ThemeName::Dark; }

}  // namespace

struct Headless::Impl {
  Options options;
  Graphics graphics;
  std::unique_ptr<App> app;
  Session* session = nullptr;

  explicit Impl(const Options& o) : options(o), graphics(o.width, o.height, false, "cutaway") {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
    io.ConfigInputTextCursorBlink = false;
    load_fonts();
    use_theme(theme_of(options), options.scale);
  }

  void frame(Session& which) {
    if (session != &which || !app) {
      app = std::make_unique<App>(which, options);
      session = &which;
    }
    graphics.begin_frame();
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    app->draw();
    graphics.end_frame(rgb(theme_name(), Role::Ground));
  }
};

Headless::Headless(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Headless::~Headless() = default;

void Headless::write_png(Session& session, const std::string& path) {
  for (int i = 0; i < kSettlingFrames; ++i) impl_->frame(session);
  int width = 0, height = 0;
  const std::vector<uint8_t> pixels = impl_->graphics.read_pixels(&width, &height);
  impl_->graphics.present();
  write_png_file(path, pixels, width, height);
}

Headless::FrameCost Headless::draw(Session& session) {
  const auto start = std::chrono::steady_clock::now();
  impl_->frame(session);
  impl_->graphics.present();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  const ImDrawData* data = ImGui::GetDrawData();
  FrameCost cost;
  cost.vertices = data->TotalVtxCount;
  for (const ImDrawList* list : data->CmdLists) cost.draw_commands += list->CmdBuffer.Size;
  cost.milliseconds = took.count();
  return cost;
}

int tell_doctor() {
  try {
    Graphics graphics(320, 240, false, "cutaway");
    load_fonts();
    std::printf("pictures: drawn by %s\nfonts:    Inter, JetBrains Mono, DejaVu found\n", graphics.renderer().c_str());
    return 0;
  } catch (const Error& error) {
    std::printf("pictures: cannot be drawn: %s\n", error.what());
    return 2;
  }
}

}  // namespace cutaway::inspector
