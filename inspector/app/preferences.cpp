#include "inspector/app/preferences.h"

#include <imgui_internal.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "inspector/app/app.h"

namespace cutaway::inspector {
namespace {

App& app_of(ImGuiSettingsHandler* handler) { return *static_cast<App*>(handler->UserData); }

void* open_section(ImGuiContext*, ImGuiSettingsHandler*, const char*) { return reinterpret_cast<void*>(1); }

void read_line(ImGuiContext*, ImGuiSettingsHandler* handler, void*, const char* line) {
  const std::string_view text(line);
  const size_t equals = text.find('=');
  if (equals != std::string_view::npos)
    app_of(handler).read_state(text.substr(0, equals), text.substr(equals + 1));
}

void write_section(ImGuiContext*, ImGuiSettingsHandler* handler, ImGuiTextBuffer* out) {
  out->appendf("[%s][State]\n%s\n", handler->TypeName, app_of(handler).state().c_str());
}

}  // namespace

std::string preferences_file() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  if ((!config || !*config) && (!home || !*home)) return "";
  const std::filesystem::path folder =
      (config && *config ? std::filesystem::path(config) : std::filesystem::path(home) / ".config") /
      "cutaway";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  return failed ? "" : (folder / "layout.ini").string();
}

void keep_preferences(App& app, const std::string& path) {
  if (path.empty()) return;
  ImGuiSettingsHandler handler;
  handler.TypeName = "Cutaway";
  handler.TypeHash = ImHashStr("Cutaway");
  handler.ReadOpenFn = open_section;
  handler.ReadLineFn = read_line;
  handler.WriteAllFn = write_section;
  handler.UserData = &app;
  ImGui::AddSettingsHandler(&handler);
  ImGui::GetIO().IniFilename = path.c_str();
  ImGui::LoadIniSettingsFromDisk(path.c_str());
}

}  // namespace cutaway::inspector
