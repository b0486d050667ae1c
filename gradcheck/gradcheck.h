// SPDX-License-Identifier: MIT
// All of gradcheck.
#pragma once

// An older standard ends here with one line: a missing file stops the compiler, #error does not.
#if __cplusplus < 202002L
#include "gradcheck needs C++20: compile with -std=c++20"
#endif

#include "gradcheck/array_list.h"
#include "gradcheck/assert_allclose.h"
#include "gradcheck/check_backward.h"
#include "gradcheck/check_double_backward.h"
#include "gradcheck/mismatch.h"
#include "gradcheck/numerical_grad.h"
#include "gradcheck/version.h"
