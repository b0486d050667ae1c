// SPDX-License-Identifier: MIT
// What a test may ask of the CUDA runtime without a device.
#pragma once

namespace cupyxx::testing {

/// What has become of kernels and graphs so far.
struct DryGraphs {
  int kernels = 0;         // launched or captured
  int kernel_device = -1;  // what CUDA called current at the last of them
  int launched = 0;        // graphs
  int updated = 0;         // arguments of kernels in graphs
};
DryGraphs dry_graphs();

/// How many devices there are; to be said before the library asks, which it does once.
void set_dry_devices(int count);

/// Has the next wait for a stream fail as if a kernel had read what it must not.
void fail_next_wait();

}  // namespace cupyxx::testing
