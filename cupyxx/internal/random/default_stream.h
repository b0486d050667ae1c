// SPDX-License-Identifier: MIT
// The default random stream of each device, for whoever draws numbers inside its own kernel.
#pragma once

#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/ops/philox.h"

namespace cupyxx::internal {

/// Takes `blocks` blocks of four words from a device's default stream. Thread-safe.
CUPYXX_API random::PhiloxState reserve_random(Device device, std::uint64_t blocks);

}  // namespace cupyxx::internal
