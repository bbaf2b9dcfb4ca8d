// Makes the seed files of tests/fuzz/corpus/trace: random recordings that make sense, small ones and one with
// pages. Usage: make_trace_corpus FOLDER
#include <cstdint>
#include <cstdio>
#include <string>

#include "core/error.h"
#include "tests/trace/random_trace.h"
#include "trace/trace_file.h"

int main(int argc, char** argv) {
  using namespace cutaway::trace;
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_trace_corpus FOLDER\n");
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  try {
    write_trace(*RandomTrace(0).trace(), folder + "empty.trace");
    for (const uint64_t seed : {1, 2, 3, 4}) {
      RandomTrace random(seed, 64);
      random.steps(40 * seed);
      write_trace(*random.trace(), folder + "random_" + std::to_string(seed) + ".trace");
    }
    RandomTrace paged(5, 12'000);
    paged.steps(30);
    write_trace(*paged.trace(), folder + "pages.trace");
  } catch (const cutaway::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
