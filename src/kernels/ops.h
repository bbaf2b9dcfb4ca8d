// All operations of this stage: factories, views and copies, in-place changes.
//
// PyTorch: aten/src/ATen/Functions.h
#pragma once

#include "kernels/factories.h"
#include "kernels/inplace.h"
#include "kernels/views.h"
