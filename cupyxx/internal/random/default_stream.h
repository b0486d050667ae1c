// SPDX-License-Identifier: MIT
// The default random stream of each device, current or not.
#pragma once

#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/ops/philox.h"

namespace cupyxx::random {
class RandomState;
}

namespace cupyxx::internal {

/// The default stream of a device, seeded when this is its first use. It lives for ever.
CUPYXX_API random::RandomState& default_random_state(Device device);

/// Takes `blocks` blocks of four words from a device's default stream. Thread-safe.
CUPYXX_API random::PhiloxState reserve_random(Device device, std::uint64_t blocks);

}  // namespace cupyxx::internal
