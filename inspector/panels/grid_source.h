// A storage of the model as what the grid draws: cells, views, pictures.
//
// Kept between frames: the grid's input is made anew when the session's content changes, and only the hovered and the
// selected element are set for each frame.
//
// PyTorch: none
#pragma once

#include <memory>
#include <optional>

#include "inspector/model/storage_model.h"
#include "inspector/model/storage_picture.h"
#include "inspector/panels/panel.h"
#include "inspector/widgets/cell_grid.h"

namespace cutaway::inspector {

class GridSource {
 public:
  // `highlight`: a view drawn as if it was selected; 0: the selected one. `model` must stay until the next call.
  GridInput& input(PanelContext& context, const StorageModel& model, const char* id, ObjectId highlight,
                   float height);

  // While a worker paints: per cent done, else nothing.
  std::optional<int> percent() const {
    return painter_.busy() ? std::optional(painter_.percent()) : std::nullopt;
  }
  void cancel() { painter_.cancel(); }
  bool sampled() const { return picture_ && picture_->sampled; }

 private:
  void rebuild(PanelContext& context, const StorageModel& model, ObjectId highlight);

  GridInput input_;
  StoragePainter painter_;
  std::shared_ptr<const StoragePicture> picture_;
  std::shared_ptr<const GridPicture> converted_;
  uint64_t built_for_ = UINT64_MAX;
  ObjectId highlight_ = 0;
  uint64_t generation_ = 0;
};

// Returns: the element of the storage under the mouse. A click selects it, or lets it go.
std::optional<int64_t> follow_mouse(Session& session, const StorageModel& model, const GridOutput& output);

}  // namespace cutaway::inspector
