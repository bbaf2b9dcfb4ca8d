// Frames without a window: the same application code on a software OpenGL context, written as PNG.
//
// Deterministic: a fixed time step, no clock, no caret that blinks, nothing read from the user's config directory; the same
// session gives the same bytes.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inspector/app/options.h"
#include "inspector/app/picture_file.h"
#include "inspector/model/session.h"

namespace cutaway::inspector {

class App;

class Headless {
 public:
  // Throws: Error when no OpenGL context can be made; it says which package brings one.
  explicit Headless(const Options& options);
  ~Headless();

  void write_png(Session& session, const std::string& path);
  Picture picture(Session& session);

  // The application over a session, as tests drive it.
  App& app(Session& session);

  // What a frame cost.
  struct FrameCost {
    int vertices = 0;
    int draw_commands = 0;
    int weight = 0;  // see widgets/budget.h
    double milliseconds = 0;
  };
  // Draws once more, without reading back. For benchmarks. `redraw`: as if something had changed.
  FrameCost draw(Session& session, bool redraw = true);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Prints how pictures are drawn here. Returns: 0, or 2 with the cure when they cannot be.
int tell_doctor();

}  // namespace cutaway::inspector
