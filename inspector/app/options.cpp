#include "inspector/app/options.h"

#include <CLI/CLI.hpp>

#include "inspector/model/text.h"

namespace cutaway::inspector {
namespace {

struct Raw {
  Options options;
  std::string size;
  std::string default_trace;
};

void add_output_options(CLI::App& app, Raw& raw) {
  Options& o = raw.options;
  app.add_option("--png", o.png, "Write a picture of the window to this file")->type_name("OUT");
  app.add_flag("--text", o.text, "Print the text of the window, or of --panel");
  app.add_flag("--json", o.json, "Print the window's contents as JSON");
  app.add_option("--panel", o.panel, "Only this panel: explorer, storage, lab, card, timeline, details")
      ->type_name("NAME")
      ->check(CLI::IsMember(panel_names()));
  app.add_option("--size", raw.size, "Size of the picture or window in pixels, such as 1600x900")->type_name("WxH");
  app.add_option("--scale", o.scale, "Size of text and everything, 1 to 3")->type_name("S")->check(CLI::Range(0.5F, 3.0F));
  app.add_option("--theme", o.theme, "dark, or light for projectors")
      ->type_name("NAME")
      ->check(CLI::IsMember({"dark", "light"}));
  app.add_option("--select", o.select, "Select the tensor of this name")->type_name("NAME");
  app.add_option("--at", o.at, "Go to this event")->type_name("EVENT");
  app.add_option("--view", o.views, "Add a view: \"x[1:4, ::2].transpose(0, 1)\"; may be repeated")
      ->type_name("EXPR")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--out-dir", o.out_dir, "Where pictures go when there is no display")->type_name("DIR");
}

// "1600x900" within sane bounds; empty on success, else the complaint.
std::string read_size(const std::string& text, Options& options) {
  if (text.empty()) return "";
  int width = 0, height = 0;
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2;
  if (!read || width < 320 || height < 240 || width > 16384 || height > 16384)
    return "--size: '" + text + "' is not WIDTHxHEIGHT between 320x240 and 16384x16384";
  options.width = width;
  options.height = height;
  options.size_given = true;
  return "";
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
  Raw raw;
  CLI::App app{"Cutaway's inspector: see the inside of tensors."};
  app.name("cutaway");
  app.require_subcommand(1);
  CLI::App* tour = app.add_subcommand("tour", "The tour: a small program on two handwritten digits, step by step");
  tour->add_option("--trace", raw.default_trace, "")->group("");
  CLI::App* open = app.add_subcommand("open", "Look inside .npy, .npz and .safetensors files");
  open->add_option("FILE", raw.options.paths, "Files to open")->required();
  CLI::App* show = app.add_subcommand("show", "Look at a recorded trace");
  show->add_option("TRACE", raw.options.paths, "The trace")->required()->expected(1);
  show->add_flag("--partial", raw.options.partial, "Show the whole part of a damaged or cut-off trace");
  app.add_subcommand("doctor", "Say how pictures are drawn on this machine");
  for (CLI::App* command : {tour, open, show}) add_output_options(*command, raw);

  // CLI11 would only say that a subcommand is required.
  const auto known = app.get_subcommands([&](const CLI::App* command) { return argc > 1 && command->get_name() == argv[1]; });
  if (argc > 1 && argv[1][0] != '-' && known.empty()) {
    std::fprintf(stderr, "cutaway: there is no command '%s'; there are tour, open, show and doctor\n", argv[1]);
    return {std::nullopt, 2};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return {std::nullopt, app.exit(help)};
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "cutaway: %s\n", error.what());
    return {std::nullopt, 2};
  }
  const std::string complaint = read_size(raw.size, raw.options);
  if (!complaint.empty()) {
    std::fprintf(stderr, "cutaway: %s\n", complaint.c_str());
    return {std::nullopt, 2};
  }
  using Command = Options::Command;
  raw.options.command = *tour ? Command::Tour : *open ? Command::Open : *show ? Command::Show : Command::Doctor;
  if (raw.options.command == Command::Tour) raw.options.paths = {raw.default_trace};
  return {raw.options, 0};
}

}  // namespace cutaway::inspector
