// SPDX-License-Identifier: MIT
// Symbol visibility: everything is hidden unless it is marked CUPYXX_API.
#pragma once

// An older standard ends here with one line: a missing file stops the compiler, #error does not.
#if __cplusplus < 202002L
#include "cupyxx needs C++20: compile with -std=c++20"
#endif

#define CUPYXX_API __attribute__((visibility("default")))
