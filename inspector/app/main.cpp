// cutaway-inspector: opens what the command line names and shows it in a window, as a picture, as text or as JSON.
//
// Text and JSON never touch fonts or OpenGL, so they answer in milliseconds. Without a display and without a wish for one
// of the others, it prints the text, writes the pictures and names them.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "inspector/app/headless.h"
#include "inspector/app/opening.h"
#include "inspector/app/options.h"
#include "inspector/app/window.h"
#include "inspector/model/text.h"

namespace {

using namespace cutaway;
using namespace cutaway::inspector;
namespace fs = std::filesystem;

// The tour lies beside the build that made it: <build>/tour.trace, this program at <build>/inspector/app/.
std::string tour_path(const char* program) {
  std::error_code failed;
  fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) self = fs::absolute(program);
  return (self.parent_path().parent_path().parent_path() / "tour.trace").string();
}

bool has_display() {
  const char* x11 = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  return (x11 && *x11) || (wayland && *wayland);
}

// No display: the text of the frame, its picture in a folder, and for the tour a picture of each step.
void tell_without_display(Session& session, Options options) {
  std::printf(
      "No display here, so this is the text, and pictures are in %s/ (--png OUT and --text choose one of them).\n\n",
      options.out_dir.c_str());
  fs::create_directories(options.out_dir);
  Headless headless(options);
  const bool tour = options.command == Options::Command::Tour && !options.at;
  const size_t steps = tour ? session.trace().marks().size() : 1;
  for (size_t step = 0; step < steps; ++step) {
    char file[64] = "frame.png";
    if (tour) {
      session.seek(session.trace().marks()[step]);
      std::snprintf(file, sizeof(file), "tour-%02zu.png", step + 1);
    }
    const std::string path = (fs::path(options.out_dir) / file).string();
    headless.write_png(session, path);
    if (tour)
      std::fputs(panel_text(session, "details").c_str(), stdout);
    else
      std::fputs(asked_text(session, options).c_str(), stdout);
    std::printf("\npicture: %s\n%s", path.c_str(), step + 1 < steps ? "\n" : "");
  }
}

int run(const Options& options, const char* program) {
  if (options.command == Options::Command::Doctor) return tell_doctor();
  Session session = open_asked(options, tour_path(program));
  if (options.json || options.text) std::fputs(asked_text(session, options).c_str(), stdout);
  if (!options.png.empty()) {
    Headless(options).write_png(session, options.png);
    if (!options.json && !options.text)
      std::printf("%s: %d x %d\n", options.png.c_str(), options.width, options.height);
  }
  if (options.explicit_output()) return 0;
  if (has_display()) {
    std::string why;
    if (run_window(session, options, &why)) return 0;
    std::printf("The display cannot be used: %s.\n", why.c_str());
  }
  tell_without_display(session, options);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = cutaway::inspector::parse_options(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  try {
    return run(*parsed.options, argv[0]);
  } catch (const cutaway::inspector::BadArgument& error) {
    std::fprintf(stderr, "cutaway: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cutaway: %s\n", error.what());
    return 1;
  }
}
