// Where cells of a grid lie: every row fits, every cell can be found again by its place.

#include "inspector/widgets/grid_layout.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include "inspector/widgets/theme.h"

using namespace cutaway::inspector;

namespace {

// The arithmetic needs a scale, which comes with a theme, which needs a context.
struct Context {
  Context() {
    ImGui::CreateContext();
    use_theme(ThemeName::Dark, 1);
  }
  ~Context() { ImGui::DestroyContext(); }
};

GridInput input_of(int64_t cells, int64_t columns, int64_t run, int64_t span = 1) {
  GridInput input;
  input.cells = cells;
  input.columns = columns;
  input.run = run;
  input.span = span;
  return input;
}

}  // namespace

TEST_CASE("no row is wider than the grid, at any zoom and width") {
  const Context context;
  for (const int64_t columns : {1, 7, 10, 16, 32, 33})
    for (const int64_t span : {1, 4})
      for (const float width : {90.0f, 333.0f, 900.0f, 2400.0f})
        for (float zoom = 6; zoom > 0.0005f; zoom *= 0.7f) {
          CAPTURE(columns);
          CAPTURE(width);
          CAPTURE(zoom);
          const GridLayout layout =
              lay_out_grid(input_of(10'000, columns, columns * span, span), zoom, width, 500);
          CHECK(layout.columns >= 1);
          if (layout.columns > 1) CHECK(layout.width() <= width + 1);
          CHECK(layout.rows >= 1);
          CHECK(layout.total_rows * layout.columns >= 10'000);
          CHECK((layout.total_rows - 1) * layout.columns < 10'000);
        }
}

TEST_CASE("values need 44 points a cell, patches 6") {
  const Context context;
  const GridInput input = input_of(100'000, 16, 16);
  CHECK(lay_out_grid(input, 1, 900, 500).detail == GridDetail::Values);
  CHECK(lay_out_grid(input, 1, 400, 500).detail == GridDetail::Values);
  CHECK(lay_out_grid(input, 1, 400, 500).columns == 8);
  CHECK(lay_out_grid(input, 0.4f, 900, 500).detail == GridDetail::Runs);
  CHECK(lay_out_grid(input, 0.05f, 900, 500).detail == GridDetail::Texture);
}

TEST_CASE("rows of small cells hold whole runs") {
  const Context context;
  const GridLayout layout = lay_out_grid(input_of(100'000, 16, 28), 0.3f, 900, 500);
  CHECK(layout.columns % 28 == 0);
  CHECK(layout.columns > 28);
}

TEST_CASE("a place on the screen leads back to its cell") {
  const Context context;
  for (const int64_t span : {1, 4})
    for (const float zoom : {1.0f, 0.4f, 0.1f}) {
      GridLayout layout = lay_out_grid(input_of(4096, 16, 16, span), zoom, 1000, 600);
      layout.origin = {62, 22};
      for (int64_t row = 0; row < std::min<int64_t>(layout.rows, layout.total_rows); row += 3)
        for (int64_t column = 0; column < layout.columns; column += 5) {
          const ImVec2 min = layout.min_of(row, column);
          const auto found = layout.cell_at({min.x + layout.cell_w * 0.4f, min.y + layout.cell_h * 0.4f});
          REQUIRE(found.has_value());
          CHECK(found->first == row);
          CHECK(found->second == column);
        }
      CHECK_FALSE(layout.cell_at({10, 10}).has_value());
      CHECK_FALSE(layout.cell_at({layout.origin.x + layout.width() + layout.cell_w, 30}).has_value());
    }
}
