// What the inspector costs: first frame, an ordinary screen, large grids, large timelines. Target beside figure.
//
//   inspector_bench SCRATCH_FOLDER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "inspector/app/headless.h"
#include "inspector/model/document.h"
#include "inspector/model/session.h"
#include "io/npy.h"

namespace {

using namespace cutaway;
using namespace cutaway::inspector;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void row(const char* what, double target, double median, double worst, int vertices, int commands) {
  std::printf("%-46s %9.0f ms %9.2f ms %9.2f ms %9d %6d\n", what, target, median, worst, vertices, commands);
}

// 100 frames of one session.
void frames(const char* what, double target, Headless& headless, Session& session) {
  std::vector<double> times;
  Headless::FrameCost cost;
  for (int i = 0; i < 4; ++i) headless.draw(session);
  for (int i = 0; i < 100; ++i) {
    cost = headless.draw(session);
    times.push_back(cost.milliseconds);
  }
  std::sort(times.begin(), times.end());
  row(what, target, times[50], times[99], cost.vertices, cost.draw_commands);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: inspector_bench SCRATCH_FOLDER\n");
    return 2;
  }
  const std::string grid = std::string(argv[1]) + "/grid.npy", small = std::string(argv[1]) + "/small.npy";
  std::vector<float> values(16 << 20);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000);
  io::write_npy(grid, {"grid", ScalarType::Float, {4096, 4096}, values.data(), values.size() * 4});
  io::write_npy(small, {"small", ScalarType::Float, {12, 16}, values.data(), 12 * 16 * 4});

  std::printf("%-46s %12s %12s %12s %9s %6s\n", "", "target", "median", "worst", "vertices", "draws");
  const auto start = Clock::now();
  Options options;
  Headless headless(options);
  Session ordinary(Document::open_files({small}));
  headless.draw(ordinary);
  row("first frame, headless", 150, milliseconds_since(start), milliseconds_since(start), 0, 0);
  frames("ordinary screen, 192 elements", 1000.0 / 60, headless, ordinary);
  const auto opened = Clock::now();
  Session large(Document::open_files({grid}));
  row("grid of 16 M elements, opened", 200, milliseconds_since(opened), milliseconds_since(opened), 0, 0);
  frames("grid of 16 M elements, values", 1000.0 / 30, headless, large);
  return 0;
}
