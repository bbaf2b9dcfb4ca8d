// The dtype switch of convert.h, apart so that the rules above stay on one page.
//
// PyTorch: aten/src/ATen/Dispatch.h
#pragma once

#include <utility>

#include "core/convert.h"
#include "core/error.h"

namespace cutaway {

template <class F>
decltype(auto) with_type_of(ScalarType t, const char* name, F&& f) {
  switch (t) {
#define CUTAWAY_CASE(type, scalar_type, python, value) \
  case ScalarType::scalar_type: return std::forward<F>(f)(type{});
    CUTAWAY_FORALL_SCALAR_TYPES(CUTAWAY_CASE)
#undef CUTAWAY_CASE
    case ScalarType::Undefined: break;
  }
  CUTAWAY_CHECK_NOT_IMPLEMENTED(false, '"', name, "\" not implemented for '", t, "'");
  __builtin_unreachable();
}

}  // namespace cutaway
