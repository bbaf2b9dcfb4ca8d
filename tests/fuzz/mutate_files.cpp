// Reads thousands of damaged files of each format and tells whether any of them crashed the reader, was slow,
// or cost much memory. Deterministic: the same numbers give the same files everywhere.
//
//   mutate_files [--files N] [--seed S] [--format NAME] [--corpus DIR] [--keep DIR] [--only INDEX]
//
// A supervisor forks a worker, which reads file after file and notes in shared memory which one it is at.
// When the worker ends before its time, that file is a failure: it is written to --keep, and a new worker
// goes on behind it.
// --only INDEX reads one file in this process, for a debugger.
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/fuzz/allocation_meter.h"
#include "tests/fuzz/fuzz_format.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/mutator.h"

namespace cutaway::fuzz {

namespace {

constexpr double kMostMilliseconds = 1000;  // of processor time, for each file
constexpr unsigned kMostWallSeconds = 60;   // for a worker that waits for something that never comes
constexpr uint64_t kMostBytes = 1u << 30;
constexpr int kMostFailures = 20;

struct Options {
  uint64_t files = 20'000;
  uint64_t seed = 1;
  std::string format;
  std::string corpus = CUTAWAY_FUZZ_CORPUS;
  std::string keep = "mutate_files_failures";
  int64_t only = -1;
};

// What worker and supervisor share.
struct Tally {
  uint64_t current;
  uint64_t readable;
  double slowest_ms;
  uint64_t slowest_file;
  uint64_t peak_bytes;
  uint64_t peak_file;
};

struct Subject {
  FuzzFormat format;
  std::vector<std::string> seeds;  // good files
  std::vector<std::string> all;    // and those in found/, odd ones that libFuzzer kept
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Returns: the files of a folder in the order of their names; none when there is no such folder.
std::vector<std::string> read_folder(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code missing;
  for (const auto& item : std::filesystem::directory_iterator(folder, missing)) {
    if (item.is_regular_file()) paths.push_back(item.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) files.push_back(read_file(path));
  return files;
}

std::vector<Subject> load_subjects(const Options& options) {
  std::vector<Subject> subjects;
  for (const FuzzFormat& format : fuzz_formats()) {
    if (!options.format.empty() && format.name != options.format) continue;
    Subject subject{format, {}, {}};
    const std::string folder = options.corpus + "/" + std::string(format.name);
    subject.seeds = read_folder(folder);
    subject.all = read_folder(folder + "/found");
    CUTAWAY_CHECK(!subject.seeds.empty(), "no seed files for ", format.name, " in ", options.corpus);
    subject.all.insert(subject.all.begin(), subject.seeds.begin(), subject.seeds.end());
    subjects.push_back(std::move(subject));
  }
  CUTAWAY_CHECK(!subjects.empty(), "there is no format ", options.format);
  return subjects;
}

const Subject& subject_of(const std::vector<Subject>& subjects, uint64_t index) {
  return subjects[index % subjects.size()];
}

// Returns: file number `index`. The first few of each format are those of the corpus, undamaged.
std::string make_file(const std::vector<Subject>& subjects, const Options& options, uint64_t index) {
  const Subject& subject = subject_of(subjects, index);
  const uint64_t turn = index / subjects.size();
  if (turn < subject.all.size()) return subject.all[turn];
  constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;  // so that neighbouring seeds have nothing in common
  return Mutator(options.seed * kSpread + index)
      .mutate(subject.format, turn % 4 == 0 ? subject.all : subject.seeds);
}

double processor_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Lets the system end this process when it has used `ms` of processor time; 0 takes that back.
void set_processor_limit(double ms) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(ms / 1000);
  timer.it_value.tv_usec = static_cast<suseconds_t>(ms * 1000) % 1'000'000;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void read_one(const Subject& subject, const std::string& path, uint64_t index, Tally& tally) {
  start_meter(kMostBytes);
  set_processor_limit(kMostMilliseconds);
  ::alarm(kMostWallSeconds);
  const double begin = processor_ms();
  try {
    subject.format.read(path);
    ++tally.readable;
  } catch (const Error&) {
    // Refused with a message, as a damaged file should be.
  }
  const double ms = processor_ms() - begin;
  ::alarm(0);
  set_processor_limit(0);
  const uint64_t bytes = stop_meter();
  if (ms > tally.slowest_ms) {
    tally.slowest_ms = ms;
    tally.slowest_file = index;
  }
  if (bytes > tally.peak_bytes) {
    tally.peak_bytes = bytes;
    tally.peak_file = index;
  }
}

// Reads files from tally.current to the end.
void work(const std::vector<Subject>& subjects, const Options& options, Tally& tally) {
  MemoryFile file;
  for (; tally.current < options.files; ++tally.current) {
    file.write(make_file(subjects, options, tally.current));
    read_one(subject_of(subjects, tally.current), file.path(), tally.current, tally);
  }
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGPROF) return "took more than a second";
    if (signal == SIGALRM) return "hung";
    return std::string("died of ") + strsignal(signal);
  }
  if (WEXITSTATUS(status) == kOverLimitExit) return "took more than 1 GiB";
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

void keep_file(const std::vector<Subject>& subjects, const Options& options, uint64_t index,
               const std::string& how) {
  if (index >= options.files) {
    std::printf("FAILED behind the last file: %s\n", how.c_str());
    return;
  }
  const std::string name(subject_of(subjects, index).format.name);
  std::filesystem::create_directories(options.keep);
  const std::string path = options.keep + "/" + std::to_string(index) + "." + name;
  const std::string bytes = make_file(subjects, options, index);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::printf("FAILED file %llu (%s): %s; kept as %s; again: mutate_files --seed %llu --only %llu%s%s\n",
              static_cast<unsigned long long>(index), name.c_str(), how.c_str(), path.c_str(),
              static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(index),
              options.format.empty() ? "" : " --format ", options.format.c_str());
}

// Returns: how many files ended a worker.
int supervise(const std::vector<Subject>& subjects, const Options& options, Tally& tally) {
  int failures = 0;
  while (failures < kMostFailures) {
    std::fflush(nullptr);
    const pid_t worker = ::fork();
    CUTAWAY_CHECK(worker >= 0, "cannot fork");
    if (worker == 0) {
      work(subjects, options, tally);
      std::exit(0);  // and not _exit: a leak checker reports here
    }
    int status = 0;
    ::waitpid(worker, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return failures;
    ++failures;
    keep_file(subjects, options, tally.current, describe_end(status));
    if (tally.current++ >= options.files) return failures;
  }
  return failures;
}

Options parse_options(int argc, char** argv) {
  Options options;
  std::map<std::string, std::string> words;
  CUTAWAY_CHECK(argc % 2 == 1,
                "usage: mutate_files [--files N] [--seed S] [--format NAME] [--corpus DIR] "
                "[--keep DIR] [--only INDEX]");
  for (int i = 1; i < argc; i += 2) words[argv[i]] = argv[i + 1];
  for (const auto& [key, value] : words) {
    if (key == "--files")
      options.files = std::stoull(value);
    else if (key == "--seed")
      options.seed = std::stoull(value);
    else if (key == "--format")
      options.format = value;
    else if (key == "--corpus")
      options.corpus = value;
    else if (key == "--keep")
      options.keep = value;
    else if (key == "--only")
      options.only = std::stoll(value);
    else
      CUTAWAY_CHECK(false, "unknown option ", key);
  }
  return options;
}

int run(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  const std::vector<Subject> subjects = load_subjects(options);
  void* shared = ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CUTAWAY_CHECK(shared != MAP_FAILED, "cannot map shared memory");
  Tally& tally = *new (shared) Tally{};
  if (options.only >= 0) {
    MemoryFile file;
    const auto index = static_cast<uint64_t>(options.only);
    file.write(make_file(subjects, options, index));
    read_one(subject_of(subjects, index), file.path(), index, tally);
    std::printf("file %lld: %.1f ms, %.1f MiB\n", static_cast<long long>(options.only), tally.slowest_ms,
                static_cast<double>(tally.peak_bytes) / (1 << 20));
    return 0;
  }
  const int failures = supervise(subjects, options, tally);
  std::printf(
      "seed %llu; %llu could be opened, the rest was refused with an error; slowest file %llu, largest "
      "%llu\n",
      static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(tally.readable),
      static_cast<unsigned long long>(tally.slowest_file), static_cast<unsigned long long>(tally.peak_file));
  std::printf("%llu mutated files: %d crashes, slowest %.1f ms, peak %.1f MiB\n",
              static_cast<unsigned long long>(std::min(tally.current, options.files)), failures,
              tally.slowest_ms, static_cast<double>(tally.peak_bytes) / (1 << 20));
  return failures == 0 ? 0 : 1;
}

}  // namespace

}  // namespace cutaway::fuzz

int main(int argc, char** argv) {
  try {
    return cutaway::fuzz::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mutate_files: %s\n", error.what());
    return 2;
  }
}
