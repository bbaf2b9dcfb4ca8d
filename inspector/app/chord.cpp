#include "inspector/app/chord.h"

namespace cutaway::inspector {
namespace {

const char* key_text(ImGuiKey key) {
  switch (key) {
    case ImGuiKey_LeftArrow: return "Left";
    case ImGuiKey_RightArrow: return "Right";
    case ImGuiKey_UpArrow: return "Up";
    case ImGuiKey_DownArrow: return "Down";
    case ImGuiKey_PageUp: return "Page Up";
    case ImGuiKey_PageDown: return "Page Down";
    case ImGuiKey_Escape: return "Esc";
    case ImGuiKey_Equal: return "=";
    case ImGuiKey_Minus: return "-";
    case ImGuiKey_KeypadAdd: return "Keypad +";
    case ImGuiKey_KeypadSubtract: return "Keypad -";
    default: return ImGui::GetKeyName(key);
  }
}

bool edits_text(ImGuiKey key) {
  switch (key) {
    case ImGuiKey_LeftArrow:
    case ImGuiKey_RightArrow:
    case ImGuiKey_UpArrow:
    case ImGuiKey_DownArrow:
    case ImGuiKey_Home:
    case ImGuiKey_End:
    case ImGuiKey_Backspace:
    case ImGuiKey_Delete:
    case ImGuiKey_A:
    case ImGuiKey_C:
    case ImGuiKey_V:
    case ImGuiKey_X:
    case ImGuiKey_Y:
    case ImGuiKey_Z: return true;
    default: return false;
  }
}

}  // namespace

std::string to_string(const Chord& chord) {
  if (chord.sign) return std::string(1, static_cast<char>(chord.sign));
  std::string text;
  if (chord.key & ImGuiMod_Ctrl) text += "Ctrl+";
  if (chord.key & ImGuiMod_Alt) text += "Alt+";
  if (chord.key & ImGuiMod_Shift) text += "Shift+";
  return text + key_text(static_cast<ImGuiKey>(chord.key & ~ImGuiMod_Mask_));
}

bool acts_in_text_field(const Chord& chord) {
  const auto key = static_cast<ImGuiKey>(chord.key & ~ImGuiMod_Mask_);
  if (key == ImGuiKey_Escape || key == ImGuiKey_Enter || key == ImGuiKey_KeypadEnter) return true;
  if (key >= ImGuiKey_F1 && key <= ImGuiKey_F12) return true;
  return (chord.key & ImGuiMod_Ctrl) &&
         (!edits_text(key) || ((chord.key & ImGuiMod_Shift) && key == ImGuiKey_A));
}

}  // namespace cutaway::inspector
