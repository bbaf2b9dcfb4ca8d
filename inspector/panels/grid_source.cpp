#include "inspector/panels/grid_source.h"

#include <algorithm>

namespace cutaway::inspector {
namespace {

GridCell grid_cell(Cell cell) {
  GridCell g;
  g.text = std::move(cell.text);
  g.old_text = std::move(cell.old_text);
  g.changed = cell.changed;
  g.special = cell.special;
  g.known = cell.state != trace::ByteState::NotRecorded;
  g.initialised = cell.state != trace::ByteState::Uninitialised;
  g.views = cell.lit;
  g.overlap = cell.overlap;
  return g;
}

// The mark bits of both are the same, so a picture only changes its type.
static_assert(static_cast<int>(StoragePicture::kSpecial) == static_cast<int>(GridPicture::kSpecial));
static_assert(static_cast<int>(StoragePicture::kUnknown) == static_cast<int>(GridPicture::kUnknown));
static_assert(static_cast<int>(StoragePicture::kChanged) == static_cast<int>(GridPicture::kChanged));
static_assert(static_cast<int>(StoragePicture::kOverlap) == static_cast<int>(GridPicture::kOverlap));
static_assert(static_cast<int>(StoragePicture::kNothing) == static_cast<int>(GridPicture::kNothing));

std::shared_ptr<const GridPicture> grid_picture(const StoragePicture& picture) {
  auto result = std::make_shared<GridPicture>();
  result->columns = picture.ask.columns;
  result->first_row = picture.ask.first_row;
  result->rows = picture.ask.rows;
  result->width = picture.ask.width;
  result->height = picture.ask.height;
  result->values = picture.mean;
  result->marks = picture.marks;
  result->views = picture.lit;
  result->low = picture.low;
  result->high = picture.high;
  return result;
}

bool covers_all(const StorageModel& model, const Overlay& overlay) {
  return overlay.geometry.offset == 0 && overlay.geometry.numel() == model.elements;
}

}  // namespace

void GridSource::rebuild(PanelContext& context, const StorageModel& model, ObjectId highlight) {
  input_.cells = model.cells;
  input_.columns = model.columns;
  input_.run = model.run;
  input_.span = model.span;
  input_.revision = ++generation_;
  input_.views.clear();
  // A tensor over the whole buffer is a tint. Two of them, a matrix and its transpose, are told apart by the selection.
  for (const Overlay& overlay : model.overlays)
    input_.views.push_back({overlay.color, highlight ? overlay.tensor == highlight : overlay.selected,
                            covers_all(model, overlay)});
  input_.values = [&session = context.session, &model](int64_t first, int64_t count) {
    std::vector<GridCell> cells;
    for (Cell& cell : storage_cells(session, model, first, count))
      cells.push_back(grid_cell(std::move(cell)));
    return cells;
  };
  input_.picture = [this, &context_session = context.session, &model, wait = context.memory.wait](
                       int64_t columns, int64_t first_row, int64_t rows, int width, int height) {
    const auto picture =
        painter_.paint(context_session, model, {columns, first_row, rows, width, height}, wait);
    if (picture != picture_) {
      picture_ = picture;
      converted_ = picture ? grid_picture(*picture) : nullptr;
    }
    return converted_;
  };
}

GridInput& GridSource::input(PanelContext& context, const StorageModel& model, const char* id,
                             ObjectId highlight, float height) {
  const Session& session = context.session;
  const bool known = std::any_of(model.overlays.begin(), model.overlays.end(),
                                 [&](const Overlay& overlay) { return overlay.tensor == highlight; });
  if (!known) highlight = 0;
  if (built_for_ != session.content_revision() || highlight_ != highlight) {
    rebuild(context, model, highlight);
    built_for_ = session.content_revision();
    highlight_ = highlight;
  }
  context.memory.working |= painter_.busy();
  input_.id = id;
  input_.height = height;
  const auto cell_of = [&](std::optional<int64_t> element) {
    return element ? std::optional(*element * model.span) : std::nullopt;
  };
  input_.selected = cell_of(session.selection().element);
  input_.hovered = cell_of(session.hovered_element());
  return input_;
}

std::optional<int64_t> follow_mouse(Session& session, const StorageModel& model, const GridOutput& output) {
  const std::optional<int64_t> element =
      output.hovered ? std::optional(*output.hovered / model.span) : std::nullopt;
  if (output.clicked && element)
    session.select_element(session.selection().element == element ? std::nullopt : element);
  return element;
}

}  // namespace cutaway::inspector
