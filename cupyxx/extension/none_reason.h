// SPDX-License-Identifier: MIT
// Why an array is None: what a library above adds to the errors of null arrays.
#pragma once

#include <string>

#include "cupyxx/export.h"

namespace cupyxx {
class ndarray;
}

namespace cupyxx::extension {

/// Of the handle that was used, which is null: what is known of it, or an empty text.
using NoneReason = std::string (*)(const ndarray& handle);

/// Asks `reason` for what errors say behind "the array is None", from now on. Any thread may call
/// it.
CUPYXX_API void set_none_reason(NoneReason reason);

}  // namespace cupyxx::extension
