// A key with its modifiers, such as Ctrl+Shift+P, or a typed sign, such as '?'.
//
// Signs are matched by what the keyboard layout types, so '?' works wherever it lies; keys by their name.
// Thread safety: values.
//
// PyTorch: none
#pragma once

#include <imgui.h>

#include <string>

namespace cutaway::inspector {

struct Chord {
  ImGuiKeyChord key = ImGuiKey_None;  // ImGuiMod_Ctrl | ImGuiKey_P
  unsigned sign = 0;                  // a typed character, when `key` is none

  constexpr Chord() = default;
  constexpr Chord(ImGuiKeyChord chord)
      : key(chord) {}  // NOLINT(google-explicit-constructor): tables read better so
  constexpr Chord(ImGuiKey single) : key(single) {}  // NOLINT(google-explicit-constructor)
  static constexpr Chord typed(unsigned character) {
    Chord chord;
    chord.sign = character;
    return chord;
  }
  constexpr bool empty() const { return key == ImGuiKey_None && sign == 0; }
  friend constexpr bool operator==(const Chord&, const Chord&) = default;
};

// Returns: "Ctrl+Shift+P", "?", "Space".
std::string to_string(const Chord& chord);

// Whether a chord may act while somebody types into a field: Esc, Enter, F-keys, and chords with Ctrl that do not edit
// or move in the field.
bool acts_in_text_field(const Chord& chord);

}  // namespace cutaway::inspector
