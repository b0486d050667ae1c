// SPDX-License-Identifier: MIT
// What a test may ask of the CUDA runtime without a device.
#pragma once

namespace cupyxx::testing {

/// Has the next wait for a stream fail as if a kernel had read what it must not.
void fail_next_wait();

}  // namespace cupyxx::testing
