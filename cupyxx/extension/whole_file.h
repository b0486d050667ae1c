// SPDX-License-Identifier: MIT
// Files of text that appear as a whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// Writes bytes to a file beside the target, syncs it and renames it over the target: an earlier
/// file is whole until the new one is. Throws IOError "operation: cannot write PATH; REASON".
CUPYXX_API void write_whole_file(const std::string& operation, const std::string& path,
                                 std::string_view bytes);

}  // namespace cupyxx::extension
