// SPDX-License-Identifier: MIT
// The one team of threads that all CPU loops share (OpenMP's, which oneDNN and OpenBLAS use too).
#pragma once

#include <cstdint>
#include <type_traits>

namespace cupyxx::internal::cpu {

/// Threads of the team: the smaller of the process's affinity and its cgroup's quota.
int thread_count();

/// Elements below which a loop is not worth a team: some 30 us of a cheap one. A team costs 1 us on
/// an idle machine, but a time slice of the system on a busy one.
inline constexpr std::int64_t kGrain = 131072;

/// Calls `body(begin, end)` on disjoint ranges that cover [0, n); serially when n <= grain or when
/// already inside a team. An exception in a body is passed on to the caller.
void parallel_ranges(std::int64_t n, std::int64_t grain,
                     void (*body)(void* context, std::int64_t begin, std::int64_t end),
                     void* context);

template <class Body>
void parallel_for(std::int64_t n, std::int64_t grain, Body&& body) {
  if (n <= grain) {
    if (n > 0) body(std::int64_t{0}, n);
    return;
  }
  parallel_ranges(
      n, grain,
      [](void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<std::remove_reference_t<Body>*>(context))(begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace cupyxx::internal::cpu
