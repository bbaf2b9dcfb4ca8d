// The answers to what is typed, for each kind of prompt. They are worked out when the text changes, not each frame.

#include "inspector/app/overlay.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "inspector/app/app.h"
#include "inspector/app/commands.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {
namespace {

constexpr size_t kMostChoices = 200;
namespace fs = std::filesystem;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// All words of `typed` are in `text`, in any order, without regard to case.
bool matches(const std::string& text, const std::string& typed) {
  size_t begin = 0;
  while (begin < typed.size()) {
    size_t end = typed.find(' ', begin);
    if (end == std::string::npos) end = typed.size();
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    if (end > begin && std::search(text.begin(), text.end(), typed.begin() + static_cast<long>(begin),
                                   typed.begin() + static_cast<long>(end), same) == text.end())
      return false;
    begin = end + 1;
  }
  return true;
}

std::vector<Choice> command_choices(const App& app, const std::string& typed) {
  std::vector<Choice> choices;
  for (const Command& command : commands()) {
    if (command.context != Context::Window) continue;
    const std::string title = std::string(to_string(command.menu)) + ": " + command.title;
    if (!matches(title + " " + command.id, typed)) continue;
    Choice choice;
    choice.title = command.title;
    choice.detail = to_string(command.menu);
    choice.key = command.keys[0].empty() ? "" : to_string(command.keys[0]);
    choice.command = command.id;
    choice.refused = command.refused(app);
    if (choice.refused) choice.detail = choice.refused;
    choices.push_back(std::move(choice));
  }
  // Titles that begin with what is typed come first.
  std::stable_partition(choices.begin(), choices.end(), [&](const Choice& choice) {
    return choice.title.size() >= typed.size() &&
           std::equal(typed.begin(), typed.end(), choice.title.begin(),
                      [](char a, char b) { return lower(a) == lower(b); });
  });
  return choices;
}

std::optional<size_t> number_in(const std::string& typed) {
  if (typed.empty() || typed.size() > 15 || typed.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::strtoull(typed.c_str(), nullptr, 10);
}

Choice event_choice(const Session& session, size_t number) {
  Choice choice;
  choice.title = "event " + grouped(number);
  choice.detail = number ? session.trace().describe(number) : "before the first event";
  choice.event = number;
  return choice;
}

// Tensors by name, operators by their call, then events by their sentence, the first ones of each.
std::vector<Choice> find_choices(const Session& session, const std::string& typed) {
  std::vector<Choice> choices;
  if (const auto number = number_in(typed); number && *number <= session.trace().size())
    choices.push_back(event_choice(session, *number));
  for (const TensorRow& row : make_explorer_model(session).tensors) {
    if (choices.size() >= 60) break;
    if (!matches(row.name, typed)) continue;
    Choice choice;
    choice.title = row.name;
    choice.detail = "tensor   " + row.dtype + "   " + shape_text(row.sizes);
    choice.tensor = row.tensor;
    choices.push_back(std::move(choice));
  }
  size_t operators = 0;
  for (const auto& span : session.trace().spans()) {
    if (operators >= 60) break;
    if (!matches(span.call, typed)) continue;
    Choice choice;
    choice.title = span.call;
    choice.detail = "operator   ends at event " + grouped(span.last);
    choice.event = span.last;
    choices.push_back(std::move(choice));
    ++operators;
  }
  // Sentences of far events would take long to write; those around now are looked through.
  if (typed.size() < 2) return choices;
  const size_t size = session.trace().size(), most = 20000;
  const size_t first = session.time() > most / 2 ? session.time() - most / 2 : 1,
               last = std::min(size, first + most);
  for (size_t number = first; number <= last && choices.size() < kMostChoices; ++number) {
    const std::string sentence = session.trace().describe(number);
    if (!matches(sentence, typed)) continue;
    Choice choice = event_choice(session, number);
    std::swap(choice.title, choice.detail);
    choices.push_back(std::move(choice));
  }
  return choices;
}

bool is_openable(const fs::path& path) {
  const std::string end = path.extension().string();
  return end == ".npy" || end == ".npz" || end == ".safetensors" || end == ".trace";
}

// What begins like the typed path: folders, and files that can be opened.
std::vector<Choice> path_choices(const std::string& typed) {
  const size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1),
                    begin = typed.substr(folder.size());
  std::vector<Choice> choices;
  std::error_code failed;
  for (const auto& entry :
       fs::directory_iterator(folder.empty() ? fs::path(".") : fs::path(folder), failed)) {
    const std::string name = entry.path().filename().string();
    const bool is_folder = entry.is_directory(failed);
    if (name.starts_with('.') || !name.starts_with(begin) || (!is_folder && !is_openable(entry.path())))
      continue;
    Choice choice;
    choice.title = name + (is_folder ? "/" : "");
    choice.detail = is_folder ? "folder" : bytes_text(entry.file_size(failed));
    choice.path = folder + choice.title;
    choices.push_back(std::move(choice));
    if (choices.size() >= 2000) break;
  }
  std::sort(choices.begin(), choices.end(),
            [](const Choice& a, const Choice& b) { return a.title < b.title; });
  return choices;
}

std::vector<Choice> export_choices() {
  std::vector<Choice> choices(4);
  choices[0] = {"Picture of the window", "cutaway-out/window.png", "", "png"};
  choices[1] = {"Text of all panels", "cutaway-out/window.txt", "", "text"};
  choices[2] = {"Contents as JSON", "cutaway-out/window.json", "", "json"};
  choices[3] = {"The selected view as Python", "to the clipboard", "", "python"};
  return choices;
}

}  // namespace

std::vector<Choice> choices_for(const Prompt& prompt, const App& app) {
  std::vector<Choice> choices;
  switch (prompt.overlay) {
    case Sheet::Palette: choices = command_choices(app, prompt.text); break;
    case Sheet::Find: choices = find_choices(app.session(), prompt.text); break;
    case Sheet::GoTo:
      if (const auto number = number_in(prompt.text); number && *number <= app.session().trace().size())
        choices.push_back(event_choice(app.session(), *number));
      break;
    case Sheet::Open: choices = path_choices(prompt.text); break;
    case Sheet::Export: choices = export_choices(); break;
    case Sheet::Help:
    case Sheet::None: break;
  }
  if (choices.size() > kMostChoices) choices.resize(kMostChoices);
  return choices;
}

}  // namespace cutaway::inspector
