#include "golden.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace cutaway::inspector {
namespace {

namespace fs = std::filesystem;
constexpr int kMostDiffering = 50, kTolerance = 5;  // of 255: 2 %

int difference(const Picture& a, const Picture& b, size_t pixel) {
  int most = 0;
  for (size_t channel = 0; channel < 3; ++channel)
    most = std::max(most, std::abs(a.rgb[pixel * 3 + channel] - b.rgb[pixel * 3 + channel]));
  return most;
}

// The expected picture, darkened, with what differs in red.
Picture diff_picture(const Picture& actual, const Picture& expected) {
  Picture diff{expected.width, expected.height, std::vector<uint8_t>(expected.rgb.size())};
  for (size_t pixel = 0; pixel < expected.rgb.size() / 3; ++pixel) {
    const bool same = difference(actual, expected, pixel) == 0;
    for (size_t channel = 0; channel < 3; ++channel)
      diff.rgb[pixel * 3 + channel] = same ? expected.rgb[pixel * 3 + channel] / 4 : channel == 0 ? 255 : 40;
  }
  return diff;
}

}  // namespace

int differing_pixels(const Picture& actual, const Picture& expected) {
  if (actual.width != expected.width || actual.height != expected.height) return -1;
  int count = 0;
  for (size_t pixel = 0; pixel < expected.rgb.size() / 3; ++pixel)
    count += difference(actual, expected, pixel) > kTolerance;
  return count;
}

GoldenResult compare_golden(const std::string& name, const Picture& actual) {
  const fs::path golden = fs::path(CUTAWAY_GOLDEN_DIR) / (name + ".png");
  if (std::getenv("CUTAWAY_UPDATE_GOLDEN")) {
    fs::create_directories(golden.parent_path());
    write_png_file(golden.string(), actual);
    return {true, 0, ""};
  }
  const fs::path failures = CUTAWAY_GOLDEN_FAILURES;
  const auto failed = failures / (name + ".actual.png");
  if (!fs::exists(golden)) {
    fs::create_directories(failures);
    write_png_file(failed.string(), actual);
    return {false, 0,
            golden.string() + " is missing; look at " + failed.string() +
                " and run the test with CUTAWAY_UPDATE_GOLDEN=1"};
  }
  const Picture expected = read_png_file(golden.string());
  const int differing = differing_pixels(actual, expected);
  if (differing >= 0 && differing <= kMostDiffering) return {true, differing, ""};
  fs::create_directories(failures);
  write_png_file(failed.string(), actual);
  write_png_file((failures / (name + ".expected.png")).string(), expected);
  if (differing >= 0)
    write_png_file((failures / (name + ".diff.png")).string(), diff_picture(actual, expected));
  const std::string what =
      differing < 0 ? "another size" : std::to_string(differing) + " picture elements differ";
  return {false, differing, name + ": " + what + "; look at " + failures.string() + "/" + name + ".*.png"};
}

void draw_in_software() { setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); }

}  // namespace cutaway::inspector
