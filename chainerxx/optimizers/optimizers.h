// SPDX-License-Identifier: MIT
// All optimization algorithms.
#pragma once

#include "chainerxx/optimizers/adam.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/sgd.h"
