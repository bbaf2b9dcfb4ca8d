#include "inspector/app/commands.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace cutaway::inspector;

TEST_CASE("no key is bound twice and every id is one command") {
  std::set<ImGuiKeyChord> keys;
  std::set<std::string> ids;
  for (const Command& command : commands()) {
    CHECK_MESSAGE(ids.insert(command.id).second, command.id);
    CHECK(std::string(command.title).size() > 2);
    REQUIRE(static_cast<bool>(command.run));
    for (ImGuiKeyChord key : command.keys) {
      CHECK_MESSAGE(keys.insert(key).second, command.id);
      CHECK(command_for(key) == &command);
    }
  }
  CHECK(ids.size() > 40);
}

TEST_CASE("in a text field only Esc, F-keys and chords with Ctrl act") {
  CHECK(acts_in_text_field(ImGuiKey_F10));
  CHECK(acts_in_text_field(ImGuiKey_Escape));
  CHECK(acts_in_text_field(ImGuiMod_Ctrl | ImGuiKey_Q));
  for (ImGuiKeyChord key : {ImGuiKey_W, ImGuiKey_Space, ImGuiKey_RightArrow, ImGuiKey_0, ImGuiKey_Slash})
    CHECK_FALSE(acts_in_text_field(key));
  CHECK_FALSE(acts_in_text_field(ImGuiMod_Ctrl | ImGuiKey_LeftArrow));
}
