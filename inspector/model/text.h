// Every panel as text, about 100 columns wide: for screens without a display, screen readers, tests. The same models that
// the pictures are drawn from.
//
// PyTorch: none
#pragma once

#include <string>
#include <vector>

#include "inspector/model/session.h"

namespace cutaway::inspector {

// The panels by their names on the command line: explorer, storage, lab, card, timeline, details.
const std::vector<std::string>& panel_names();

// Text of one panel, or of "status", the line at the bottom. Throws: ValueError for a name that is none.
std::string panel_text(const Session& session, const std::string& panel);
// All panels that have something to say, one after the other, with headings.
std::string frame_text(const Session& session);

std::string storage_text(const Session& session);

// A table: rows of cells, columns as wide as their widest; `right` says which columns are aligned to the right.
std::string table_text(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                       const std::string& indent = "  ");
// `text` broken at spaces into lines of at most `width`, each after `indent`.
std::string wrapped(const std::string& text, size_t width, const std::string& indent);

}  // namespace cutaway::inspector
