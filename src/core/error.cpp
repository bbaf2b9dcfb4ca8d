#include "core/error.h"

#include <utility>

#include "core/observer.h"

namespace cutaway {

const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Runtime: return "RuntimeError";
    case ErrorKind::Index: return "IndexError";
    case ErrorKind::Value: return "ValueError";
    case ErrorKind::Type: return "TypeError";
    case ErrorKind::NotImplemented: return "NotImplementedError";
    case ErrorKind::Internal: return "InternalError";
  }
  return "Error";
}

Error::Error(ErrorKind kind, std::string message, const char* file, int line)
    : message_(std::move(message)), kind_(kind), file_(file), line_(line) {}

void detail::throw_error(ErrorKind kind, const std::string& message, const char* file, int line) {
  if (Observer* o = observer()) o->error_raised(to_string(kind), message);
  switch (kind) {
    case ErrorKind::Index: throw IndexError(kind, message, file, line);
    case ErrorKind::Value: throw ValueError(kind, message, file, line);
    case ErrorKind::Type: throw TypeError(kind, message, file, line);
    case ErrorKind::NotImplemented: throw NotImplementedError(kind, message, file, line);
    case ErrorKind::Runtime:
    case ErrorKind::Internal: break;
  }
  throw Error(kind, message, file, line);
}

}  // namespace cutaway
