// widget_gallery OUT.png [dark|light] [SCALE] [WxH]: a picture of every widget, to look at.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "gallery.h"
#include "inspector/app/graphics.h"
#include "inspector/widgets/theme.h"

int main(int argc, char** argv) {
  using namespace cutaway::inspector;
  if (argc < 2) {
    std::fprintf(stderr, "widget_gallery OUT.png [dark|light] [SCALE] [WxH]\n");
    return 2;
  }
  const ThemeName theme = argc > 2 && std::string(argv[2]) == "light" ? ThemeName::Light : ThemeName::Dark;
  const float scale = argc > 3 ? std::strtof(argv[3], nullptr) : 1;
  int width = 1600, height = 1100;
  if (argc > 4) std::sscanf(argv[4], "%dx%d", &width, &height);
  try {
    Graphics graphics(width, height, false, "gallery");
    load_fonts();
    use_theme(theme, scale);
    GalleryState state;
    for (int frame = 0; frame < 4; ++frame) {
      graphics.begin_frame(1.0f / 60);
      draw_gallery(state);
      graphics.end_frame(rgb(theme, Role::Line));
    }
    write_png_file(argv[1], graphics.read_pixels());
    const FrameCounts counts = graphics.counts();
    std::printf("%s: %d vertices, %d draw commands, weight %d\n", argv[1], counts.vertices,
                counts.draw_commands, counts.weight);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "widget_gallery: %s\n", error.what());
    return 1;
  }
  return 0;
}
