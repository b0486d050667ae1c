// SPDX-License-Identifier: MIT
// Kernels that keep a stream busy, for tests of order. Needs a device.
#pragma once

#include "cupyxx/cuda/stream.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::cuda::testing {

/// Keeps a stream busy for at least `milliseconds` at 2 GHz.
inline void keep_busy(const Stream& stream, int milliseconds = 20) {
  static const internal::jit::Program& program =
      *new internal::jit::Program{.name = "wait", .text = R"(
extern "C" __global__ void kernel(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {}
}
)"};
  const long long cycles = 2000000LL * milliseconds;
  internal::jit::launch(internal::jit::load(stream.device(), program), {}, stream.ptr(), &cycles);
}

}  // namespace cupyxx::cuda::testing
