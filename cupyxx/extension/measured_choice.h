// SPDX-License-Identifier: MIT
// A choice among ways to do the same on a device, by measuring them once. It is kept from run to
// run (kept_text.h), because the ways may differ in their last bits.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// Whether the environment says CUPYXX_TUNE=1; asked once.
CUPYXX_API bool tunes();

/// The place among `names` of the one that was kept under `key`; else of the first for which `time`
/// gives the least, which is kept then. 0, and nothing is kept, where all times are infinite.
CUPYXX_API std::size_t measured_choice(std::string_view key, const std::vector<std::string>& names,
                                       const std::function<float(std::size_t)>& time);

/// The same among runs on a CUDA device: `run(i)` enqueues the i-th on the current stream, or
/// returns false where it cannot. Waits for the stream. Within a capture, where nothing can be
/// measured, a choice that was not kept before is the first.
CUPYXX_API std::size_t measured_choice(std::string_view key, const std::vector<std::string>& names,
                                       int device, const std::function<bool(std::size_t)>& run);

}  // namespace cupyxx::extension
