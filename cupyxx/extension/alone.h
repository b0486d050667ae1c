// SPDX-License-Identifier: MIT
// Threads that work beside others, each for itself, such as those that load data.
#pragma once

#include "cupyxx/internal/cpu/alone.h"

namespace cupyxx::extension {

/// While it lives, loops on the host that this thread starts run on this thread alone.
using internal::cpu::AloneScope;

}  // namespace cupyxx::extension
