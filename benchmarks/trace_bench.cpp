// What a trace costs: recording a million events, opening them, moving through them, and the memory they
// take.
//
//   trace_bench [EVENTS]
//
// Prints each figure beside its target; the program that is recorded is in busy_program.h.
// Times are processor time, which a busy machine does not spoil, but for the two threads, whose waiting
// counts.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/busy_program.h"
#include "core/observer.h"
#include "trace/builder.h"
#include "trace/recorder.h"
#include "trace/replay.h"
#include "trace/trace_file.h"

namespace {

using namespace cutaway;
using namespace cutaway::trace;

using bench::BusyProgram;
using bench::kStorageBytes;
using bench::kTensors;

double now() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

double wall_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print(const char* what, double figure, const char* unit, double target) {
  std::printf("%-44s %10.3f %-4s", what, figure, unit);
  if (target > 0)
    std::printf("  target %8.3f  %s\n", target, figure <= target ? "held" : "MISSED");
  else
    std::printf("\n");
}

double heap_mib() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd) / (1 << 20);
}

// A recording of about `events` events. Returns: nanoseconds an event.
double record(size_t events, int threads, const std::string& path, std::shared_ptr<const Trace>& trace) {
  RecorderOptions options;
  options.counts = true;
  Recording recording = path.empty() ? Recording(options) : Recording(path, options);
  trace = recording.trace();
  std::vector<BusyProgram> programs;
  for (int i = 0; i < threads; ++i)
    programs.emplace_back(1 + 3 * kTensors * static_cast<size_t>(i), kTensors / static_cast<size_t>(threads),
                          7 + i);
  const auto clock = threads > 1 ? wall_now : now;
  const double begin = clock();
  std::vector<std::thread> others;
  for (BusyProgram& program : programs)
    others.emplace_back([&program, share = events / programs.size()] {
      const size_t made = program.make_tensors(*observer());
      program.run(*observer(), share - std::min(share, made));
    });
  for (std::thread& other : others) other.join();
  recording.stop();
  return (clock() - begin) / static_cast<double>(trace->size()) * 1e9;
}

void print_moves(const Trace& trace) {
  std::mt19937_64 random(3);
  Replay replay(trace);
  std::vector<double> seeks;
  for (int i = 0; i < 2000; ++i) {
    const size_t t = random() % (trace.size() + 1);
    const double begin = now();
    replay.seek(t);
    const World world = replay.world();
    seeks.push_back((now() - begin) * 1e3);
  }
  std::sort(seeks.begin(), seeks.end());
  print("seek, median", seeks[seeks.size() / 2], "ms", 5);
  print("seek, p99", seeks[seeks.size() * 99 / 100], "ms", 5);
  print("seek, worst of 2,000", seeks.back(), "ms", 0);
  for (const bool back : {false, true}) {
    constexpr int kSteps = 20'000;
    replay.seek(trace.size() / 2);
    const double begin = now();
    for (int i = 0; i < kSteps; ++i) {
      back ? replay.step_back() : replay.step_forward();
      const World world = replay.world();
    }
    print(back ? "step back, with a world to draw from" : "step forward, with a world to draw from",
          (now() - begin) / kSteps * 1e3, "ms", 1);
  }
  replay.seek(trace.size() / 2);
  const double begin = now();
  for (int i = 0; i < 200'000; ++i) replay.step_back();
  print("step back alone", (now() - begin) / 200'000 * 1e6, "us", 0);
}

void print_bytes(const Trace& trace) {
  std::mt19937_64 random(5);
  std::vector<std::byte> out(kStorageBytes);
  std::vector<ByteState> known(kStorageBytes);
  constexpr int kReads = 20'000;
  double begin = now();
  for (int i = 0; i < kReads; ++i)
    trace.bytes_at(random() % (trace.size() + 1), 1 + 3 * (random() % kTensors), 0, out, known);
  print("1 KiB of a storage at a random time", (now() - begin) / kReads * 1e6, "us", 0);
  begin = now();
  trace.events_touching(1);
  print("events touching an object, the first time", (now() - begin) * 1e3, "ms", 0);
}

int run(size_t events) {
  const std::string path = "trace_bench." + std::to_string(::getpid()) + ".trace";
  std::shared_ptr<const Trace> trace;
  const double heap = heap_mib();
  const double memory_ns = record(events, 1, "", trace);
  const double recorded_mib = heap_mib() - heap - static_cast<double>(trace->bytes_kept()) / (1 << 20);
  std::printf("%zu events, %zu tensors, %.1f MiB of contents\n", trace->size(), kTensors,
              static_cast<double>(trace->bytes_kept()) / (1 << 20));
  print("record an event, in memory", memory_ns / 1e3, "us", 1);
  print("memory beside the byte store", recorded_mib * 1e6 / static_cast<double>(trace->size()), "MiB", 300);
  trace.reset();
  print("record an event, two threads at once", record(events, 2, "", trace) / 1e3, "us", 1);
  trace.reset();
  print("record an event, to a file", record(events, 1, path, trace) / 1e3, "us", 1);
  trace.reset();
  double best = 1e9;
  LoadedTrace loaded;
  for (int i = 0; i < 5; ++i) {
    loaded = {};
    const double begin = now();
    loaded = read_trace(path);
    best = std::min(best, (now() - begin) * 1e3);
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::fseek(file, 0, SEEK_END);
  print("file", static_cast<double>(std::ftell(file)) / (1 << 20), "MiB", 0);
  std::fclose(file);
  std::remove(path.c_str());
  print("open the file, best of 5", best, "ms", 200);
  print_moves(*loaded.trace);
  print_bytes(*loaded.trace);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000); }
