#include "gallery.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "inspector/widgets/bits.h"
#include "inspector/widgets/dims.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/field.h"
#include "inspector/widgets/icons.h"
#include "inspector/widgets/knob.h"
#include "inspector/widgets/struct_map.h"

namespace cutaway::inspector {
namespace {

constexpr int64_t kCells = 12 * 16;

float value_at(int64_t cell) {
  if (cell == 70) return std::numeric_limits<float>::quiet_NaN();
  return 3 * std::sin(static_cast<float>(cell) * 0.37f) * std::cos(static_cast<float>(cell) * 0.05f);
}

// y = x[1:9:2, 3:13], z = x[3:7:2, 3:13], w = x[6:9, 8:12], over x of 12 rows and 16 columns.
uint32_t views_at(int64_t cell) {
  const int64_t row = cell / 16, column = cell % 16;
  uint32_t views = 1;
  if (row >= 1 && row < 9 && row % 2 == 1 && column >= 3 && column < 13) views |= 2;
  if ((row == 3 || row == 5) && column >= 3 && column < 13) views |= 4;
  if (row >= 6 && row < 9 && column >= 8 && column < 12) views |= 8;
  if (row == 9 && column < 7) views |= 16;
  if (row == 10 && column >= 3) views |= 32;
  return views;
}

std::vector<GridView> grid_views() {
  std::vector<GridView> views(6);
  for (int i = 0; i < 6; ++i) views[static_cast<size_t>(i)] = {i, i == 2, i == 0};
  return views;
}

std::vector<GridCell> some_cells(int64_t first, int64_t count) {
  std::vector<GridCell> cells;
  for (int64_t i = first; i < std::min(first + count, kCells); ++i) {
    GridCell cell;
    char text[16];
    std::snprintf(text, sizeof(text), "%.2f", static_cast<double>(value_at(i)));
    cell.special = !std::isfinite(value_at(i));
    cell.text = cell.special ? "nan" : text;
    cell.views = views_at(i);
    cell.changed = i >= 180 && i < 184;
    if (cell.changed) cell.old_text = "-9.99";
    cell.overlap = i >= 168 && i < 171;
    cell.known = i < 188;
    cell.initialised = i < 190;
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::shared_ptr<const GridPicture> some_picture(int64_t columns, int64_t first_row, int64_t rows, int width,
                                                int height) {
  auto picture = std::make_shared<GridPicture>();
  picture->columns = columns;
  picture->first_row = first_row;
  picture->rows = rows;
  picture->width = width;
  picture->height = height;
  picture->low = -3;
  picture->high = 3;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int64_t cell = (first_row + y * rows / height) * columns + x * columns / width, row = cell / 64,
                    column = cell % 64;
      picture->values.push_back(2.2f * std::sin(static_cast<float>(column) * 0.2f) +
                                std::cos(static_cast<float>(row) * 0.3f));
      picture->marks.push_back(cell == 700                 ? GridPicture::kSpecial
                               : (row > 40 && column > 50) ? GridPicture::kUnknown
                               : row == 3                  ? GridPicture::kChanged
                                                           : 0);
      uint32_t views = 1;
      if (row % 2 == 0 && row > 5 && row < 20 && column > 8 && column < 30) views |= 2;
      if (row > 22 && row < 40 && column > 4 && column < 44) views |= 4;
      if (row > 30 && row < 44 && column > 36 && column < 58) views |= 8;
      picture->views.push_back(views);
    }
  return picture;
}

GridInput grid_input(const char* id, int64_t cells, int64_t columns, float height) {
  GridInput input;
  input.id = id;
  input.cells = cells;
  input.columns = columns;
  input.run = columns;
  input.views = grid_views();
  input.revision = 1;
  input.values = some_cells;
  input.picture = some_picture;
  input.height = height;
  return input;
}

void lists() {
  heading("STORAGES");
  list_row({"a", "#1   768 B   float32", "", "cpu", -1, true});
  list_row({"b", "#2   160 B   float32", "", "cpu"});
  heading("TENSORS ON #1");
  const char* names[] = {"x",
                         "y = x[1:9:2, 3:13]",
                         "z = y[1:3].t()",
                         "w = x[6:9, 8:12]",
                         "a name that is far too long for the room there is",
                         "hidden"};
  for (int i = 0; i < 6; ++i) {
    char id[8];
    std::snprintf(id, sizeof(id), "t%d", i);
    ListRow row;
    row.id = id;
    row.title = names[i];
    row.second = "10 × 2   strides 1, 32   offset 51";
    row.tag = i == 1 ? "changed" : "";
    row.view = i;
    row.selected = i == 2;
    row.framed = i == 3;
    row.dim = i == 5;
    list_row(row);
  }
  heading("HELD BY");
  put_text("4 tensors, 1 saved by MulBackward0", words(kSmall));
  put_text("freed when all five are gone", words(kRuler, Role::Quiet));
}

void canvas(GalleryState& state) {
  put_text("Storage #1", strong(kTitle));
  ImGui::SameLine(0, px(24));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(3));
  put_text("192 elements, 768 bytes, read as float32, 16 a row", words(kSmall, Role::Quiet));
  const LegendEntry entries[] = {{"x", 0}, {"y = x[1:9:2, 3:13]", 1}, {"z = y[1:3].t()", 2, true}, {"w", 3},
                                 {"v", 4}, {"u", 5, false, true}};
  legend(entries);
  GridInput input = grid_input("values", kCells, 16, px(430));
  input.selected = 85;
  input.hovered = 87;
  draw_cell_grid(input, state.values);
  gap(8);
  put_card(
      {"z.view(20) is impossible without a copy",
       "RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces).",
       "Dimensions 0 and 1 cannot merge: stepping dimension 0 once moves 1 element, but a full run of dimension 1 moves 2 × 32 = 64.",
       Role::Wrong});
  gap(6);
  const int64_t sizes[] = {10, 2, 5}, strides[] = {1, 32, 128};
  put_dims({sizes, strides, 0, 1, "cannot merge"});
}

void pictures(GalleryState& state) {
  const float height = px(170), width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginChild("left", {width * 0.5f, height});
  state.runs.zoom = 0.24f;
  draw_cell_grid(grid_input("runs", 64 * 48, 16, height), state.runs);
  ImGui::EndChild();
  ImGui::SameLine(0, 0);
  ImGui::BeginChild("right", {0, height});
  state.texture.zoom = 0.06f;
  draw_cell_grid(grid_input("texture", 64 * 48, 16, height), state.texture);
  ImGui::EndChild();
}

void details(GalleryState& state) {
  heading("TENSOR CARD");
  swatch(2);
  ImGui::SameLine(0, px(8));
  put_text("z", strong(16));
  key_value("sizes", "10, 2");
  key_value("strides", "1, 32", "32, 1");
  key_value("offset", "51");
  key_value("base", "x  (via y)", {}, true);
  key_value("data pointer", "+204 bytes into the storage, which is aligned to 64");
  heading("KEY SET");
  const Chip set[] = {{"AutogradCPU", Role::Text},
                      {"ADInplaceOrView", Role::Text},
                      {"CPU", Role::Accent},
                      {"Dense", Role::Quiet}};
  chips(set);
  gap(4);
  std::vector<Bit> bits(64);
  for (const size_t on : {1, 7, 12, 40, 41}) bits[on].on = true;
  bits[40].view = bits[41].view = 2;
  bit_row(bits);
  heading("BYTES OF -1.95");
  const uint8_t bytes[] = {0x9a, 0x99, 0xf9, 0xbf};
  const BitField fields[] = {{"mantissa", 0, 22, 0}, {"exponent", 23, 30, 1}, {"sign", 31, 31, 3}};
  byte_chips(bytes, fields);
  heading("TENSORIMPL");
  const StructField layout[] = {{"vtable", 0, 8, 0},
                                {"refcount", 8, 4, 0},
                                {"weak", 12, 4, 0},
                                {"storage_", 16, 8, 0},
                                {"sizes_and_strides_", 24, 88, 2},
                                {"offset", 112, 8, 2},
                                {"numel_", 120, 8, 2},
                                {"key_set_", 128, 8, 4},
                                {"dtype", 136, 2, 4},
                                {"version_", 144, 8, 4}};
  struct_map(layout, 160);
  heading("KNOBS");
  if (const auto turned = knob_row({"a", "size 0", state.knob, 0, 10})) state.knob = *turned;
  knob_row({"b", "stride 1", 40, 0, 32});
  knob_row({"c", "offset", 51, 0, 100'000});
  gap(2);
  word_button("w1", "copy as code");
  ImGui::SameLine(0, px(6));
  word_button("w2", "Next step", true);
  ImGui::SameLine(0, px(6));
  word_button("w3", "not now", false, false);
}

void timeline(GalleryState& state) {
  LanesInput input;
  const char* labels[] = {"alloc", "view", "write", "dispatch", "kernel", "autograd"};
  const int hues[] = {-1, 2, 1, 0, 4, 3};
  for (int lane = 0; lane < 6; ++lane) {
    LaneRow row{labels[lane], hues[lane], {}};
    for (size_t event = 1 + static_cast<size_t>(lane); event < 118;
         event += 4 + event % (3 + static_cast<size_t>(lane)))
      row.blocks.push_back({event, event + event % 4, 0});
    input.rows.push_back(std::move(row));
  }
  input.events = 118;
  input.time = 42;
  input.marks = {1, 20, 42, 80};
  input.bookmarks = {60};
  input.hovered = 50;
  input.height = ImGui::GetContentRegionAvail().y;
  draw_lanes(input, state.lanes);
}

void bar(GalleryState& state) {
  const Icon icons[] = {Icon::First, Icon::Back,     Icon::Play,  Icon::Pause, Icon::Next,
                        Icon::Last,  Icon::Search,   Icon::Close, Icon::Plus,  Icon::Minus,
                        Icon::Check, Icon::Bookmark, Icon::Pin};
  for (size_t i = 0; i < std::size(icons); ++i) {
    if (i > 0) ImGui::SameLine(0, px(6));
    char id[8];
    std::snprintf(id, sizeof(id), "i%zu", i);
    icon_button(id, {icons[i], i == 2, i != 5});
  }
  ImGui::SameLine(0, px(16));
  ImGui::BeginChild("fields", {px(320), px(30)});
  search_field("search", "Find tensor, op, event ...", &state.search);
  ImGui::EndChild();
  ImGui::SameLine(0, px(8));
  ImGui::BeginChild("fields2", {px(320), px(30)});
  search_field("empty", "x[1:4, ::2].transpose(0, 1)", &state.empty, true);
  ImGui::EndChild();
}

// A part of the window, framed by hairlines.
template <class Draw>
void part(const char* id, ImVec2 at, ImVec2 size, const Draw& draw) {
  ImGui::SetNextWindowPos({std::round(at.x), std::round(at.y)});
  ImGui::SetNextWindowSize({std::round(size.x) - 1, std::round(size.y) - 1});
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  draw();
  ImGui::End();
}

}  // namespace

void draw_gallery(GalleryState& state) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float left = px(270), right = px(400), top = px(52), bottom = px(190), strip = px(200),
              middle = size.y - top - bottom;
  part("bar", {0, 0}, {size.x, top}, [&] { bar(state); });
  part("lists", {0, top}, {left, middle - strip}, [&] { lists(); });
  part("empty", {0, top + middle - strip}, {left, strip}, [&] {
    empty_state("Tensors and storages of an open file stand here.",
                "Ctrl+O opens one; or ./cutaway open FILE.");
  });
  part("canvas", {left, top}, {size.x - left - right, middle - strip}, [&] { canvas(state); });
  part("pictures", {left, top + middle - strip}, {size.x - left - right, strip}, [&] { pictures(state); });
  part("details", {size.x - right, top}, {right, middle}, [&] { details(state); });
  part("timeline", {0, size.y - bottom}, {size.x, bottom}, [&] { timeline(state); });
}

}  // namespace cutaway::inspector
