// A stretch of a storage as a picture: for each picture element the mean of its cells, whether a NaN is among them, and
// which views read there. For buffers too large to write values into.
//
// Cells are laid out in rows as in the grid; a picture element stands for a rectangle of them, of one cell at least.
// Beyond kMostRead cells, only some rows of each rectangle are read, and `sampled` says so.
// Thread safety: paint_storage may run on a worker: it holds the trace itself and touches no session.
//
// PyTorch: none
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

#include "inspector/model/storage_model.h"

namespace cutaway::inspector {

struct PictureAsk {
  int64_t columns = 0;  // cells a row
  int64_t first_row = 0;
  int64_t rows = 0;
  int width = 0;  // picture elements, at most one a cell
  int height = 0;
  friend bool operator==(const PictureAsk&, const PictureAsk&) = default;
};

struct StoragePicture {
  enum Mark : uint8_t { kSpecial = 1, kUnknown = 2, kChanged = 4, kOverlap = 8, kNothing = 16 };
  PictureAsk ask;
  std::vector<float> mean;  // 0 where nothing is known
  std::vector<uint8_t> marks;
  std::vector<uint32_t> lit;  // bit i: overlay i reads something there
  float low = 0;              // of the finite means
  float high = 0;
  bool sampled = false;
};

inline constexpr int64_t kMostRead = int64_t{1} << 26;

// How a worker is told to stop and says how far it is.
struct PictureProgress {
  std::atomic<bool> cancelled{false};
  std::atomic<int> percent{0};
};

// What paint_storage needs of a session, kept by value.
struct PictureSource {
  std::shared_ptr<const trace::Trace> trace;
  size_t time = 0;
  StorageModel model;
  int64_t written_begin = 0;  // cells that the current event wrote
  int64_t written_end = 0;
};
PictureSource picture_source(const Session& session, const StorageModel& model);

StoragePicture paint_storage(const PictureSource& source, const PictureAsk& ask, PictureProgress& progress);

// Where a geometry reads, as a few stretches of cells for a narrow bar: at most `most` of them, each from the first to the
// last cell of a part of it.
struct Stretch {
  int64_t begin = 0;
  int64_t end = 0;
};
std::vector<Stretch> reach_of(const Geometry& g, size_t most);

// Paints on a worker when it would take long, and keeps the last picture until the next one is ready.
class StoragePainter {
 public:
  ~StoragePainter();
  // Returns: the picture asked for; while it is being painted the one before, or null.
  // `revision`: of what it shows. `wait`: paints here and now, however long it takes.
  std::shared_ptr<const StoragePicture> paint(const Session& session, const StorageModel& model,
                                              const PictureAsk& ask, bool wait);
  bool busy() const { return job_.valid(); }
  int percent() const { return progress_ ? progress_->percent.load() : 0; }
  // Stops the worker; the picture before stays.
  void cancel();

 private:
  std::shared_ptr<const StoragePicture> picture_;
  PictureAsk wanted_;
  uint64_t wanted_revision_ = 0;
  std::future<StoragePicture> job_;
  std::shared_ptr<PictureProgress> progress_;
};

}  // namespace cutaway::inspector
