// SPDX-License-Identifier: MIT
#pragma once

namespace cupyxx {

/// The version of cupyxx, as in cupyxx/VERSION.
inline constexpr const char* version = "0.1.0";

}  // namespace cupyxx
