#include "kernels/alias.h"

#include <utility>

namespace cutaway {

Tensor alias_with(const Tensor& base, const Geometry& g, const char* op, const std::string& call,
                  VersionCounter counter) {
  auto impl = base.unsafe_impl()->shallow_copy_and_detach(std::move(counter), true);
  impl->set_sizes_and_strides(g.sizes, g.strides, g.offset);
  impl->report_made();
  Tensor result(std::move(impl));
  if (Observer* o = observer()) {
    ViewFacts facts;
    facts.result = result.id();
    facts.source = base.id();
    facts.op = op;
    facts.call = call;
    o->view_made(facts);
  }
  return result;
}

Tensor alias_of(const Tensor& base, const Geometry& g, const char* op, const std::string& call) {
  return alias_with(base, g, op, call, base.unsafe_impl()->version_counter());
}

}  // namespace cutaway
