// Remarks that do not stop the program: one handler for the process, standard error by default.
//
// Thread safety: warn() may be called from any thread; the handler is set before others run.
//
// PyTorch: c10/util/Exception.h (WarningHandler)
#pragma once

#include <string>

namespace cutaway {

using WarningHandler = void (*)(const std::string& message);

void warn(const std::string& message);
// Returns: the handler before. Null means the default one.
WarningHandler set_warning_handler(WarningHandler handler);

}  // namespace cutaway
