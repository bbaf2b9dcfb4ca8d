// Counts the calls of operator new in this test program.
#pragma once

#include <cstddef>

size_t allocations_so_far();
