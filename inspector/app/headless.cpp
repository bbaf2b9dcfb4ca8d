#include "inspector/app/headless.h"

#include <imgui.h>

#include <chrono>
#include <cstdio>

#include "core/error.h"
#include "inspector/app/app.h"
#include "inspector/app/graphics.h"
#include "inspector/widgets/theme.h"

namespace cutaway::inspector {
namespace {

// Windows size themselves over a few frames; from the fourth on nothing moves.
constexpr int kSettlingFrames = 4;
constexpr float kStep = 1.0f / 60;

ThemeName theme_of(const Options& options) {
  return options.theme == "light" ? ThemeName::Light : ThemeName::Dark;
}

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

  App& app_of(Session& which) {
    if (session != &which || !app) {
      app = std::make_unique<App>(which, options, true);
      session = &which;
    }
    return *app;
  }

  // Windows are laid out before anything is drawn: OpenGL is used for the last frame only.
  void settle(Session& which) {
    for (int i = 0; i < kSettlingFrames; ++i) {
      graphics.begin_frame(kStep);
      app_of(which).draw();
      if (i + 1 < kSettlingFrames) ImGui::Render();
    }
    graphics.forget_frame();
    graphics.end_frame(rgb(theme_name(), Role::Ground));
  }
};

Headless::Headless(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Headless::~Headless() = default;

App& Headless::app(Session& session) { return impl_->app_of(session); }

Picture Headless::picture(Session& session) {
  impl_->settle(session);
  return impl_->graphics.read_pixels();
}

void Headless::write_png(Session& session, const std::string& path) {
  write_png_file(path, picture(session));
}

Headless::FrameCost Headless::draw(Session& session, bool redraw) {
  const auto start = std::chrono::steady_clock::now();
  impl_->graphics.begin_frame(kStep);
  impl_->app_of(session).draw();
  if (redraw) impl_->graphics.forget_frame();
  if (impl_->graphics.end_frame(rgb(theme_name(), Role::Ground))) impl_->graphics.finish();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  const FrameCounts counts = impl_->graphics.counts();
  return {counts.vertices, counts.draw_commands, counts.weight, took.count()};
}

int tell_doctor() {
  try {
    Graphics graphics(320, 240, false, "cutaway");
    load_fonts();
    std::printf("pictures: drawn by %s\nfonts:    Inter, JetBrains Mono, DejaVu found\n",
                graphics.renderer().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::printf("pictures: cannot be drawn: %s\n", error.what());
    return 2;
  }
}

}  // namespace cutaway::inspector
