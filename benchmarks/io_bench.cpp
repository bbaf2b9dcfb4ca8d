// What opening tensor files costs, each figure beside its target where one was set.
//
// Plain timing of whole operations, best and median of several runs; the files are made first, in a folder
// that is removed afterwards. The 10 GB file is sparse: it takes no disk, and reading more than its header
// would show.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/npz.h"
#include "io/tensor_file.h"

namespace {

using cutaway::io::TensorFile;

constexpr int kRuns = 21;

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cutaway-bench-XXXXXX").string();
    CUTAWAY_CHECK(::mkdtemp(pattern.data()), "io_bench: cannot make ", pattern);
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

template <class Run>
void measure(const char* what, double target_ms, const Run& run) {
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  const std::string target = target_ms > 0 ? std::to_string(static_cast<int>(target_ms)) + " ms" : "-";
  std::printf("%-62s %8s %9.2f ms %9.2f ms\n", what, target.c_str(), times[0], times[times.size() / 2]);
}

// A header that is like that of a large model: long names, two dimensions, half-size floats.
void make_large_safetensors(const std::string& path) {
  constexpr int kTensors = 5'000;
  constexpr uint64_t kBytesEach = 2'000'000;
  std::string header = "{";
  for (int i = 0; i < kTensors; ++i) {
    const uint64_t begin = static_cast<uint64_t>(i) * kBytesEach;
    header += (i ? ",\"" : "\"") + std::string("model.layers.") + std::to_string(i) +
              R"(.mlp.down_proj.weight":)" + R"({"dtype":"BF16","shape":[1000,1000],"data_offsets":[)" +
              std::to_string(begin) + "," + std::to_string(begin + kBytesEach) + "]}";
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::ofstream out(path, std::ios::binary);
  for (int i = 0; i < 8; ++i) out.put(static_cast<char>(header.size() >> (8 * i) & 0xFF));
  out << header;
  out.close();
  std::filesystem::resize_file(path, 8 + header.size() + kTensors * kBytesEach);
}

void make_npz(const std::string& path, int members, int64_t elements, bool deflate) {
  std::vector<float> data(static_cast<size_t>(elements));
  std::mt19937 random(1);
  for (float& x : data) x = static_cast<float>(random() % 1000) / 8;
  cutaway::io::NpzWriter writer(path, {deflate, 1});
  for (int i = 0; i < members; ++i) {
    writer.add({"tensor." + std::to_string(i),
                cutaway::ScalarType::Float,
                {elements},
                data.data(),
                data.size() * 4});
  }
  writer.finish();
}

void run() {
  const Folder folder;
  const std::string large = folder.file("large.safetensors");
  make_large_safetensors(large);
  make_npz(folder.file("stored.npz"), 5'000, 100, false);
  make_npz(folder.file("deflated.npz"), 5'000, 100, true);
  make_npz(folder.file("one.npz"), 1, 25'000'000, true);

  std::printf("%-62s %8s %12s %12s\n", "", "target", "best", "median");
  measure("10 GB .safetensors of 5,000 tensors, listed", 100, [&] { cutaway::io::open_tensor_file(large); });
  measure(".npz of 5,000 stored members, listed", 0,
          [&] { cutaway::io::open_tensor_file(folder.file("stored.npz")); });
  measure(".npz of 5,000 deflated members, listed", 0,
          [&] { cutaway::io::open_tensor_file(folder.file("deflated.npz")); });

  const auto weights = cutaway::io::open_tensor_file(large);
  std::printf("%-62s %8s %9.2f MB\n", "  bytes read to list the 10 GB", "-",
              static_cast<double>(weights->bytes_read()) / 1e6);
  std::vector<char> page(64 << 10);
  std::mt19937_64 random(1);
  measure("64 KiB from a random tensor of the 10 GB", 0, [&] {
    weights->read_bytes(random() % weights->entries().size(), 1'000'000, page.size(), page.data());
  });
  const auto packed = cutaway::io::open_tensor_file(folder.file("one.npz"));
  const uint64_t nbytes = packed->entries()[0].storage_nbytes;
  const auto begin = std::chrono::steady_clock::now();
  packed->read_bytes(0, nbytes - page.size(), page.size(), page.data());
  std::printf("%-62s %8s %9.2f ms\n", "the last 64 KiB of a deflated member of 100 MB, the first time", "-",
              std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  measure("64 KiB anywhere in it, later", 0,
          [&] { packed->read_bytes(0, random() % (nbytes - page.size()), page.size(), page.data()); });
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "io_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
