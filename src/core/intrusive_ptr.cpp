#include "core/intrusive_ptr.h"

#include <cstdio>
#include <cstdlib>

namespace cutaway {

void detail::destroyed_while_owned(uint32_t strong, uint32_t weak) noexcept {
  std::fprintf(
      stderr,
      "INTERNAL ASSERT FAILED: an object was destroyed while intrusive_ptrs still point at it (strong count "
      "%u, weak count %u). Was it on the stack, or deleted by hand?\n",
      strong, weak);
  std::abort();
}

}  // namespace cutaway
