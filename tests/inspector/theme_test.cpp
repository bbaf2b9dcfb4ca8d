#include "inspector/widgets/theme.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace cutaway::inspector;

TEST_CASE("text and quiet text stand out at least 4.5 to 1 from panel and raised grounds in both themes") {
  for (ThemeName theme : {ThemeName::Dark, ThemeName::Light})
    for (Role text : {Role::Text, Role::Quiet})
      for (Role ground : {Role::Ground, Role::Panel, Role::Raised})
        CHECK(contrast(rgb(theme, text), rgb(theme, ground)) >= 4.5);
}

TEST_CASE("the hues of views stand out from the panel") {
  for (ThemeName theme : {ThemeName::Dark, ThemeName::Light})
    for (int view = 0; view < kViewColors; ++view) CHECK(contrast(view_rgb(theme, view), rgb(theme, Role::Panel)) >= 3);
}
