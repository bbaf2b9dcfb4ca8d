#include "inspector/app/picture_file.h"

#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.h"

namespace cutaway::inspector {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Screens are flat areas and text: filtering against the row above and little effort already make them small, in a fifth
// of the time that libpng's simple interface takes.
bool encode(std::FILE* file, const Picture& picture) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_init_io(png, file);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height),
               8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_set_compression_level(png, 3);
  png_write_info(png, info);
  const size_t stride = static_cast<size_t>(picture.width) * 3;
  for (int y = 0; y < picture.height; ++y)
    png_write_row(png, picture.rgb.data() + stride * static_cast<size_t>(y));
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

void write_png_file(const std::string& path, const Picture& picture) {
  errno = 0;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  CUTAWAY_CHECK(file != nullptr, path, ": cannot be written: ", std::strerror(errno));
  const bool written = encode(file.get(), picture) && std::fflush(file.get()) == 0;
  CUTAWAY_CHECK(written, path, ": cannot be written: ", errno ? std::strerror(errno) : "libpng gave up");
}

Picture read_png_file(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  errno = 0;
  CUTAWAY_CHECK(png_image_begin_read_from_file(&image, path.c_str()), path,
                ": cannot be read: ", image.message);
  image.format = PNG_FORMAT_RGB;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  const int read = png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr);
  CUTAWAY_CHECK(read, path, ": cannot be read: ", image.message);
  return picture;
}

}  // namespace cutaway::inspector
