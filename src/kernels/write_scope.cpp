#include "kernels/write_scope.h"

#include "core/geometry/lit_runs.h"

namespace cutaway {

WriteScope::WriteScope(const Tensor& tensor, Of of) : tensor_(tensor), of_(of) {
  if (Observer* o = observer()) o->before_write(facts());
}

WriteScope::~WriteScope() {
  if (std::uncaught_exceptions() > exceptions_) return;
  const bool counted = of_ == Of::Existing && tensor_.unsafe_impl()->version_counter().enabled();
  if (counted) tensor_.unsafe_impl()->bump_version();
  if (Observer* o = observer()) o->written(facts());
}

WriteFacts WriteScope::facts() const {
  const Run run =
      extent({DimVector(tensor_.sizes()), DimVector(tensor_.strides()), tensor_.storage_offset()});
  const VersionCounter& counter = tensor_.unsafe_impl()->version_counter();
  WriteFacts f;
  f.storage = tensor_.storage()->id();
  f.begin = static_cast<uint64_t>(run.begin) * tensor_.itemsize();
  f.end = static_cast<uint64_t>(run.end) * tensor_.itemsize();
  f.data = tensor_.device().is_cpu() ? tensor_.storage()->data() : nullptr;
  f.tensor = tensor_.id();
  f.version = counter.enabled() ? counter.current() : 0;
  return f;
}

}  // namespace cutaway
