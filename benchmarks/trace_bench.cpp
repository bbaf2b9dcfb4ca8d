// What a trace costs: recording a million events, opening them, moving through them, and the memory they
// take.
//
//   trace_bench [EVENTS]
//
// Ten thousand tensors over as many storages live all the time, and events fall on them at random: the worst
// case for keyframes, where nothing stays the same between two of them. Prints each figure beside its target.
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

#include "core/observer.h"
#include "trace/builder.h"
#include "trace/recorder.h"
#include "trace/replay.h"
#include "trace/trace_file.h"

namespace {

using namespace cutaway;
using namespace cutaway::trace;

constexpr size_t kTensors = 10'000;
constexpr size_t kStorageBytes = 1024;

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

// Tells an observer a program: tensors are made, then whatever happens to tensors happens to them.
class Program {
 public:
  // Ids of storage, tensor and counter number i are first + 3 i, + 1 and + 2.
  Program(uint64_t first_id, size_t tensors, uint64_t seed)
      : first_(first_id), random_(seed), bytes_(kStorageBytes * tensors), versions_(tensors) {}

  // Returns: how many events were told.
  size_t make_tensors(Observer& o) {
    const int64_t sizes[] = {16, 16}, strides[] = {16, 1};
    for (size_t i = 0; i < versions_.size(); ++i) {
      StorageFacts storage;
      storage.storage = first_ + 3 * i;
      storage.nbytes = kStorageBytes;
      storage.allocator = "cpu";
      o.storage_allocated(storage);
      TensorFacts tensor = facts(i, sizes, strides);
      o.tensor_made(tensor);
      o.tensor_named(tensor.tensor, "t" + std::to_string(i));
    }
    return 3 * versions_.size();
  }

  size_t run(Observer& o, size_t events) {
    size_t told = 0;
    while (told < events) told += step(o);
    return told;
  }

 private:
  TensorFacts facts(size_t i, const int64_t* sizes, const int64_t* strides) const {
    TensorFacts f;
    f.storage = first_ + 3 * i;
    f.tensor = f.storage + 1;
    f.version_counter = f.storage + 2;
    f.version = versions_[i];
    f.sizes = {sizes, 2};
    f.strides = {strides, 2};
    f.dtype = ScalarType::Float;
    return f;
  }

  // One in-place operation: six events.
  size_t step(Observer& o) {
    const size_t i = random_() % versions_.size();
    const uint64_t begin = random_() % (kStorageBytes / 16) * 16;
    std::byte* data = bytes_.data() + kStorageBytes * i;
    o.op_begin("add_", "add_(3)", {});
    o.counts_changed(first_ + 3 * i, static_cast<uint32_t>(random_() % 5 + 1), 1);
    WriteFacts w;
    w.storage = first_ + 3 * i;
    w.tensor = w.storage + 1;
    w.begin = begin;
    w.end = begin + 16;
    w.data = data;
    w.version = versions_[i];
    o.before_write(w);
    data[begin] = static_cast<std::byte>(random_());
    o.version_changed(w.storage + 2, versions_[i], versions_[i] + 1);
    w.version = ++versions_[i];
    o.written(w);
    o.op_end();
    const int64_t sizes[] = {16, 16}, strides[] = {1, 16};
    o.tensor_changed(facts(i, sizes, strides));
    return 6;
  }

  uint64_t first_;
  std::mt19937_64 random_;
  std::vector<std::byte> bytes_;
  std::vector<uint64_t> versions_;
};

// A recording of about `events` events. Returns: nanoseconds an event.
double record(size_t events, int threads, const std::string& path, std::shared_ptr<const Trace>& trace) {
  RecorderOptions options;
  options.counts = true;
  Recording recording = path.empty() ? Recording(options) : Recording(path, options);
  trace = recording.trace();
  std::vector<Program> programs;
  for (int i = 0; i < threads; ++i)
    programs.emplace_back(1 + 3 * kTensors * static_cast<size_t>(i), kTensors / static_cast<size_t>(threads),
                          7 + i);
  const auto clock = threads > 1 ? wall_now : now;
  const double begin = clock();
  std::vector<std::thread> others;
  for (Program& program : programs)
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
