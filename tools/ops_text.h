// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cupyxx::tools {

/// The text of docs/ops.md: every elementwise operation with its loops and what it computes.
std::string ops_text();

}  // namespace cupyxx::tools
