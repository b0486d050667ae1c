// SPDX-License-Identifier: MIT
// The signals that may arrive in a thread at any moment, which no member of a team takes.
#pragma once

#include <signal.h>

namespace cupyxx::internal::cpu {

/// All but those that a thread's own instructions cause.
const sigset_t& arriving_signals();

/// Blocks them in this thread for good, the first time that it is called there.
void block_arriving_signals();

}  // namespace cupyxx::internal::cpu
