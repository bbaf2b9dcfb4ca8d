#include "core/warning.h"

#include <atomic>
#include <cstdio>

namespace cutaway {
namespace {

void to_standard_error(const std::string& message) { std::fprintf(stderr, "Warning: %s\n", message.c_str()); }

std::atomic<WarningHandler> current{to_standard_error};

}  // namespace

void warn(const std::string& message) { current.load()(message); }

WarningHandler set_warning_handler(WarningHandler handler) {
  return current.exchange(handler ? handler : to_standard_error);
}

}  // namespace cutaway
