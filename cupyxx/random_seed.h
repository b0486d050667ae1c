// SPDX-License-Identifier: MIT
// Where random numbers begin: a header of its own, for umbrellas that draw none by name.
#pragma once

#include "cupyxx/core/index.h"
#include "cupyxx/export.h"
#include "cupyxx/values/integer.h"

namespace cupyxx::random {

/// Starts the default stream of the current device anew; `none` takes a seed as the first use does.
CUPYXX_API void seed(internal::UInt64 seed);
CUPYXX_API void seed(None = {});

}  // namespace cupyxx::random
