// SPDX-License-Identifier: MIT
// The one team of threads that all CPU loops share: that of libgomp, which oneDNN and OpenBLAS use,
// too. It is called by its own interface and not by pragmas, for which Clang would bring a second
// team (libomp's) into the process.
#pragma once

#include <cstdint>
#include <type_traits>

namespace cupyxx::internal::cpu {

/// Threads of the team: the smaller of the process's affinity and its cgroup's quota.
int thread_count();

/// Whether the caller is a member of a team.
bool in_team();

/// Calls `body(member, size)` in each member of a team of up to `threads`, numbered from 0; with
/// one thread, or inside a team, in the caller alone. Returns when all have; an exception in a body
/// is passed on to the caller.
void run_team(int threads, void (*body)(void* context, int member, int size), void* context);

template <class Body>
void run_team(int threads, Body&& body) {
  run_team(
      threads,
      [](void* context, int member, int size) {
        (*static_cast<std::remove_reference_t<Body>*>(context))(member, size);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

/// Calls `body(task)` for each of `tasks` tasks, the neighbours in one member of the team.
template <class Body>
void run_tasks(int threads, std::int64_t tasks, const Body& body) {
  run_team(threads, [&](int member, int size) {
    const std::int64_t least = tasks / size, rest = tasks % size;
    const std::int64_t begin = member * least + (member < rest ? member : rest);
    const std::int64_t end = begin + least + (member < rest ? 1 : 0);
    for (std::int64_t task = begin; task < end; ++task) body(task);
  });
}

/// The size of the teams that libraries make when this thread calls them, to the end of the scope.
class LibraryTeam {
 public:
  explicit LibraryTeam(int threads);
  ~LibraryTeam();
  LibraryTeam(const LibraryTeam&) = delete;
  LibraryTeam& operator=(const LibraryTeam&) = delete;

 private:
  int previous_;
};
/// What that size is now.
int library_team_size();

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
