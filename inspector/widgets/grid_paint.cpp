#include "inspector/widgets/grid_paint.h"

#include <algorithm>
#include <cmath>

#include "inspector/widgets/draw.h"
#include "inspector/widgets/stamps.h"

namespace cutaway::inspector {
namespace {

constexpr size_t kMostViews = 32;
constexpr float kTint = 0.22f, kSelectedTint = 0.36f, kWholeTint = 0.14f;

class Painter {
 public:
  Painter(ImDrawList* list, const GridInput& input, const GridLayout& layout)
      : list_(list), input_(input), layout_(layout), digit_(text_size("0", mono(kValue)).x) {}

  void cell(const GridCell& cell, size_t i) const {
    const ImVec2 min =
        layout_.min_of(static_cast<int64_t>(i) / layout_.columns, static_cast<int64_t>(i) % layout_.columns);
    const ImVec2 max =
        layout_.max_of(static_cast<int64_t>(i) / layout_.columns, static_cast<int64_t>(i) % layout_.columns);
    stamp_fill(list_, min, max, color(Role::Raised, cell.known && cell.initialised ? 0.8f : 0.35f));
    Lit lit = lay_views(cell.views, min, max);
    if (cell.overlap) {
      stamp_hatch(list_, min, max, Hatch::Cross, color(Role::Overlap), 0.16f);
      stamp_frame(list_, min, max, color(Role::Overlap, 0.9f));
      lit.hatched = true;
    }
    if (cell.changed) stamp_frame(list_, min, max, color(Role::Accent, 0.85f));
    value(cell, lit, min, max);
  }

 private:
  static constexpr float kValue = 12, kOldValue = 10;

  struct Lit {
    bool hatched = false;
    bool tinted = false;  // by a selected view that covers everything
  };

  // The selected view last and strongest.
  Lit lay_views(uint32_t views, ImVec2 min, ImVec2 max) const {
    Lit lit;
    const GridView* top = nullptr;
    for (size_t i = 0; i < std::min(input_.views.size(), kMostViews); ++i) {
      const GridView& view = input_.views[i];
      if (!(views >> i & 1) || (view.covers_all && !view.selected)) continue;
      if (view.covers_all) {
        stamp_fill(list_, min, max, view_color(view.color, kWholeTint));
        lit.tinted = true;
      } else if (view.selected) {
        top = &view;
      } else {
        stamp_hatch(list_, min, max, hatch_of_view(view.color), view_color(view.color), kTint);
        lit.hatched = true;
      }
    }
    if (!top) return lit;
    stamp_hatch(list_, min, max, hatch_of_view(top->color), view_color(top->color), kSelectedTint);
    stamp_frame(list_, min, max, view_color(top->color));
    lit.hatched = true;
    return lit;
  }

  Role role_of(const GridCell& cell, const Lit& lit) const {
    if (cell.special) return Role::Wrong;
    if (cell.changed) return Role::Accent;
    if (lit.hatched || lit.tinted) return Role::Text;
    return cell.views != 0 || input_.views.empty() ? Role::Quiet : Role::Faint;
  }

  // Behind a value, so that no hatch runs through it. Its width steps by whole digits: few stamps are baked.
  void plate(float width, float top, float bottom, ImVec2 min, ImVec2 max) const {
    const float half = std::round(std::ceil(width / digit_) * digit_ / 2 + px(4)),
                middle = std::floor((min.x + max.x) / 2);
    stamp_fill(list_, {std::max(middle - half, min.x + 1), std::floor(top)},
               {std::min(middle + half, max.x - 1), std::floor(bottom)}, color(Role::Plate, 0.86f));
  }

  void value(const GridCell& cell, const Lit& lit, ImVec2 min, ImVec2 max) const {
    const std::string_view text = !cell.initialised ? "·" : !cell.known ? "?" : std::string_view(cell.text);
    const bool two = cell.changed && !cell.old_text.empty() && max.y - min.y >= px(24);
    const TextStyle style = mono(kValue, role_of(cell, lit));
    const float room = max.x - min.x - px(6), middle = (min.x + max.x) / 2, centre = (min.y + max.y) / 2;
    const ImVec2 size = text_size(text, style);
    const float width = std::min(size.x, room), top = two ? centre - px(1.5f) : centre - size.y / 2;
    if (lit.hatched && width > 0) {
      const float old_width = two ? std::min(text_size(cell.old_text, mono(kOldValue)).x, room) : 0;
      plate(std::max(width, old_width), two ? centre - px(13) : top - px(1),
            two ? centre + px(13) : top + size.y + px(1), min, max);
    }
    if (cell.special && !lit.hatched) stamp_fill(list_, min, max, color(Role::Wrong, 0.14f));
    draw_fitted(list_, {middle - width / 2, top}, text, style, room);
    if (two) old_value(cell.old_text, room, middle, centre);
  }

  // Small and struck through, above the new one.
  void old_value(std::string_view text, float room, float middle, float centre) const {
    const TextStyle style = mono(kOldValue, Role::Quiet);
    const ImVec2 size = text_size(text, style);
    const float width = std::min(size.x, room), left = std::floor(middle - width / 2), top = centre - px(13);
    draw_fitted(list_, {left, top}, text, style, room);
    const float y = std::floor(top + size.y * 0.55f);
    list_->AddRectFilled({left - px(1), y}, {left + width + px(1), y + std::max(std::floor(px(1)), 1.0f)},
                         color(Role::Quiet));
    budget().weight += Budget::kQuad;
  }

  ImDrawList* list_;
  const GridInput& input_;
  const GridLayout& layout_;
  float digit_;
};

}  // namespace

void paint_values(ImDrawList* list, const GridInput& input, const GridLayout& layout,
                  const std::vector<GridCell>& cells, GridOutput& output) {
  const Painter painter(list, input, layout);
  for (size_t i = 0; i < cells.size(); ++i) {
    const GridCell& cell = cells[i];
    painter.cell(cell, i);
    output.any_special |= cell.special;
    output.any_changed |= cell.changed;
    output.any_overlap |= cell.overlap;
    output.any_unknown |= !cell.known;
    output.any_uninitialised |= !cell.initialised;
  }
}

namespace {

ImU32 mix(ImU32 a, ImU32 b, float t) {
  ImU32 result = 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const float x = static_cast<float>(a >> shift & 255), y = static_cast<float>(b >> shift & 255);
    result |= static_cast<ImU32>(x + (y - x) * t + 0.5f) << shift;
  }
  return result;
}

// Shades from the ground of a cell towards text: hues are left to the views.
struct Shades {
  explicit Shades(const GridPicture& picture)
      : low(picture.low), span(picture.high > picture.low ? picture.high - picture.low : 1) {
    for (int i = 0; i < 256; ++i)
      table[i] = mix(color(Role::Raised), color(Role::Text), static_cast<float>(i) / 255 * 0.85f);
  }
  ImU32 of(float value) const {
    return table[static_cast<int>(std::clamp((value - low) / span, 0.0f, 1.0f) * 255)];
  }

  float low, span;
  ImU32 table[256];
};

class Pixels {
 public:
  Pixels(const GridPicture& picture, const std::vector<GridView>& views, int width, int height)
      : picture_(picture),
        views_(views),
        width_(width),
        height_(height),
        shades_(picture),
        period_(hatch_step(scale()) * 4) {
    pixels_.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int hatch = 0; hatch < kHatches; ++hatch)
      for (int y = 0; y < period_; ++y)
        for (int x = 0; x < period_; ++x)
          hatches_[hatch].push_back(hatch_cover(static_cast<Hatch>(hatch), static_cast<float>(x) + 0.5f,
                                                static_cast<float>(y) + 0.5f, scale()));
  }

  std::vector<uint32_t> paint(int cell, int gap) {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) at(x, y) = shade(x, y);
    if (gap > 0) paint_gaps(cell, gap);
    mark_specials();
    return std::move(pixels_);
  }

 private:
  static constexpr int kHatches = 7;
  float cover(Hatch hatch, int x, int y) const {
    return hatches_[static_cast<int>(hatch)][static_cast<size_t>(y % period_ * period_ + x % period_)];
  }
  ImU32& at(int x, int y) {
    return pixels_[static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)];
  }
  size_t source(int x, int y) const {
    return static_cast<size_t>(static_cast<int64_t>(y) * picture_.height / height_) *
               static_cast<size_t>(picture_.width) +
           static_cast<size_t>(static_cast<int64_t>(x) * picture_.width / width_);
  }

  ImU32 shade(int x, int y) {
    const size_t from = source(x, y);
    const uint8_t marks = picture_.marks[from];
    if (marks & GridPicture::kNothing) return color(Role::Panel);
    ImU32 ink = marks & GridPicture::kUnknown
                    ? mix(color(Role::Panel), color(Role::Raised), (x / 3 + y / 3) % 2 ? 0.7f : 0.2f)
                    : shades_.of(picture_.values[from]);
    const uint32_t lit = picture_.views[from];
    for (int pass = 0; pass < 2 && lit; ++pass)
      for (size_t i = 0; i < std::min(views_.size(), kMostViews); ++i) {
        const GridView& view = views_[i];
        if (!(lit >> i & 1) || view.covers_all || view.selected != (pass == 1)) continue;
        const float strength = view.selected ? 0.52f : 0.30f;
        ink = mix(ink, view_color(view.color),
                  strength + (0.9f - strength) * 0.5f * cover(hatch_of_view(view.color), x, y));
      }
    if (marks & GridPicture::kChanged) ink = mix(ink, color(Role::Accent), 0.45f);
    if (marks & GridPicture::kOverlap) ink = mix(ink, color(Role::Overlap), 0.7f * cover(Hatch::Cross, x, y));
    return ink;
  }

  void paint_gaps(int cell, int gap) {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        if (x % cell >= cell - gap || y % cell >= cell - gap) at(x, y) = color(Role::Panel);
  }

  // A NaN among a thousand numbers must be seen: it takes three pixels by three at least.
  void mark_specials() {
    const ImU32 wrong = color(Role::Wrong);
    for (int py = 0; py < picture_.height; ++py)
      for (int p = 0; p < picture_.width; ++p) {
        const auto from =
            static_cast<size_t>(py) * static_cast<size_t>(picture_.width) + static_cast<size_t>(p);
        if (!(picture_.marks[from] & GridPicture::kSpecial)) continue;
        const int x0 = p * width_ / picture_.width, x1 = std::max((p + 1) * width_ / picture_.width, x0 + 1);
        const int y0 = py * height_ / picture_.height,
                  y1 = std::max((py + 1) * height_ / picture_.height, y0 + 1);
        const int grow_x = x1 - x0 < 3 ? 1 : 0, grow_y = y1 - y0 < 3 ? 1 : 0;
        for (int y = std::max(y0 - grow_y, 0); y < std::min(y1 + grow_y, height_); ++y)
          for (int x = std::max(x0 - grow_x, 0); x < std::min(x1 + grow_x, width_); ++x) at(x, y) = wrong;
      }
  }

  const GridPicture& picture_;
  const std::vector<GridView>& views_;
  const int width_, height_;
  const Shades shades_;
  const int period_;
  std::vector<float> hatches_[kHatches];
  std::vector<uint32_t> pixels_;
};

}  // namespace

std::vector<uint32_t> paint_picture(const GridPicture& picture, const std::vector<GridView>& views, int width,
                                    int height, float cell, float gap) {
  return Pixels(picture, views, width, height).paint(static_cast<int>(cell), static_cast<int>(gap));
}

uint8_t marks_of(const GridPicture& picture) {
  uint8_t all = 0;
  for (uint8_t marks : picture.marks) all |= marks;
  return all;
}

void note_marks(uint8_t all, GridOutput& output) {
  output.any_special |= (all & GridPicture::kSpecial) != 0;
  output.any_changed |= (all & GridPicture::kChanged) != 0;
  output.any_overlap |= (all & GridPicture::kOverlap) != 0;
  output.any_unknown |= (all & GridPicture::kUnknown) != 0;
}

}  // namespace cutaway::inspector
