// A tensor as its program sees it: tables of values by index, or shades where there are many.
//
// Pointing at a cell frames the element of the storage it is, and every other index that reads the same element.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "inspector/model/tensor_table.h"
#include "inspector/panels/panel.h"

namespace cutaway::inspector {

struct TilesOutput {
  float height = 0;                // used; 0 when the tensor has no elements or there is too little room
  std::optional<int64_t> hovered;  // element of the storage under the mouse
};

struct TileState;

class TensorTiles {
 public:
  TensorTiles();
  ~TensorTiles();
  // Draws at the cursor. `make` gives the table; it is asked when the session's content changes. `most`: pixels there are.
  // A click selects an element.
  TilesOutput draw(PanelContext& context, const std::function<TensorTable()>& make, float most);

 private:
  std::unique_ptr<TileState> state_;
};

}  // namespace cutaway::inspector
