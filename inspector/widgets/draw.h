// What nearly every panel draws with: text, rows, cards, and the count of what it costs.
//
// PyTorch: none
#pragma once

#include "inspector/widgets/budget.h"
#include "inspector/widgets/card.h"
#include "inspector/widgets/rows.h"
#include "inspector/widgets/text.h"
