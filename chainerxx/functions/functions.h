// SPDX-License-Identifier: MIT
// All functions of variables: `namespace F = chainerxx::functions;`.
#pragma once

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/functions/loss/mean_squared_error.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/noise/dropout.h"
