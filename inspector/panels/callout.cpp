#include "inspector/panels/callout.h"

#include <algorithm>

#include "inspector/widgets/dims.h"
#include "inspector/widgets/draw.h"

namespace cutaway::inspector {
namespace {

constexpr float kPad = 16, kBar = 4, kApart = 28, kLeastText = 330;
constexpr int64_t kMostDims = 8;

bool has_brackets(const Callout& callout) {
  return callout.verdict && !callout.verdict->possible && callout.verdict->outer >= 0 &&
         callout.source.dim() > 0 && callout.source.dim() <= kMostDims;
}

// A refusal carries the library's error; a copy is only told.
bool refuses(const Callout& callout) { return callout.message.find("Error: ") != std::string::npos; }

Dims dims_of(const Callout& callout) {
  return {{callout.source.sizes.data(), callout.source.sizes.size()},
          {callout.source.strides.data(), callout.source.strides.size()},
          static_cast<int>(callout.verdict->outer),
          static_cast<int>(callout.verdict->inner),
          "cannot merge",
          Role::Wrong};
}

struct Words {
  float wrap = 0;

  static TextStyle title() { return strong(kBody); }
  static TextStyle message() { return mono(kRuler, Role::Quiet); }
  static TextStyle why() { return words(14); }

  float height(const Callout& callout) const {
    float sum = text_size(callout.title, title(), wrap).y;
    if (!callout.message.empty()) sum += px(6) + text_size(callout.message, message(), wrap).y;
    if (!callout.why.empty()) sum += px(8) + text_size(callout.why, why(), wrap).y;
    return sum;
  }
};

// The brackets stand at the right of the words when that leaves these room enough, else below.
struct Arrangement {
  bool brackets = false;
  bool beside = false;
  ImVec2 dims{};
  Words told{};
  float height = 0;

  Arrangement(const Callout& callout, float width) {
    brackets = has_brackets(callout);
    if (brackets) dims = dims_size(dims_of(callout));
    const float inner = width - px(2 * kPad + kBar);
    beside = brackets && inner - dims.x - px(kApart) >= px(kLeastText);
    told.wrap = beside ? inner - dims.x - px(kApart) : inner;
    const float said = told.height(callout);
    height = px(2 * kPad - 4) + (beside ? std::max(said, dims.y) : said + (brackets ? px(12) + dims.y : 0));
  }
};

}  // namespace

float callout_height(const Callout& callout, float width) { return Arrangement(callout, width).height; }

void draw_callout(ImVec2 at, float width, const Callout& callout) {
  const Arrangement arranged(callout, width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + arranged.height};
  list->AddRectFilled(at, end, color(Role::Raised, 0.75f), px(6));
  list->AddRectFilled(at, {at.x + px(kBar), end.y}, color(refuses(callout) ? Role::Wrong : Role::Accent),
                      px(2));
  budget().weight += 2 * Budget::kRounded;
  ImVec2 pen{at.x + px(kPad + kBar), at.y + px(kPad - 2)};
  const float wrap = arranged.told.wrap;
  const auto say = [&](std::string_view text, const TextStyle& style, float above) {
    if (text.empty()) return;
    pen.y += px(above);
    draw_text(list, pen, text, style, wrap);
    pen.y += text_size(text, style, wrap).y;
  };
  say(callout.title, Words::title(), 0);
  say(callout.message, Words::message(), 6);
  say(callout.why, Words::why(), 8);
  if (!arranged.brackets) return;
  const ImVec2 beside{end.x - px(kPad) - arranged.dims.x, at.y + px(kPad - 2)};
  draw_dims(list, arranged.beside ? beside : ImVec2{pen.x, pen.y + px(12)}, dims_of(callout));
}

}  // namespace cutaway::inspector
