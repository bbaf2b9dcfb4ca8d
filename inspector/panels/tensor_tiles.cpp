// Overview. plan() decides between values and shades and how many tables fit; TileState keeps the cells of those for as long as
// the session's content and the room stay the same; TensorTiles::draw() draws them and follows the mouse.

#include "inspector/panels/tensor_tiles.h"

#include <algorithm>
#include <cmath>

#include "inspector/model/tensor_table.h"
#include "inspector/panels/element_card.h"
#include "inspector/widgets/draw.h"
#include "inspector/widgets/stamps.h"
#include "inspector/widgets/texture.h"

namespace cutaway::inspector {
namespace {

constexpr float kTitleRow = 26, kLabel = 17, kIndex = 30, kApart = 18;
constexpr int64_t kMostTexts = 700, kMostShades = 24000;

struct Plan {
  bool texts = false;
  float cell_w = 0;
  float cell_h = 0;
  int64_t rows = 0;  // of one table that are shown
  int64_t columns = 0;
  int64_t step = 1;    // every step-th of them
  int64_t tables = 0;  // shown
  int64_t per_line = 1;
  float tile_w = 0;
  float tile_h = 0;
  float index_w = 0;  // left of a table, for the numbers of its rows
  float label_h = 0;  // above it
};

// Tables of this size side by side and in lines below each other, as many as fit.
void flow(const TensorTable& table, float width, float height, Plan& plan) {
  plan.tile_w = plan.index_w + static_cast<float>(plan.columns) * plan.cell_w;
  plan.tile_h = plan.label_h + static_cast<float>(plan.rows) * plan.cell_h;
  const float apart = px(plan.texts ? kApart : 10);
  plan.per_line = std::max<int64_t>(static_cast<int64_t>((width + apart) / (plan.tile_w + apart)), 1);
  const auto lines = std::max<int64_t>(static_cast<int64_t>((height + apart) / (plan.tile_h + apart)), 1);
  plan.tables = std::min(table.tables, plan.per_line * lines);
}

bool plan_texts(const TensorTable& table, float width, float height, Plan& plan) {
  plan.texts = true;
  plan.rows = table.rows;
  plan.columns = table.columns;
  plan.index_w = px(table.geometry.dim() >= 2 ? kIndex : 0);
  plan.label_h = px(table.geometry.dim() >= 1 ? kLabel : 0);
  plan.cell_h = px(22);
  for (const float cell : {46.0f, 40.0f, 34.0f}) {
    plan.cell_w = px(cell);
    flow(table, width, height, plan);
    const bool fits = plan.tile_w <= width && plan.tile_h <= height;
    if (fits && (plan.tables == table.tables || (plan.tables >= 4 && cell <= 34.0f)))
      return plan.tables * plan.rows * plan.columns <= kMostTexts;
  }
  return false;
}

void plan_shades(const TensorTable& table, float width, float height, Plan& plan) {
  plan = {};
  plan.label_h = px(table.tables > 1 ? kLabel : 0);
  const float room = height - plan.label_h;
  const auto rows = static_cast<float>(table.rows), columns = static_cast<float>(table.columns);
  float cell = std::min(room / rows, width / columns);
  if (table.tables > 1) cell = std::min(cell, px(84) / std::max(rows, columns));
  cell = std::clamp(std::floor(cell), 1.0f, px(26));
  const float least = table.tables > 1 && cell < 3 ? 1.0f : 3.0f;
  if (cell < least) cell = least;
  plan.step = 1;
  while (static_cast<float>((table.rows + plan.step - 1) / plan.step) * cell > room ||
         static_cast<float>((table.columns + plan.step - 1) / plan.step) * cell > width)
    ++plan.step;
  plan.rows = std::max<int64_t>(table.rows / plan.step, 1);
  plan.columns = std::max<int64_t>(table.columns / plan.step, 1);
  plan.cell_w = plan.cell_h = cell;
  flow(table, width, height, plan);
  plan.tables = std::clamp<int64_t>(kMostShades / (plan.rows * plan.columns), 1, plan.tables);
}

Plan make_plan(const TensorTable& table, float width, float height) {
  Plan plan;
  if (!plan_texts(table, width, height, plan)) plan_shades(table, width, height, plan);
  return plan;
}

ImU32 mixed(ImU32 a, ImU32 b, float t) {
  ImU32 result = 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const auto x = static_cast<float>(a >> shift & 255), y = static_cast<float>(b >> shift & 255);
    result |= static_cast<ImU32>(x + (y - x) * t + 0.5f) << shift;
  }
  return result;
}

}  // namespace

struct TileState {
  TensorTable table;
  Plan plan;
  uint64_t revision = UINT64_MAX;
  ImVec2 room{};
  std::string title, shape, note;
  std::vector<std::string> labels, numbers;  // of the tables; "0", "1", ... for rows and columns
  std::vector<TableCell> cells;              // table after table, row by row
  std::vector<uint32_t> pixels;              // of the shades
  int pixels_w = 0, pixels_h = 0;
  uint64_t generation = 0;

  bool fresh(const Session& session, ImVec2 wanted) const {
    return revision == session.content_revision() && room.x == wanted.x && room.y == wanted.y;
  }
  size_t cells_of_table() const { return static_cast<size_t>(plan.rows * plan.columns); }
  ImVec2 place(int64_t number) const {
    const float apart = px(plan.texts ? kApart : 10);
    return {static_cast<float>(number % plan.per_line) * (plan.tile_w + apart),
            static_cast<float>(number / plan.per_line) * (plan.tile_h + apart)};
  }
  ImVec2 cell_min(size_t i) const {
    const ImVec2 at = place(static_cast<int64_t>(i / cells_of_table()));
    const auto in = static_cast<int64_t>(i % cells_of_table());
    return {at.x + plan.index_w + static_cast<float>(in % plan.columns) * plan.cell_w,
            at.y + plan.label_h + static_cast<float>(in / plan.columns) * plan.cell_h};
  }
  float used_height() const {
    const int64_t lines = (plan.tables + plan.per_line - 1) / plan.per_line;
    return place((lines - 1) * plan.per_line).y + plan.tile_h;
  }
};

namespace {

void tell(TileState& tiles) {
  const TensorTable& table = tiles.table;
  const Plan& plan = tiles.plan;
  tiles.title = table.name;
  tiles.shape = "by its own indices, " +
                (table.geometry.dim() ? shape_text(table.geometry.sizes) : std::string("a scalar"));
  tiles.note.clear();
  if (plan.tables < table.tables)
    tiles.note = "the first " + grouped(static_cast<uint64_t>(plan.tables)) + " of " +
                 grouped(static_cast<uint64_t>(table.tables));
  if (plan.step > 1)
    tiles.note +=
        (tiles.note.empty() ? "every " : ", every ") + std::to_string(plan.step) + ". row and column";
  tiles.labels.clear();
  for (int64_t i = 0; i < plan.tables; ++i) tiles.labels.push_back(table_label(table, i));
  tiles.numbers.clear();
  for (int64_t i = 0; i < std::max(plan.rows, plan.columns) && plan.texts; ++i)
    tiles.numbers.push_back(std::to_string(i));
}

void shade(TileState& tiles) {
  float low = INFINITY, high = -INFINITY;
  for (const TableCell& cell : tiles.cells) {
    if (cell.special || !cell.known) continue;
    low = std::min(low, cell.value);
    high = std::max(high, cell.value);
  }
  const float span = high > low ? high - low : 1;
  tiles.pixels_w = static_cast<int>(static_cast<float>(tiles.plan.per_line) * (tiles.plan.tile_w + px(10)));
  tiles.pixels_h = static_cast<int>(std::ceil(tiles.used_height()));
  tiles.pixels.assign(static_cast<size_t>(tiles.pixels_w) * static_cast<size_t>(tiles.pixels_h), 0);
  const ImU32 dark = color(Role::Raised),
              bright = mixed(view_color(tiles.table.color), color(Role::Text), 0.25f);
  const auto size = static_cast<int>(tiles.plan.cell_w), gap = size >= px(8) ? 1 : 0;
  for (size_t i = 0; i < tiles.cells.size(); ++i) {
    const TableCell& cell = tiles.cells[i];
    const ImU32 ink = cell.special  ? color(Role::Wrong)
                      : !cell.known ? color(Role::Panel)
                                    : mixed(dark, bright, (cell.value - low) / span);
    const ImVec2 at = tiles.cell_min(i);
    const int x0 = static_cast<int>(at.x), y0 = static_cast<int>(at.y);
    for (int y = y0; y < std::min(y0 + size - gap, tiles.pixels_h); ++y)
      for (int x = x0; x < std::min(x0 + size - gap, tiles.pixels_w); ++x)
        tiles.pixels[static_cast<size_t>(y) * static_cast<size_t>(tiles.pixels_w) + static_cast<size_t>(x)] =
            ink;
  }
  ++tiles.generation;
}

void renew(const Session& session, const std::function<TensorTable()>& make, ImVec2 room, TileState& tiles) {
  tiles.revision = session.content_revision();
  tiles.room = room;
  tiles.table = make();
  tiles.cells.clear();
  if (!tiles.table.tensor) return;
  tiles.plan = make_plan(tiles.table, room.x, room.y - px(kTitleRow));
  tell(tiles);
  for (int64_t i = 0; i < tiles.plan.tables; ++i) {
    const auto more = table_cells(
        session, tiles.table, {i, tiles.plan.rows, tiles.plan.columns, tiles.plan.step, tiles.plan.texts});
    tiles.cells.insert(tiles.cells.end(), more.begin(), more.end());
  }
  if (!tiles.plan.texts) shade(tiles);
}

void draw_labels(ImDrawList* list, ImVec2 at, const TileState& tiles) {
  const Plan& plan = tiles.plan;
  const TextStyle faint = mono(11, Role::Faint);
  for (int64_t t = 0; t < plan.tables; ++t) {
    const ImVec2 place = tiles.place(t), corner{at.x + place.x, at.y + place.y};
    const std::string& label = tiles.labels[static_cast<size_t>(t)];
    if (!plan.texts) {
      draw_fitted(list, corner, label, faint, plan.tile_w + px(8));
      continue;
    }
    // The label stands where the numbers of rows and columns would meet.
    draw_text(list, corner, label, mono(11, Role::Quiet));
    for (int64_t c = 0; c < plan.columns && plan.label_h > 0; ++c) {
      const std::string& number = tiles.numbers[static_cast<size_t>(c)];
      const float x = corner.x + plan.index_w + (static_cast<float>(c) + 0.5f) * plan.cell_w;
      if (c == 0 && text_size(label, faint).x > plan.index_w + plan.cell_w / 2 - px(6)) continue;
      draw_text(list, {x - text_size(number, faint).x / 2, corner.y}, number, faint);
    }
    for (int64_t r = 0; r < plan.rows && plan.index_w > 0; ++r)
      draw_right(list, corner.x + plan.index_w - px(8),
                 corner.y + plan.label_h + static_cast<float>(r) * plan.cell_h + px(4),
                 tiles.numbers[static_cast<size_t>(r)], faint);
  }
}

void draw_texts(ImDrawList* list, ImVec2 at, const TileState& tiles) {
  const Plan& plan = tiles.plan;
  for (size_t i = 0; i < tiles.cells.size(); ++i) {
    const TableCell& cell = tiles.cells[i];
    const ImVec2 corner = tiles.cell_min(i), min{at.x + corner.x, at.y + corner.y};
    const ImVec2 max{min.x + plan.cell_w - px(2), min.y + plan.cell_h - px(2)};
    stamp_fill(list, min, max, view_color(tiles.table.color, 0.13f));
    const TextStyle style = mono(11.5f, cell.special ? Role::Wrong : cell.known ? Role::Text : Role::Faint);
    const std::string_view text = cell.known ? std::string_view(cell.text) : std::string_view("?");
    const float width = std::min(text_size(text, style).x, plan.cell_w - px(6));
    draw_fitted(list, {(min.x + max.x - width) / 2, min.y + px(3)}, text, style, plan.cell_w - px(5));
  }
}

// Every index that reads the element is framed.
void frame(ImDrawList* list, ImVec2 at, const TileState& tiles, std::optional<int64_t> element, Role role) {
  if (!element) return;
  int framed = 0;
  for (size_t i = 0; i < tiles.cells.size() && framed < 64; ++i) {
    if (tiles.cells[i].element != *element) continue;
    const ImVec2 corner = tiles.cell_min(i), min{at.x + corner.x - px(1), at.y + corner.y - px(1)};
    list->AddRect(min,
                  {min.x + std::max(tiles.plan.cell_w, px(6)), min.y + std::max(tiles.plan.cell_h, px(6))},
                  color(role), px(3), px(2));
    ++framed;
  }
}

std::optional<int64_t> element_under_mouse(ImVec2 at, const TileState& tiles) {
  if (!ImGui::IsItemHovered()) return std::nullopt;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (size_t i = 0; i < tiles.cells.size(); ++i) {
    const ImVec2 corner = tiles.cell_min(i);
    const float x = mouse.x - at.x - corner.x, y = mouse.y - at.y - corner.y;
    if (x >= 0 && y >= 0 && x < tiles.plan.cell_w && y < tiles.plan.cell_h) return tiles.cells[i].element;
  }
  return std::nullopt;
}

}  // namespace

TensorTiles::TensorTiles() : state_(std::make_unique<TileState>()) {}
TensorTiles::~TensorTiles() = default;

TilesOutput TensorTiles::draw(PanelContext& context, const std::function<TensorTable()>& make, float most) {
  Session& session = context.session;
  TileState& tiles = *state_;
  const ImVec2 room{ImGui::GetContentRegionAvail().x, most};
  if (room.y < px(kTitleRow + 44) || room.x < px(120)) return {};
  if (!tiles.fresh(session, room)) renew(session, make, room, tiles);
  if (!tiles.table.tensor) return {};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 top = ImGui::GetCursorScreenPos(), at{std::floor(top.x), std::floor(top.y + px(kTitleRow))};
  draw_swatch(list, {top.x, top.y + px(2)}, {top.x + px(14), top.y + px(16)}, tiles.table.color);
  float x =
      top.x + px(22) + draw_fitted(list, {top.x + px(22), top.y}, tiles.title, strong(14), room.x * 0.5f);
  x += px(12) + draw_fitted(list, {x + px(12), top.y + px(1)}, tiles.shape, words(kSmall, Role::Quiet),
                            top.x + room.x - x - px(12));
  draw_fitted(list, {x + px(16), top.y + px(1)}, tiles.note, words(kSmall, Role::Faint),
              top.x + room.x - x - px(16));
  const float height = tiles.used_height();
  draw_labels(list, at, tiles);
  if (tiles.plan.texts)
    draw_texts(list, at, tiles);
  else
    draw_pixels(list, ImGui::GetID("shades"), tiles.pixels, tiles.pixels_w, tiles.pixels_h, at,
                tiles.generation);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("tiles", {std::max(room.x, 1.0f), std::max(height, 1.0f)});
  const auto element = element_under_mouse(at, tiles);
  if (element && ImGui::IsItemClicked()) session.select_element(element);
  frame(list, at, tiles, session.hovered_element(), Role::Quiet);
  frame(list, at, tiles, session.selection().element, Role::Text);
  return {px(kTitleRow) + height, element};
}

}  // namespace cutaway::inspector
