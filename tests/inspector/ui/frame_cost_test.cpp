// What frames cost, in counts that are the same on every machine: heap allocations of our own code, vertices, draw commands,
// and the weight of the budget. Milliseconds are for the benchmarks.

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "../../core/allocation_count.h"
#include "golden.h"
#include "inspector/app/app.h"
#include "inspector/app/headless.h"
#include "inspector/widgets/budget.h"

using namespace cutaway::inspector;

namespace {

struct Opened {
  Session session;
  Headless headless;

  Opened(std::shared_ptr<Document> document, const Options& options)
      : session(std::move(document)), headless(options) {}
};

std::unique_ptr<Opened> open_tour(const std::string& panel = "") {
  draw_in_software();
  Options options;
  options.panel = panel;
  auto opened = std::make_unique<Opened>(Document::open_trace(CUTAWAY_TOUR, false), options);
  opened->session.seek(56);
  return opened;
}

// Allocations of one frame in which nothing changed.
size_t allocations_of_steady_frame(Opened& opened) {
  for (int i = 0; i < 12; ++i) opened.headless.draw(opened.session);
  const size_t before = allocations_so_far();
  for (int i = 0; i < 4; ++i) opened.headless.draw(opened.session);
  return (allocations_so_far() - before) / 4;
}

}  // namespace

TEST_CASE("a steady frame allocates nothing, panel by panel") {
  for (const Panel& panel : panels()) {
    CAPTURE(panel.id);
    const auto opened = open_tour(panel.id);
    CHECK(allocations_of_steady_frame(*opened) == 0);
  }
}

TEST_CASE("a steady frame of the whole window allocates nothing, and nothing moves") {
  const auto opened = open_tour();
  CHECK(allocations_of_steady_frame(*opened) == 0);
  CHECK(opened->headless.app(opened->session).is_moving() == false);
}

TEST_CASE("the whole window stays within its counts") {
  const auto opened = open_tour();
  Headless::FrameCost cost;
  for (int i = 0; i < 6; ++i) cost = opened->headless.draw(opened->session);
  CHECK(cost.vertices < 16000);
  CHECK(cost.draw_commands < 40);
  CHECK(cost.weight < Budget::kMost);
}
