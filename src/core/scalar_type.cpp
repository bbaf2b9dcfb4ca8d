#include "core/scalar_type.h"

#include <ostream>

namespace cutaway {

const char* to_string(ScalarType t) {
  switch (t) {
#define CUTAWAY_NAME(type, name, python, value) \
  case ScalarType::name: return #name;
    CUTAWAY_FORALL_SCALAR_TYPES(CUTAWAY_NAME)
#undef CUTAWAY_NAME
    case ScalarType::Undefined: break;
  }
  return "Undefined";
}

const char* dtype_name(ScalarType t) {
  switch (t) {
#define CUTAWAY_NAME(type, name, python, value) \
  case ScalarType::name: return python;
    CUTAWAY_FORALL_SCALAR_TYPES(CUTAWAY_NAME)
#undef CUTAWAY_NAME
    case ScalarType::Undefined: break;
  }
  return "undefined";
}

std::optional<ScalarType> parse_dtype(std::string_view name) {
  constexpr std::string_view kModule = "torch.";
  if (name.substr(0, kModule.size()) == kModule) name.remove_prefix(kModule.size());
  for (ScalarType t : kScalarTypes)
    if (name == dtype_name(t)) return t;
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, ScalarType t) { return out << to_string(t); }

}  // namespace cutaway
