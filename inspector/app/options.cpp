#include "inspector/app/options.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>

#include "inspector/model/text.h"

// CLI11 does the reading. Its own complaints name options but rarely what was expected, so every value goes through a
// check of ours, and unknown words are told here; each is one line on stderr, and the exit code is 2.

namespace cutaway::inspector {
namespace {

struct Raw {
  Options options;
  std::string size;
  std::string scale;
  std::string at;
  std::string default_trace;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Each check returns the complaint; "" when the value is fine.
std::string check_panel(std::string& name) {
  if (name == "view") name = "lab";
  for (const std::string& known : panel_names())
    if (name == known) return "";
  return "'" + name + "' is no panel; there are " + joined(panel_names());
}

std::string check_theme(const std::string& name) {
  return name == "dark" || name == "light" ? "" : "'" + name + "' is no theme; there are dark and light";
}

std::string check_size(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2;
  const bool fits = read && width >= 320 && height >= 240 && width <= 16384 && height <= 16384;
  return fits ? "" : "'" + text + "' is not WIDTHxHEIGHT between 320x240 and 16384x16384";
}

std::string check_scale(const std::string& text) {
  double scale = 0;
  char rest = 0;
  const bool fits = std::sscanf(text.c_str(), "%lf%c", &scale, &rest) == 1 && scale >= 0.5 && scale <= 3;
  return fits ? "" : "'" + text + "' is no number from 0.5 to 3";
}

std::string check_event(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : "'" + text + "' is no event number (0 is before the first event)";
}

std::string check_not_empty(const std::string& text) {
  return text.empty() ? "a name is expected, not nothing" : "";
}

std::string check_png(const std::string& path) {
  std::string end = path.size() >= 4 ? path.substr(path.size() - 4) : "";
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".png" ? "" : "'" + path + "' does not end in .png, and PNG is what is written";
}

template <class Check>
CLI::Validator checked(Check check) {
  return CLI::Validator([check](std::string& text) { return check(text); }, "");
}

void add_output_options(CLI::App& command, Raw& raw) {
  Options& o = raw.options;
  const std::string out = "Output (without any of these: a window)", look = "What to look at", form = "Form";
  command.add_option("--png", o.png, "Write a picture of the window to this file")
      ->type_name("OUT")
      ->check(checked(check_png))
      ->group(out);
  CLI::Option* text =
      command.add_flag("--text", o.text, "Print the text of the window, or of one panel")->group(out);
  command.add_flag("--json", o.json, "Print the same as JSON, and nothing else")->excludes(text)->group(out);
  command.add_option("--out-dir", o.out_dir, "Where pictures go when there is no display")
      ->type_name("DIR")
      ->capture_default_str()
      ->check(checked(check_not_empty))
      ->group(out);
  command.add_option("--panel", o.panel, "Only this panel: " + joined(panel_names()))
      ->type_name("NAME")
      ->transform(checked(check_panel))
      ->group(look);
  command.add_option("--select", o.select, "Select the tensor of this name")
      ->type_name("NAME")
      ->check(checked(check_not_empty))
      ->group(look);
  command.add_option("--at", raw.at, "Go to this event")
      ->type_name("EVENT")
      ->check(checked(check_event))
      ->group(look);
  command
      .add_option("--view", o.views, "Add a view, such as \"x[1:4, ::2].transpose(0, 1)\"; may be repeated")
      ->type_name("EXPR")
      ->take_all()
      ->allow_extra_args(false)
      ->group(look);
  command.add_option("--size", raw.size, "Size in pixels; if not given 1600x900, less for a small panel")
      ->type_name("WxH")
      ->check(checked(check_size))
      ->group(form);
  command.add_option("--scale", raw.scale, "Size of text and everything, 0.5 to 3")
      ->type_name("S")
      ->check(checked(check_scale))
      ->group(form);
  command.add_option("--theme", o.theme, "dark, or light for projectors")
      ->type_name("NAME")
      ->check(checked(check_theme))
      ->group(form);
}

void add_commands(CLI::App& app, Raw& raw) {
  app.name("cutaway");
  app.require_subcommand(1);
  app.footer(
      "`cutaway COMMAND --help` says more. Exit codes: 0 done, 1 it did not work out, 2 a wrong command line.");
  CLI::App* tour =
      app.add_subcommand("tour", "The tour: a small program on two handwritten digits, step by step");
  tour->add_option("--trace", raw.default_trace, "")->group("");
  CLI::App* open = app.add_subcommand("open", "Look inside .npy, .npz and .safetensors files");
  open->add_option("FILE", raw.options.paths, "Files to open")->required();
  open->footer(
      "Example: cutaway open digits.npz --view \"images[3:7, ::2].transpose(1, 2)\" --panel storage --png a.png");
  CLI::App* show = app.add_subcommand("show", "Look at a recorded trace");
  show->add_option("TRACE", raw.options.paths, "The trace")->required()->expected(1);
  show->add_flag("--partial", raw.options.partial, "Show the whole part of a damaged or cut-off trace");
  show->footer("Example: cutaway show run.trace --at 42 --text");
  app.add_subcommand("doctor", "Say how pictures are drawn on this machine");
  for (CLI::App* command : {tour, open, show}) {
    command->get_formatter()->column_width(28);
    add_output_options(*command, raw);
  }
}

// A panel alone is a picture of its own shape: a list is narrow, a timeline is low.
void size_of_panel(const std::string& panel, Options& o) {
  const bool narrow = panel == "explorer" || panel == "details" || panel == "card";
  if (narrow) o.width = 560;
  if (panel == "details") o.height = 560;
  if (panel == "card") o.height = 1100;
  if (panel == "timeline") o.height = 360;
}

// Values that passed their checks.
void take_values(const CLI::App& app, Raw& raw) {
  Options& o = raw.options;
  using Command = Options::Command;
  o.command = app.got_subcommand("tour")   ? Command::Tour
              : app.got_subcommand("open") ? Command::Open
              : app.got_subcommand("show") ? Command::Show
                                           : Command::Doctor;
  if (o.command == Command::Tour) o.paths = {raw.default_trace};
  if (raw.size.empty())
    size_of_panel(o.panel, o);
  else
    std::sscanf(raw.size.c_str(), "%dx%d", &o.width, &o.height);
  if (!raw.scale.empty()) o.scale = std::strtof(raw.scale.c_str(), nullptr);
  if (!raw.at.empty()) o.at = std::strtoull(raw.at.c_str(), nullptr, 10);
}

ParsedOptions refused(std::string complaint) {
  for (char& c : complaint)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  std::fprintf(stderr, "cutaway: %s\n", complaint.c_str());
  return {std::nullopt, 2};
}

// CLI11's words for what is missing or too much, made complete.
std::string complaint_of(const CLI::ParseError& error, int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  const bool known = command == "tour" || command == "open" || command == "show" || command == "doctor";
  if (command.empty() || command[0] == '-') return "a command is expected: tour, open, show or doctor";
  if (!known) return "there is no command '" + command + "'; there are tour, open, show and doctor";
  const std::string help = "; `cutaway " + command + " --help` lists what there is";
  const std::string said = error.what(), last = said.substr(said.rfind(' ') + 1);
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError:
      return (last[0] == '-' ? "there is no option '" : "nothing is expected where '") + last +
             (last[0] == '-' ? "'" : "' stands") + help;
    case CLI::ExitCodes::RequiredError:
      return command + ": " + (command == "show" ? "TRACE" : "FILE") + " is missing" + help;
    case CLI::ExitCodes::ExcludesError: return "--text and --json: choose one of them";
    case CLI::ExitCodes::ArgumentMismatch: {
      const std::string option = said.substr(0, said.find(':'));
      return option == "TRACE" ? "show: one TRACE is expected, not several"
                               : option + ": a value is expected after it" + help;
    }
    default: return said;
  }
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
  Raw raw;
  CLI::App app{"Cutaway's inspector: see the inside of tensors."};
  add_commands(app, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return {std::nullopt, app.exit(help)};
  } catch (const CLI::ParseError& error) {
    return refused(complaint_of(error, argc, argv));
  }
  take_values(app, raw);
  return {raw.options, 0};
}

}  // namespace cutaway::inspector
