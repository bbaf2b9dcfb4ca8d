// Every widget as a golden picture: in both themes, and at 300 % as for a projector.

#include <doctest/doctest.h>

#include <new>

#include "gallery.h"
#include "golden.h"
#include "inspector/app/graphics.h"
#include "inspector/widgets/theme.h"

using namespace cutaway::inspector;

namespace {

struct Drawn {
  Picture picture;
  FrameCounts counts;
  bool redrawn = true;  // the last frame, which is the same as the one before
};

Drawn draw(ThemeName theme, float scale, int width, int height) {
  draw_in_software();
  Graphics graphics(width, height, false, "gallery");
  load_fonts();
  use_theme(theme, scale);
  GalleryState state;
  Drawn drawn;
  for (int frame = 0; frame < 6; ++frame) {
    graphics.begin_frame(1.0f / 60);
    draw_gallery(state);
    drawn.redrawn = graphics.end_frame(rgb(theme, Role::Line));
  }
  drawn.counts = graphics.counts();
  graphics.forget_frame();
  graphics.begin_frame(1.0f / 60);
  draw_gallery(state);
  graphics.end_frame(rgb(theme, Role::Line));
  drawn.picture = graphics.read_pixels();
  return drawn;
}

void check_golden(const char* name, const Picture& picture) {
  const GoldenResult result = compare_golden(name, picture);
  CHECK_MESSAGE(result.passed, result.text);
}

}  // namespace

TEST_CASE("golden: every widget, dark") {
  const Drawn drawn = draw(ThemeName::Dark, 1, 1600, 1100);
  check_golden("gallery-dark", drawn.picture);
  // Counts of the same picture, so that it does not grow dear unseen: they have a tenth of room.
  CHECK(drawn.counts.vertices < 17000);
  CHECK(drawn.counts.draw_commands < 26);
  CHECK(drawn.counts.weight < 5000);
}

TEST_CASE("golden: every widget, light") {
  check_golden("gallery-light", draw(ThemeName::Light, 1, 1600, 1100).picture);
}

TEST_CASE("golden: every widget, 300 %") {
  check_golden("gallery-300", draw(ThemeName::Dark, 3, 2400, 1650).picture);
}

TEST_CASE("the same frame again is the same bytes, and is not drawn a second time") {
  const Drawn first = draw(ThemeName::Dark, 1.25f, 1200, 800),
              second = draw(ThemeName::Dark, 1.25f, 1200, 800);
  CHECK(first.picture.rgb == second.picture.rgb);
  CHECK_FALSE(first.redrawn);
}

TEST_CASE("a picture that differs is noticed") {
  Picture a{20, 10, std::vector<uint8_t>(600, 100)}, b = a;
  CHECK(differing_pixels(a, b) == 0);
  b.rgb[31] += 5;
  CHECK(differing_pixels(a, b) == 0);
  b.rgb[31] += 1;
  CHECK(differing_pixels(a, b) == 1);
  b.width = 10;
  CHECK(differing_pixels(a, b) == -1);
}
