// The one error channel of the library: exceptions with a kind, made by the CUTAWAY_CHECK family.
//
// Every kind becomes the Python exception of the same meaning. The message carries PyTorch's core text where
// PyTorch has one, so that a search for it finds the same answers. Error: what the caller did wrong.
// INTERNAL_ASSERT: our own fault. Each error is reported to the observer when it is made (see
// core/observer.h).
// Thread safety: throwing is; an exception object belongs to who caught it.
//
// PyTorch: c10/util/Exception.h
#pragma once

#include <exception>
#include <sstream>
#include <string>

namespace cutaway {

enum class ErrorKind { Runtime, Index, Value, Type, NotImplemented, Internal };

// Returns: Python's name of the kind: "RuntimeError", "IndexError", ...
const char* to_string(ErrorKind kind);

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, const char* file, int line);

  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& message() const { return message_; }
  ErrorKind kind() const { return kind_; }
  // Where in our sources it was thrown.
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  std::string message_;
  ErrorKind kind_;
  const char* file_;
  int line_;
};

class IndexError : public Error {
  using Error::Error;
};
class ValueError : public Error {
  using Error::Error;
};
class TypeError : public Error {
  using Error::Error;
};
class NotImplementedError : public Error {
  using Error::Error;
};

namespace detail {

// Out of line and cold: a check costs the function around it a compare and a jump, and no room in its hot
// part.
template <class... Parts>
[[gnu::cold, gnu::noinline]] std::string stream_together(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// String literals of every length become one type, so that checks of one shape share one instance.
inline const char* plain(const char* text) { return text; }
template <class T>
const T& plain(const T& part) {
  return part;
}

template <class... Parts>
std::string concat(const Parts&... parts) {
  return stream_together(plain(parts)...);
}

// Reports the error to the observer and throws the class that belongs to `kind`.
[[noreturn, gnu::cold]] void throw_error(ErrorKind kind, const std::string& message, const char* file,
                                         int line);

}  // namespace detail
}  // namespace cutaway

#define CUTAWAY_CHECK_KIND(kind, cond, ...)                                                             \
  do {                                                                                                  \
    if (__builtin_expect(!(cond), 0))                                                                   \
      ::cutaway::detail::throw_error(kind, ::cutaway::detail::concat(__VA_ARGS__), __FILE__, __LINE__); \
  } while (false)

// CUTAWAY_CHECK(cond, "op: expected ", x, ", got ", y): throws Error unless cond holds. The message parts are
// streamed, and evaluated only when it fails.
#define CUTAWAY_CHECK(cond, ...) CUTAWAY_CHECK_KIND(::cutaway::ErrorKind::Runtime, cond, __VA_ARGS__)
#define CUTAWAY_CHECK_INDEX(cond, ...) CUTAWAY_CHECK_KIND(::cutaway::ErrorKind::Index, cond, __VA_ARGS__)
#define CUTAWAY_CHECK_VALUE(cond, ...) CUTAWAY_CHECK_KIND(::cutaway::ErrorKind::Value, cond, __VA_ARGS__)
#define CUTAWAY_CHECK_TYPE(cond, ...) CUTAWAY_CHECK_KIND(::cutaway::ErrorKind::Type, cond, __VA_ARGS__)
#define CUTAWAY_CHECK_NOT_IMPLEMENTED(cond, ...) \
  CUTAWAY_CHECK_KIND(::cutaway::ErrorKind::NotImplemented, cond, __VA_ARGS__)

#define CUTAWAY_INTERNAL_ASSERT(cond, ...)                                                              \
  CUTAWAY_CHECK_KIND(::cutaway::ErrorKind::Internal, cond, "INTERNAL ASSERT FAILED at ", __FILE__, ":", \
                     __LINE__, ": " #cond " " __VA_OPT__(, ) __VA_ARGS__)
