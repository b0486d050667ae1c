// SPDX-License-Identifier: MIT
// All of chainerxx.
#pragma once

#include "chainerxx/capture.h"
#include "chainerxx/computational_graph.h"
#include "chainerxx/cuda.h"
#include "chainerxx/function.h"
#include "chainerxx/function_set.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "chainerxx/optimizer.h"
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/scope.h"
#include "chainerxx/serializers.h"
#include "chainerxx/variable.h"
#include "chainerxx/version.h"
#include "typecheck/expect.h"
