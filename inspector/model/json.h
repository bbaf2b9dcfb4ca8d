// The frame as JSON: the same models, for programs.
//
// Values of elements are strings, because JSON has no NaN; shapes and offsets are numbers.
//
// PyTorch: none
#pragma once

#include <string>

#include "inspector/model/session.h"

namespace cutaway::inspector {

// One object: source, event, step, tensors, selected storage and card, refused views, problems.
std::string frame_json(const Session& session);

// One panel, by its name (see panel_names in text.h). Throws: ValueError for a name that is none.
std::string panel_json(const Session& session, const std::string& panel);

}  // namespace cutaway::inspector
