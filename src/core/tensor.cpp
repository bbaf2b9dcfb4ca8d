#include "core/tensor.h"

#include "core/error.h"
#include "core/geometry/contiguity.h"

namespace cutaway {

int64_t maybe_wrap_dim(int64_t dim, int64_t ndim) {
  const int64_t range = ndim > 0 ? ndim : 1;
  CUTAWAY_CHECK_INDEX(-range <= dim && dim < range, "Dimension out of range (expected to be in range of [", -range,
                      ", ", range - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + range : dim;
}

int64_t Tensor::size(int64_t dim) const {
  CUTAWAY_CHECK_INDEX(this->dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return sizes()[maybe_wrap_dim(dim, this->dim())];
}

int64_t Tensor::stride(int64_t dim) const {
  CUTAWAY_CHECK_INDEX(this->dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return strides()[maybe_wrap_dim(dim, this->dim())];
}

MemoryFormat Tensor::suggest_memory_format() const { return suggested_memory_format(sizes(), strides()); }

bool Tensor::is_alias_of(const Tensor& other) const {
  return checked().has_storage() && other.checked().has_storage() && storage() == other.storage();
}

void Tensor::throw_undefined() {
  CUTAWAY_CHECK_TYPE(false, "Expected a proper Tensor but got None (or an undefined Tensor in C++)");
  __builtin_unreachable();
}

void Tensor::check_dtype(ScalarType wanted) const {
  CUTAWAY_CHECK(dtype() == wanted, "expected scalar type ", wanted, " but found ", dtype());
}

void name(const Tensor& tensor, std::string_view text) {
  if (Observer* o = observer()) o->tensor_named(tensor.id(), text);
}

}  // namespace cutaway
