// Golden pictures: what a test drew, against what it should look like.
//
// Equal is equal in every byte; else at most 50 picture elements may differ by more than 2 %, which is what another version
// of Mesa or FreeType does. A failure writes NAME.actual.png, NAME.expected.png and NAME.diff.png into the build folder's
// golden-failures/. With CUTAWAY_UPDATE_GOLDEN set, the picture becomes the golden one.
//
// PyTorch: none
#pragma once

#include <string>

#include "inspector/app/picture_file.h"

namespace cutaway::inspector {

struct GoldenResult {
  bool passed = false;
  int differing = 0;  // picture elements beyond 2 %
  std::string text;   // what a failing test says
};
GoldenResult compare_golden(const std::string& name, const Picture& actual);

// The comparison alone. Returns: picture elements beyond 2 %; -1 when the sizes differ.
int differing_pixels(const Picture& actual, const Picture& expected);

// Software rendering wherever the tests run, so that pictures are the same. Call before any OpenGL context is made.
void draw_in_software();

}  // namespace cutaway::inspector
