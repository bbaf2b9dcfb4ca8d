// The window: waits for input, draws when something changed, and runs commands by their keys.
//
// PyTorch: none
#pragma once

#include <string>

#include "inspector/app/options.h"
#include "inspector/model/session.h"

namespace cutaway::inspector {

// Returns when the window is closed. Returns: false, with the reason, when no window can be opened.
bool run_window(Session& session, const Options& options, std::string* why);

}  // namespace cutaway::inspector
