// What the command line asked for.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::inspector {

struct Options {
  enum class Command { Tour, Open, Show, Doctor } command = Command::Tour;
  std::vector<std::string> paths;  // files, or the trace
  std::string png;                 // write a picture there
  bool text = false;
  bool json = false;
  std::string panel;  // one panel alone
  int width = 1600;
  int height = 900;
  float scale = 1;
  std::string theme = "dark";
  std::string select;
  std::optional<uint64_t> at;
  std::vector<std::string> views;
  std::string out_dir = "cutaway-out";
  bool partial = false;

  bool explicit_output() const { return !png.empty() || text || json; }
};

// Reads the command line. Prints help or a one-line error itself.
// Returns: the options, or the exit code to end with.
struct ParsedOptions {
  std::optional<Options> options;
  int exit_code = 0;
};
ParsedOptions parse_options(int argc, char** argv);

}  // namespace cutaway::inspector
