// The tensor that is not there: one object for the whole process, what a default-constructed Tensor points
// at.
//
// In backward formulas it means "a gradient of zeros". Ops refuse it. Being an object and not null, it lets
// size queries run without a test and answer with an error.
//
// PyTorch: c10/core/UndefinedTensorImpl.h
#pragma once

#include "core/tensor_impl.h"

namespace cutaway {

class UndefinedTensorImpl final : public TensorImpl {
 public:
  // Only the address is taken here, so asking is a constant, before and after the object's own lifetime too.
  static TensorImpl* singleton() noexcept { return &singleton_; }

  const char* tensorimpl_type_name() const override { return "UndefinedTensorImpl"; }

 private:
  static UndefinedTensorImpl singleton_;
  UndefinedTensorImpl() : TensorImpl(DispatchKeySet(), ScalarType::Undefined, Device(), Layout::Strided) {}
};

}  // namespace cutaway
