// SPDX-License-Identifier: MIT
// Short texts that libraries keep from one run to the next, such as choices that were measured: in
// the folder of compiled kernels (CUPYXX_CACHE_DIR), and by its rules: what was not used for
// longest goes first, a damaged entry is as if it were not there and costs one line on stderr.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// What was kept under a key of any characters. A key says all that the text depends on: versions,
/// the device.
CUPYXX_API std::optional<std::string> find_kept_text(std::string_view key);
/// Keeps a text, in place of an older one; nothing where there is no folder. Never throws.
CUPYXX_API void keep_text(std::string_view key, std::string_view text) noexcept;

}  // namespace cupyxx::extension
