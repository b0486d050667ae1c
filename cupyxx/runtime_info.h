// SPDX-License-Identifier: MIT
// What this process runs on and with: versions, devices, caches, pools, environment.
#pragma once

#include <iosfwd>
#include <string>

#include "cupyxx/export.h"

namespace cupyxx {

/// The description as text, one "name : value" per line. Opens no library and makes no context on
/// a device: libraries that are not loaded yet are described by the file that would be.
CUPYXX_API std::string config_text();
/// Prints it to std::cout, or to a stream.
CUPYXX_API void show_config();
CUPYXX_API void show_config(std::ostream& os);

}  // namespace cupyxx
