// SPDX-License-Identifier: MIT
// The one team of threads that all loops on the host share, with those libraries that use
// libgomp's: oneDNN, OpenBLAS.
//
//   parallel_for(n, kGrain, [&](std::int64_t begin, std::int64_t end) { ... });
#pragma once

#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::extension {

/// Threads of the team: the smaller of the process's affinity and its cgroup's quota.
using internal::cpu::thread_count;
/// Whether the caller is a member of a team.
using internal::cpu::in_team;
/// `parallel_for(n, grain, body)` calls `body(begin, end)` on disjoint ranges that cover [0, n);
/// serially when n <= grain or when already inside a team. Passes an exception of a body on.
using internal::cpu::parallel_for;
/// Elements below which a loop of a cheap operation is not worth a team.
using internal::cpu::kGrain;
/// The size of the teams that libraries make when this thread calls them, to the end of the scope.
using internal::cpu::LibraryTeam;
/// What that size is now.
using internal::cpu::library_team_size;

}  // namespace cupyxx::extension
