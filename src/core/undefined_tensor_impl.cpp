#include "core/undefined_tensor_impl.h"

namespace cutaway {

UndefinedTensorImpl UndefinedTensorImpl::singleton_;

}  // namespace cutaway
