// Which dtype holds the result when two meet.
//
// The lattice: bool below every integer, integers below every float; unsigned with signed of no greater width
// goes one width up; float16 with bfloat16 goes to float32. Commutative and idempotent.
//
// PyTorch: torch/headeronly/core/ScalarType.h (promoteTypes, canCast)
#pragma once

#include "core/scalar.h"
#include "core/scalar_type.h"

namespace cutaway {

ScalarType promote_types(ScalarType a, ScalarType b);

// Returns: the dtype of an op between a tensor of `tensor` and a plain number: the number's own dtype matters
// only when its category (bool < integer < float) is higher; a float number then counts as float32.
ScalarType result_type(ScalarType tensor, const Scalar& number);

// Whether a result of dtype `from` may be written to a tensor of dtype `to`: floats not to integers, nothing
// but bool to bool.
bool can_cast(ScalarType from, ScalarType to);

}  // namespace cutaway
