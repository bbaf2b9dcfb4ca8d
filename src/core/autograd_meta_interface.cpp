#include "core/autograd_meta_interface.h"

#include <atomic>

#include "core/error.h"

namespace cutaway {
namespace {

std::atomic<AutogradMetaFactory> current{nullptr};

}  // namespace

AutogradMetaFactory set_autograd_meta_factory(AutogradMetaFactory factory) {
  return current.exchange(factory);
}

std::unique_ptr<AutogradMetaInterface> make_autograd_meta() {
  const AutogradMetaFactory make = current.load();
  CUTAWAY_CHECK(make != nullptr,
                "Support for autograd has not been loaded; is the autograd library linked in?");
  return make();
}

}  // namespace cutaway
