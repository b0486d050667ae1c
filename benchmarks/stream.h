// SPDX-License-Identifier: MIT
// Plain loops over the host's memory, which others are compared with in one run.
#pragma once

#include <cstdint>

namespace benchmarks {

/// Reads n floats, on one thread; gives their sum.
float stream_read(const float* x, std::int64_t n);

/// z = x + y on one thread, with stores that go past the caches.
void stream_triad(float* z, const float* x, const float* y, std::int64_t n);

}  // namespace benchmarks
