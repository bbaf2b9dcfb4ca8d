// What the inspector costs: first frame, an ordinary screen, a large grid, a million events. Target beside figure.
//
//   inspector_bench SCRATCH_FOLDER
//
// Frames are drawn by the same code as in a window, on the software OpenGL context, each as if something had
// changed. tools/run_benchmarks.py adds what needs a window.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/busy_program.h"
#include "inspector/app/app.h"
#include "inspector/app/headless.h"
#include "inspector/model/document.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/session.h"
#include "inspector/model/timeline_model.h"
#include "io/npy.h"
#include "trace/recorder.h"

namespace {

using namespace cutaway;
using namespace cutaway::inspector;
using Clock = std::chrono::steady_clock;

constexpr double kSmooth = 1000.0 / 60, kUsable = 1000.0 / 30;
constexpr size_t kEvents = 1'000'000;
constexpr int kFrames = 100;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::vector<double> sorted(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times;
}

void row(const char* what, double target, double median, double worst) {
  std::printf("%-46s %8.0f ms %9.2f ms %9.2f ms  %-6s", what, target, median, worst,
              median <= target ? "held" : "MISSED");
}

void once(const char* what, double target, double time) {
  row(what, target, time, time);
  std::printf("\n");
}

template <class F>
void repeated(const char* what, double target, int times, const F& run) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    const auto start = Clock::now();
    run();
    all.push_back(milliseconds_since(start));
  }
  all = sorted(std::move(all));
  row(what, target, all[all.size() / 2], all.back());
  std::printf("\n");
}

// Frames of one session; before each of them, `change` may move it.
template <class F>
void frames(const char* what, double target, Headless& headless, Session& session, const F& change) {
  std::vector<double> times;
  Headless::FrameCost cost;
  for (int i = 0; i < 4; ++i) headless.draw(session);
  for (int i = 0; i < kFrames; ++i) {
    const auto start = Clock::now();
    change();
    cost = headless.draw(session);
    times.push_back(milliseconds_since(start));
  }
  times = sorted(std::move(times));
  row(what, target, times[kFrames / 2], times.back());
  std::printf(" %6d vertices %3d draws\n", cost.vertices, cost.draw_commands);
}

void record_busy_program(const std::string& path) {
  trace::RecorderOptions options;
  options.counts = true;
  trace::Recording recording(path, options);
  bench::BusyProgram program(1, bench::kTensors, 7);
  const size_t made = program.make_tensors(*observer());
  program.run(*observer(), kEvents - made);
}

void files(Headless& headless, const std::string& folder) {
  const std::string grid = folder + "/grid.npy";
  {
    std::vector<float> values(16 << 20);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000);
    io::write_npy(grid, {"grid", ScalarType::Float, {4096, 4096}, values.data(), values.size() * 4});
  }
  const auto opened = Clock::now();
  Session large(Document::open_files({grid}));
  once("grid of 16 M elements, opened", 200, milliseconds_since(opened));
  frames("grid of 16 M elements, values", kUsable, headless, large, [] {});
  headless.app(large).run("canvas.fit");
  frames("grid of 16 M elements, whole", kUsable, headless, large, [] {});
}

void events(Headless& headless, const std::string& folder) {
  const std::string path = folder + "/busy.trace";
  record_busy_program(path);
  const auto opened = Clock::now();
  Session session(Document::open_trace(path, false));
  const size_t size = session.trace().size();
  once("1 M events and 10 k tensors, opened", 200, milliseconds_since(opened));
  const auto first = Clock::now();
  headless.draw(session);
  once("  their first frame", 500, milliseconds_since(first));
  std::mt19937_64 random(3);
  repeated("  seek", 5, 500, [&] { session.seek(random() % size); });
  session.seek(size / 2);
  repeated("  step", 1, 500, [&] { session.step(-1); });
  for (const char* words : {"op:add_", "kind:write", "t17", "touches:here"}) {
    const auto filtering = Clock::now();
    make_event_list(session, words);
    once((std::string("  filter the events: ") + words).c_str(), 100, milliseconds_since(filtering));
  }
  const auto filtering = Clock::now();
  make_explorer_model(session, "size>100 t9");
  once("  filter the tensors: size>100 t9", 100, milliseconds_since(filtering));
  frames("  window at rest: timeline, list, Explorer", kUsable, headless, session, [] {});
  frames("  window, a step before every frame", kUsable, headless, session, [&] { session.step(1); });
  frames("  window, a far seek before every frame", kUsable, headless, session,
         [&] { session.seek(random() % size); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: inspector_bench SCRATCH_FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1], small = folder + "/small.npy";
  std::vector<float> values(12 * 16);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  io::write_npy(small, {"small", ScalarType::Float, {12, 16}, values.data(), values.size() * 4});

  std::printf("%-46s %11s %12s %12s\n", "", "target", "median", "worst");
  const auto start = Clock::now();
  Headless headless(Options{});
  Session ordinary(Document::open_files({small}));
  headless.draw(ordinary);
  once("first frame, headless", 150, milliseconds_since(start));
  frames("ordinary screen, 192 elements", kSmooth, headless, ordinary, [] {});
  files(headless, folder);
  events(headless, folder);
  return 0;
}
