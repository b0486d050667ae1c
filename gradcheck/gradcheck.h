// SPDX-License-Identifier: MIT
// All of gradcheck.
#pragma once

#include "gradcheck/array_list.h"
#include "gradcheck/assert_allclose.h"
#include "gradcheck/check_backward.h"
#include "gradcheck/check_double_backward.h"
#include "gradcheck/mismatch.h"
#include "gradcheck/numerical_grad.h"
#include "gradcheck/version.h"
