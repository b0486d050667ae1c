// SPDX-License-Identifier: MIT
// All optimization algorithms.
#pragma once

// An older standard ends here with one line: a missing file stops the compiler, #error does not.
#if __cplusplus < 202002L
#include "chainerxx needs C++20: compile with -std=c++20"
#endif

#include "chainerxx/optimizers/ada_bound.h"
#include "chainerxx/optimizers/ada_delta.h"
#include "chainerxx/optimizers/ada_grad.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/optimizers/adam_w.h"
#include "chainerxx/optimizers/adamax.h"
#include "chainerxx/optimizers/ams_grad.h"
#include "chainerxx/optimizers/corrected_momentum_sgd.h"
#include "chainerxx/optimizers/hooks.h"
#include "chainerxx/optimizers/lamb.h"
#include "chainerxx/optimizers/lars.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/msvag.h"
#include "chainerxx/optimizers/nesterov_ag.h"
#include "chainerxx/optimizers/r_adam.h"
#include "chainerxx/optimizers/rms_prop.h"
#include "chainerxx/optimizers/rms_prop_graves.h"
#include "chainerxx/optimizers/schedules.h"
#include "chainerxx/optimizers/sgd.h"
#include "chainerxx/optimizers/smorms3.h"
