// The frame as JSON: the same models, for programs.
//
// PyTorch: none
#pragma once

#include <string>

#include "inspector/model/session.h"

namespace cutaway::inspector {

// One object: source, event, tensors, selected storage and card, refused views, problems.
std::string frame_json(const Session& session);

}  // namespace cutaway::inspector
