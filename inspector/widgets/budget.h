// What a frame costs, counted while it is drawn, in the weight of one flat rectangle (about a microsecond on a software
// renderer). A canvas that would go beyond the most draws with less detail and says so.
//
// Thread safety: the main thread only.
//
// PyTorch: none
#pragma once

namespace cutaway::inspector {

struct Budget {
  int weight = 0;
  static constexpr int kMost = 20000;
  // Weights, measured with llvmpipe.
  static constexpr int kQuad = 1, kGlyph = 1, kLine = 4, kBorder = 2, kRounded = 8, kTexture = 16;

  int left() const { return weight < kMost ? kMost - weight : 0; }
};

// Of the frame that is being drawn; whoever begins a frame sets its weight to zero.
Budget& budget();

}  // namespace cutaway::inspector
