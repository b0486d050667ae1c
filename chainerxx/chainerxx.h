// SPDX-License-Identifier: MIT
// All of chainerxx.
#pragma once

// An older standard ends here with one line: a missing file stops the compiler, #error does not.
#if __cplusplus < 202002L
#include "chainerxx needs C++20: compile with -std=c++20"
#endif

// What others build on comes first, so that messages of the compiler name few files.
// clang-format off
#include "chainerxx/variable.h"
#include "chainerxx/function.h"
#include "chainerxx/function_set.h"
// clang-format on

#include "chainerxx/capture.h"
#include "chainerxx/chain_list.h"
#include "chainerxx/computational_graph.h"
#include "chainerxx/configuration.h"
#include "chainerxx/cuda.h"
#include "chainerxx/function_hook.h"
#include "chainerxx/function_hooks/function_hooks.h"
#include "chainerxx/functions/caffe/caffe_function.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/grad.h"
#include "chainerxx/initializers.h"
#include "chainerxx/links/layers.h"
#include "chainerxx/optimizer.h"
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/scope.h"
#include "chainerxx/sequential.h"
#include "chainerxx/serializers.h"
#include "chainerxx/utils/conv.h"
#include "chainerxx/version.h"
#include "cupyxx/math.h"
#include "cupyxx/random_seed.h"
#include "cupyxx/tolerance.h"
#include "typecheck/expect.h"
