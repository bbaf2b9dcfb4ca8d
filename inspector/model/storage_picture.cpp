// Overview. paint_storage() walks the cells once, in order, a chunk of whole rows at a time (Painter): values go to the
// mean of their picture element, views to its bits by their runs, so that a view of every second element costs what is
// read anyway. StoragePainter decides whether that happens here or on a worker.

#include "inspector/model/storage_picture.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/convert.h"
#include "core/geometry/lit_runs.h"
#include "core/geometry/overlap.h"

namespace cutaway::inspector {

using trace::ByteState;

namespace {

constexpr int64_t kChunk = 1 << 20;
constexpr int64_t kPaintedHere = 1 << 21;  // cells that cost less than a frame or two

class Painter {
 public:
  Painter(const PictureSource& source, const PictureAsk& ask)
      : source_(source), model_(source.model), ask_(ask) {
    const size_t size = static_cast<size_t>(ask.width) * static_cast<size_t>(ask.height);
    picture_.ask = ask;
    picture_.mean.resize(size);
    picture_.marks.resize(size);
    picture_.lit.resize(size);
    sums_.resize(size);
    counts_.resize(size);
    x_of_.resize(static_cast<size_t>(ask.columns));
    for (int64_t column = 0; column < ask.columns; ++column)
      x_of_[static_cast<size_t>(column)] = static_cast<int>(column * ask.width / ask.columns);
    for (const Overlay& overlay : model_.overlays)
      collides_.push_back(internal_overlap(overlay.cells.sizes, overlay.cells.strides) !=
                          InternalOverlap::No);
  }

  StoragePicture paint(PictureProgress& progress) {
    const int64_t cells = ask_.rows * ask_.columns;
    const int64_t every = std::max<int64_t>((cells + kMostRead - 1) / kMostRead, 1);
    picture_.sampled = every > 1;
    const int64_t rows_at_once = every > 1 ? 1 : std::max<int64_t>(kChunk / ask_.columns, 1);
    for (int64_t row = 0; row < ask_.rows && !progress.cancelled; row += rows_at_once * every) {
      add_rows(row, std::min(rows_at_once, ask_.rows - row));
      progress.percent = static_cast<int>(row * 100 / ask_.rows);
    }
    finish();
    return std::move(picture_);
  }

 private:
  size_t line_of(int64_t row) const {
    return static_cast<size_t>(row * ask_.height / ask_.rows * ask_.width);
  }
  size_t place(int64_t row, int64_t column) const {
    return line_of(row) + static_cast<size_t>(x_of_[static_cast<size_t>(column)]);
  }

  // Rows [row, row + rows) of the stretch.
  void add_rows(int64_t row, int64_t rows) {
    const int64_t begin = (ask_.first_row + row) * ask_.columns;
    const int64_t end = std::min(begin + rows * ask_.columns, model_.cells);
    if (begin >= end) return;
    const auto count = static_cast<size_t>(end - begin);
    bytes_.resize(count * model_.cell_bytes);
    known_.resize(bytes_.size());
    source_.trace->bytes_at(source_.time, model_.storage, static_cast<uint64_t>(begin) * model_.cell_bytes,
                            bytes_, known_);
    // A bool is read as a byte, which may hold anything.
    const bool as_byte =
        model_.bytes || model_.dtype == ScalarType::Undefined || model_.dtype == ScalarType::Bool;
    const ScalarType dtype = as_byte ? ScalarType::Byte : model_.dtype;
    with_type_of(dtype, "values", [&](auto type) { add_values<decltype(type)>(row, begin, count); });
    for (size_t i = 0; i < model_.overlays.size() && i < 32; ++i) light(i, row, begin, end);
  }

  template <class T>
  void add_values(int64_t row, int64_t begin, size_t count) {
    size_t column = 0, line = line_of(row);
    for (size_t i = 0; i < count; ++i) {
      const size_t at = line + static_cast<size_t>(x_of_[column]);
      if (++column == x_of_.size()) {
        column = 0;
        line = line_of(++row);
      }
      if (known_[i * sizeof(T)] != ByteState::Known) {
        picture_.marks[at] |= StoragePicture::kUnknown;
        continue;
      }
      T raw;
      std::copy_n(bytes_.data() + i * sizeof(T), sizeof(T), reinterpret_cast<std::byte*>(&raw));
      const double value = convert<double>(raw);
      const int64_t cell = begin + static_cast<int64_t>(i);
      if (cell >= source_.written_begin && cell < source_.written_end)
        picture_.marks[at] |= StoragePicture::kChanged;
      if (!std::isfinite(value)) {
        picture_.marks[at] |= StoragePicture::kSpecial;
        continue;
      }
      sums_[at] += value;
      ++counts_[at];
    }
  }

  void light(size_t overlay, int64_t row, int64_t begin, int64_t end) {
    const Geometry& g = model_.overlays[overlay].cells;
    for (const Run& run : lit_runs(g, begin, end)) light_run(overlay, row, begin, run);
    if (!collides_[overlay]) return;
    const std::vector<uint32_t> reads = read_counts(g, begin, end);
    for (size_t i = 0; i < reads.size(); ++i)
      if (reads[i] > 1) {
        const auto at = static_cast<int64_t>(i);
        picture_.marks[place(row + at / ask_.columns, at % ask_.columns)] |= StoragePicture::kOverlap;
      }
  }

  // A run may go on over several rows.
  void light_run(size_t overlay, int64_t row, int64_t begin, const Run& run) {
    for (int64_t at = run.begin; at < run.end;) {
      const int64_t in = at - begin, column = in % ask_.columns;
      const int64_t length = std::min(ask_.columns - column, run.end - at);
      const size_t first = place(row + in / ask_.columns, column),
                   last = place(row + in / ask_.columns, column + length - 1);
      for (size_t p = first; p <= last; ++p) picture_.lit[p] |= 1u << overlay;
      at += length;
    }
  }

  void finish() {
    picture_.low = std::numeric_limits<float>::infinity();
    picture_.high = -picture_.low;
    for (size_t at = 0; at < sums_.size(); ++at) {
      if (counts_[at] == 0) {
        if (picture_.marks[at] == 0) picture_.marks[at] = StoragePicture::kNothing;
        continue;
      }
      picture_.mean[at] = static_cast<float>(sums_[at] / counts_[at]);
      picture_.low = std::min(picture_.low, picture_.mean[at]);
      picture_.high = std::max(picture_.high, picture_.mean[at]);
    }
    if (picture_.low > picture_.high) picture_.low = picture_.high = 0;
  }

  const PictureSource& source_;
  const StorageModel& model_;
  const PictureAsk ask_;
  StoragePicture picture_;
  std::vector<double> sums_;
  std::vector<uint32_t> counts_;
  std::vector<int> x_of_;
  std::vector<bool> collides_;
  std::vector<std::byte> bytes_;
  std::vector<ByteState> known_;
};

}  // namespace

PictureSource picture_source(const Session& session, const StorageModel& model) {
  PictureSource source{session.document().shared_trace(), session.time(), model, 0, 0};
  if (session.time() == 0) return source;
  const auto& event = session.trace().event(session.time());
  if (event.kind != trace::EventKind::Write || event.object != model.storage) return source;
  const auto write = session.trace().write(event.detail);
  source.written_begin = static_cast<int64_t>(write.begin / model.cell_bytes);
  source.written_end = static_cast<int64_t>((write.end + model.cell_bytes - 1) / model.cell_bytes);
  return source;
}

StoragePicture paint_storage(const PictureSource& source, const PictureAsk& ask, PictureProgress& progress) {
  return Painter(source, ask).paint(progress);
}

std::vector<Stretch> reach_of(const Geometry& g, size_t most) {
  if (g.numel() == 0) return {};
  // The dimensions with the largest strides are stepped through while that stays cheap, the others are taken whole.
  std::vector<std::pair<int64_t, int64_t>> axes;  // stride, size
  for (size_t i = 0; i < g.sizes.size(); ++i)
    if (g.sizes[i] > 1 && g.strides[i] > 0) axes.emplace_back(g.strides[i], g.sizes[i]);
  std::sort(axes.rbegin(), axes.rend());
  std::vector<int64_t> starts{g.offset};
  size_t taken = 0;
  for (; taken < axes.size() && axes[taken].second <= static_cast<int64_t>(most / starts.size()); ++taken) {
    std::vector<int64_t> next;
    for (int64_t start : starts)
      for (int64_t i = 0; i < axes[taken].second; ++i) next.push_back(start + i * axes[taken].first);
    starts = std::move(next);
  }
  int64_t length = 1;
  for (size_t i = taken; i < axes.size(); ++i) length += (axes[i].second - 1) * axes[i].first;
  std::sort(starts.begin(), starts.end());
  std::vector<Stretch> stretches;
  for (int64_t start : starts) {
    if (!stretches.empty() && start <= stretches.back().end)
      stretches.back().end = std::max(stretches.back().end, start + length);
    else
      stretches.push_back({start, start + length});
  }
  return stretches;
}

StoragePainter::~StoragePainter() { cancel(); }

void StoragePainter::cancel() {
  if (!job_.valid()) return;
  progress_->cancelled = true;
  job_.wait();
  job_ = {};
}

std::shared_ptr<const StoragePicture> StoragePainter::paint(const Session& session, const StorageModel& model,
                                                            const PictureAsk& ask, bool wait) {
  if (ask.width <= 0 || ask.height <= 0) return nullptr;
  const uint64_t revision = session.content_revision();
  if (ask != wanted_ || revision != wanted_revision_) {
    cancel();
    wanted_ = ask;
    wanted_revision_ = revision;
    progress_ = std::make_shared<PictureProgress>();
    PictureSource source = picture_source(session, model);
    if (wait || ask.rows * ask.columns <= kPaintedHere) {
      picture_ = std::make_shared<StoragePicture>(paint_storage(source, ask, *progress_));
    } else {
      job_ = std::async(std::launch::async, [source = std::move(source), ask, progress = progress_] {
        return paint_storage(source, ask, *progress);
      });
    }
  }
  if (job_.valid() && job_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    picture_ = std::make_shared<StoragePicture>(job_.get());
  return picture_;
}

}  // namespace cutaway::inspector
