// The session that a command line asks for: files or a trace opened, gone to an event, views added, a tensor selected.
//
// PyTorch: none
#pragma once

#include <stdexcept>
#include <string>

#include "inspector/app/options.h"
#include "inspector/model/session.h"

namespace cutaway::inspector {

// A value on the command line that fits no open file: exit code 2, where a file that cannot be read is 1.
class BadArgument : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `tour`: the trace of the tour, where the command line names none.
// Throws: Error for what cannot be opened, BadArgument for --at, --select and --view that do not fit it.
Session open_asked(const Options& options, const std::string& tour);

// Returns: what --json or --text asks for, of --panel or of the whole frame.
std::string asked_text(const Session& session, const Options& options);

}  // namespace cutaway::inspector
