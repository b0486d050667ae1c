// SPDX-License-Identifier: MIT
// All of typecheck.
#pragma once

// An older standard ends here with one line: a missing file stops the compiler, #error does not.
#if __cplusplus < 202002L
#include "typecheck needs C++20: compile with -std=c++20"
#endif

#include "typecheck/expect.h"
#include "typecheck/expr.h"
#include "typecheck/invalid_type.h"
#include "typecheck/tree.h"
#include "typecheck/type_info.h"
#include "typecheck/type_infos.h"
#include "typecheck/value.h"
#include "typecheck/version.h"
