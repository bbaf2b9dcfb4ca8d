// The table of commands, what keys may do while somebody types, and the theme's contrasts.

#include "inspector/app/commands.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "inspector/widgets/theme.h"

using namespace cutaway::inspector;

namespace {

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

std::string ran_by(const Chord& chord, const KeyFocus& focus = {}) {
  const Command* command = command_for(chord, focus);
  return command ? command->id : "";
}

}  // namespace

TEST_CASE("no key is bound twice in a context, no id stands twice") {
  std::map<std::pair<Context, std::string>, std::string> bound;
  std::set<std::string> ids;
  for (const Command& command : commands()) {
    CAPTURE(command.id);
    CHECK(ids.insert(command.id).second);
    CHECK(std::string(command.title) != "");
    CHECK(static_cast<bool>(command.run));
    for (const Chord& chord : command.keys) {
      if (chord.empty()) continue;
      const auto added = bound.emplace(std::pair{command.context, to_string(chord)}, command.id);
      CHECK_MESSAGE(added.second, to_string(chord), " runs ", added.first->second, " already");
    }
  }
}

TEST_CASE("a typed sign is not also a key: one press runs one command") {
  // '/', '?', '+' and '-' are signs; the keys they lie on must not run something else without Ctrl.
  for (const ImGuiKey key : {ImGuiKey_Slash, ImGuiKey_Equal, ImGuiKey_Minus})
    for (const ImGuiKeyChord with : {ImGuiKeyChord{0}, kShift}) CHECK(ran_by(Chord(with | key)) == "");
}

TEST_CASE("every key that is promised is there") {
  const std::pair<Chord, const char*> promised[] = {
      {ImGuiKey_RightArrow, "event.next"},
      {ImGuiKey_LeftArrow, "event.previous"},
      {kShift | ImGuiKey_RightArrow, "operator.next"},
      {kShift | ImGuiKey_LeftArrow, "operator.previous"},
      {kCtrl | ImGuiKey_RightArrow, "touching.next"},
      {kCtrl | ImGuiKey_LeftArrow, "touching.previous"},
      {kAlt | ImGuiKey_LeftArrow, "look.back"},
      {kAlt | ImGuiKey_RightArrow, "look.forward"},
      {ImGuiKey_Home, "time.first"},
      {ImGuiKey_End, "time.last"},
      {ImGuiKey_Space, "time.play"},
      {ImGuiKey_F10, "operator.next"},
      {ImGuiKey_F11, "operator.into"},
      {kShift | ImGuiKey_F11, "operator.out"},
      {ImGuiKey_F5, "bookmark.next"},
      {kCtrl | ImGuiKey_B, "bookmark.toggle"},
      {Chord::typed('/'), "filter.focus"},
      {kCtrl | ImGuiKey_P, "find"},
      {ImGuiKey_W, "cell.up"},
      {ImGuiKey_A, "cell.left"},
      {ImGuiKey_S, "cell.down"},
      {ImGuiKey_D, "cell.right"},
      {ImGuiKey_F, "canvas.frame"},
      {ImGuiKey_0, "canvas.fit"},
      {ImGuiKey_P, "canvas.pin"},
      {ImGuiKey_C, "compare.lock"},
      {kCtrl | ImGuiKey_Equal, "scale.up"},
      {kCtrl | ImGuiKey_Minus, "scale.down"},
      {kCtrl | ImGuiKey_O, "file.open"},
      {kCtrl | kShift | ImGuiKey_A, "file.attach"},
      {kCtrl | ImGuiKey_E, "file.export"},
      {ImGuiKey_F1, "lesson"},
      {kCtrl | ImGuiKey_Q, "file.quit"},
      {kCtrl | ImGuiKey_G, "time.goto"},
      {kCtrl | kShift | ImGuiKey_P, "palette"},
      {Chord::typed('?'), "help"},
  };
  for (const auto& promise : promised) {
    CAPTURE(to_string(promise.first));
    CHECK(ran_by(promise.first) == promise.second);
  }
}

TEST_CASE("while a field has the focus only Esc, Enter, F-keys and Ctrl-chords act") {
  const KeyFocus typing{true, false};
  for (const Command& command : commands())
    for (const Chord& chord : command.keys) {
      if (chord.empty() || command.context != Context::Window) continue;
      CAPTURE(to_string(chord));
      const auto key = static_cast<ImGuiKey>(chord.key & ~ImGuiMod_Mask_);
      const bool may = key == ImGuiKey_Escape || key == ImGuiKey_Enter ||
                       (key >= ImGuiKey_F1 && key <= ImGuiKey_F12) || (chord.key & ImGuiMod_Ctrl);
      if (!may) CHECK(ran_by(chord, typing) == "");
    }
  CHECK(ran_by(kCtrl | ImGuiKey_P, typing) == "find");
  CHECK(ran_by(ImGuiKey_F10, typing) == "operator.next");
  // Ctrl with an arrow moves word by word in the field.
  CHECK(ran_by(kCtrl | ImGuiKey_RightArrow, typing) == "");
  CHECK(ran_by(kCtrl | ImGuiKey_A, typing) == "");
}

TEST_CASE("an overlay has the first say, and lets nothing through that is not for a field") {
  const KeyFocus prompt{true, true}, sheet{false, true};
  CHECK(ran_by(ImGuiKey_Escape, prompt) == "overlay.close");
  CHECK(ran_by(ImGuiKey_DownArrow, prompt) == "overlay.next");
  CHECK(ran_by(ImGuiKey_Enter, prompt) == "overlay.take");
  CHECK(ran_by(Chord::typed('?'), prompt) == "");
  CHECK(ran_by(Chord::typed('?'), sheet) == "overlay.help");
  CHECK(ran_by(ImGuiKey_C, sheet) == "");
  CHECK(ran_by(ImGuiKey_RightArrow, sheet) == "");
  CHECK(ran_by(kCtrl | ImGuiKey_Q, prompt) == "file.quit");
}

TEST_CASE("chords as text") {
  CHECK(to_string(Chord(kCtrl | kShift | ImGuiKey_P)) == "Ctrl+Shift+P");
  CHECK(to_string(Chord(kAlt | ImGuiKey_LeftArrow)) == "Alt+Left");
  CHECK(to_string(Chord(kCtrl | ImGuiKey_Equal)) == "Ctrl+=");
  CHECK(to_string(Chord::typed('?')) == "?");
  CHECK(to_string(Chord(ImGuiKey_F10)) == "F10");
}

TEST_CASE("text can be read: contrast of at least 4.5 : 1 in both themes") {
  for (const ThemeName theme : {ThemeName::Dark, ThemeName::Light})
    for (const Role ground : {Role::Ground, Role::Panel, Role::Raised})
      for (const Role text : {Role::Text, Role::Quiet}) {
        CAPTURE(static_cast<int>(theme));
        CAPTURE(static_cast<int>(ground));
        CHECK(contrast(rgb(theme, text), rgb(theme, ground)) >= 4.5);
      }
  for (const ThemeName theme : {ThemeName::Dark, ThemeName::Light}) {
    // Links, errors, values on their plates, and words on a fill of the accent.
    CHECK(contrast(rgb(theme, Role::Accent), rgb(theme, Role::Panel)) >= 4.5);
    CHECK(contrast(rgb(theme, Role::Wrong), rgb(theme, Role::Panel)) >= 4.5);
    CHECK(contrast(rgb(theme, Role::Text), rgb(theme, Role::Plate)) >= 4.5);
    CHECK(contrast(rgb(theme, Role::OnAccent), rgb(theme, Role::Accent)) >= 4.5);
    // Rulers may be fainter, but must be seen.
    CHECK(contrast(rgb(theme, Role::Faint), rgb(theme, Role::Panel)) >= 3);
    for (int view = 0; view < kViewColors; ++view)
      CHECK(contrast(view_rgb(theme, view), rgb(theme, Role::Panel)) >= 3);
  }
  CHECK(contrast(0x000000, 0xFFFFFF) == doctest::Approx(21));
  CHECK(contrast(0x777777, 0x777777) == doctest::Approx(1));
}
