#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "inspector/model/json.h"
#include "inspector/model/session.h"
#include "inspector/model/storage_model.h"
#include "inspector/model/text.h"
#include "scratch_file.h"

using namespace cutaway;
using namespace cutaway::inspector;

namespace {

std::set<int64_t> brute_force(const Geometry& g) {
  std::set<int64_t> lit;
  std::vector<int64_t> index(g.sizes.size());
  for (int64_t i = 0; i < g.numel(); ++i) {
    int64_t rest = i;
    for (size_t d = g.sizes.size(); d-- > 0; rest /= g.sizes[d]) index[d] = rest % g.sizes[d];
    lit.insert(g.element(index));
  }
  return lit;
}

std::string random_step(std::mt19937& random, size_t ndim) {
  const auto dim = [&] { return std::to_string(random() % ndim); };
  switch (random() % 7) {
    case 0: return ".transpose(" + dim() + ", " + dim() + ")";
    case 1: return "[" + std::to_string(random() % 2) + ":, ...]";
    case 2: return ".unfold(" + dim() + ", 2, 1)";
    case 3: return "[..., ::2]";
    case 4: return ".unsqueeze(0).expand(3" + std::string([&] { std::string s; for (size_t i = 0; i < ndim; ++i) s += ", -1"; return s; }()) + ")";
    case 5: return "[..., 5:]";
    default: return "[None]";
  }
}

}  // namespace

TEST_CASE("VIEW-1 UI-1 the lit cells equal brute force for 200 random chains of views") {
  constexpr unsigned kSeed = 42;
  std::mt19937 random(kSeed);
  INFO("seed ", kSeed);
  const ScratchFile file({4, 5, 6});
  int overlapping = 0, empty = 0, zero_stride = 0;
  for (int round = 0; round < 200; ++round) {
    Session session(Document::open_files({file.path()}));
    std::string expression = "x";
    for (int step = 0; step < 3; ++step) {
      const std::string before = expression;
      expression += random_step(random, session.lab.sizes.size());
      session.add_view(expression);
      if (session.failure()) expression = before;
    }
    const StorageModel model = make_storage_model(session);
    const auto selected = std::find_if(model.overlays.begin(), model.overlays.end(), [](const Overlay& o) { return o.selected; });
    REQUIRE(selected != model.overlays.end());
    const auto place = static_cast<size_t>(selected - model.overlays.begin());
    const std::set<int64_t> wanted = brute_force(selected->geometry);
    const std::vector<Cell> cells = storage_cells(session, model, 0, model.elements);
    REQUIRE(cells.size() == 120);
    for (size_t i = 0; i < cells.size(); ++i) REQUIRE_MESSAGE((cells[i].lit >> place & 1) == wanted.count(static_cast<int64_t>(i)), expression);
    overlapping += static_cast<int64_t>(wanted.size()) < selected->geometry.numel();
    empty += wanted.empty();
    for (int64_t stride : selected->geometry.strides) zero_stride += stride == 0;
  }
  CHECK(overlapping > 10);
  CHECK(empty > 0);
  CHECK(zero_stride > 10);
}

TEST_CASE("UI-1 the frame at event k is the same reached forward and backward") {
  const ScratchFile file({4, 6});
  Session forward(Document::open_files({file.path()}));
  forward.add_view("x[1:, ::2].transpose(0, 1)");
  forward.add_view("x.t().view(-1)");
  std::vector<std::string> frames;
  forward.seek(0);
  for (size_t k = 0; k <= forward.trace().size(); ++k) {
    forward.seek(k);
    frames.push_back(frame_text(forward));
  }
  for (size_t k = forward.trace().size() + 1; k-- > 0;) {
    forward.seek(k);
    CHECK(forward.time() == k);
  }
  for (size_t k = 0; k <= forward.trace().size(); ++k) {
    forward.seek(k);
    CHECK_MESSAGE(frame_text(forward) == frames[k], k);
  }
}

TEST_CASE("MEM-6 a small view of a large storage is warned about") {
  const ScratchFile file({100, 100});
  Session session(Document::open_files({file.path()}));
  session.add_view("x[3]");
  const StorageModel model = make_storage_model(session);
  CHECK(model.reachable_bytes == 400);
  CHECK(model.reach_warning.find("reads 400 B and keeps 39.1 KiB alive") != std::string::npos);
}

TEST_CASE("VIEW-10b the card says when PyTorch's rule finds overlap too hard") {
  const ScratchFile file({7});
  Session session(Document::open_files({file.path()}));
  session.add_view("x.unfold(0, 3, 1)");
  const std::string card = panel_text(session, "card");
  CHECK(card.find("too hard") != std::string::npos);
  CHECK(card.find("are both element") != std::string::npos);
}

TEST_CASE("VIEW-12 the View lab offers the presets and the reverse look-up") {
  const ScratchFile file({8, 8});
  Session session(Document::open_files({file.path()}));
  session.select_element(9);
  const std::string lab = panel_text(session, "lab");
  CHECK(lab.find("element 9 (byte 36) is read by [1, 1]") != std::string::npos);
}

TEST_CASE("UI-1 an empty document has a text for every panel") {
  Session session(Document::empty());
  for (const std::string& panel : panel_names()) CHECK_FALSE(panel_text(session, panel).empty());
  CHECK(frame_json(session).find("\"tensors\": []") != std::string::npos);
}

TEST_CASE("a session clamps, and walks selections back and forth") {
  const ScratchFile file({4, 6});
  Session session(Document::open_files({file.path()}));
  session.seek(1'000'000);
  CHECK(session.time() == session.trace().size());
  session.step(-1'000'000);
  CHECK(session.time() == 0);
  session.seek(session.trace().size());
  session.add_view("x[0]");
  const ObjectId view = session.selection().tensor;
  session.select_tensor(session.document().tensor_named("x"));
  session.look_back();
  CHECK(session.selection().tensor == view);
  session.look_forward();
  CHECK(session.selection().tensor == session.document().tensor_named("x"));
}
