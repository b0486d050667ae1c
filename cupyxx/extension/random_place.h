// SPDX-License-Identifier: MIT
// The default random stream of each device, current or not, for code that draws its own numbers
// from it (cupyxx/ops/philox.h): on the host and in kernels the same.
#pragma once

#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/ops/philox.h"

namespace cupyxx::random {
class RandomState;
}

namespace cupyxx::extension {

/// The default stream of a device, seeded when this is its first use. It lives for ever.
CUPYXX_API random::RandomState& default_random_state(Device device);

/// Takes `blocks` blocks of four words from a device's default stream, and says where they begin.
/// Threads may share it. Within a capture each run takes as many again: Capture::random_place says
/// where.
CUPYXX_API random::PhiloxState reserve_random(Device device, std::uint64_t blocks);

}  // namespace cupyxx::extension
