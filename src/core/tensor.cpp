#include "core/tensor.h"

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/dims.h"

namespace cutaway {

int64_t Tensor::size(int64_t dim) const {
  CUTAWAY_CHECK_INDEX(this->dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return sizes()[wrap_dim(dim, this->dim())];
}

int64_t Tensor::stride(int64_t dim) const {
  CUTAWAY_CHECK_INDEX(this->dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return strides()[wrap_dim(dim, this->dim())];
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
