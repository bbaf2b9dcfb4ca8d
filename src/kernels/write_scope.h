// Brackets a write to a tensor's memory: tells the observer the bytes before and after, and counts the version.
//
// Every kernel that changes the elements of an existing tensor opens one around the change. Nothing is counted when the
// write throws: it then did not happen, or the tensor's content is unspecified and the error says so.
//
// PyTorch: torch/csrc/autograd/VariableTypeUtils.h (increment_version)
#pragma once

#include <exception>

#include "core/tensor.h"

namespace cutaway {

class WriteScope {
 public:
  // A tensor that is only now being made is Fresh: its first values are no change, so its version stays.
  enum class Of { Existing, Fresh };

  // Requires: `tensor` outlives the scope.
  explicit WriteScope(const Tensor& tensor, Of of = Of::Existing);
  ~WriteScope();
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

 private:
  WriteFacts facts() const;

  const Tensor& tensor_;
  Of of_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace cutaway
