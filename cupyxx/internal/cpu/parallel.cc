// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>

#include "cupyxx/export.h"
#include "cupyxx/internal/cpu/alone.h"
#include "cupyxx/internal/cpu/arriving_signals.h"

// libgomp's interface, the same for every compiler; Clang has no <omp.h> without libomp.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int);
int omp_in_parallel();
int omp_get_num_threads();
int omp_get_thread_num();
void GOMP_parallel(void (*body)(void*), void* context, unsigned threads, unsigned flags);
}

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer does not see what orders the members of libgomp's teams: it is told.
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#else
// NOLINTBEGIN(bugprone-reserved-identifier)
#define __tsan_acquire(team) static_cast<void>(team)
#define __tsan_release(team) static_cast<void>(team)
// NOLINTEND(bugprone-reserved-identifier)
#endif

namespace cupyxx::internal::cpu {

namespace {

// CPUs that the cgroup grants, rounded up; 0 when there is no limit.
int cgroup_cpus() {
  std::ifstream v2("/sys/fs/cgroup/cpu.max");
  std::string quota;
  long period = 0;
  if (!(v2 >> quota >> period)) {
    std::ifstream quota_v1("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    std::ifstream period_v1("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (!(quota_v1 >> quota) || !(period_v1 >> period)) return 0;
  }
  const long microseconds = std::strtol(quota.c_str(), nullptr, 10);
  if (microseconds <= 0 || period <= 0) return 0;
  return static_cast<int>((microseconds + period - 1) / period);
}

std::atomic<int> g_threads{0};

// libgomp's threads do not follow into a child process, and a team there would wait for them for
// ever: a child works on one thread, in the libraries that ask OpenMP, too.
void be_alone() {
  omp_set_num_threads(1);
  g_threads.store(1);
}

int count_threads() {
  ::pthread_atfork(nullptr, nullptr, be_alone);
  cpu_set_t set;
  int cpus = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  const int granted = cgroup_cpus();
  if (granted > 0) cpus = std::min(cpus, granted);
#if defined(__SANITIZE_THREAD__)
  cpus = omp_get_max_threads();  // races show with more threads than there are CPUs, too
#endif
  // A smaller team asked for by OMP_NUM_THREADS is respected.
  const int threads = std::max(1, std::min(cpus, omp_get_max_threads()));
  omp_set_num_threads(threads);
  return threads;
}

}  // namespace

CUPYXX_API int thread_count() {
  if (const int count = g_threads.load(std::memory_order_relaxed); count != 0) return count;
  static const int count = count_threads();
  int none = 0;
  g_threads.compare_exchange_strong(none, count);
  return g_threads.load();
}

CUPYXX_API bool in_team() { return is_alone() || omp_in_parallel() != 0; }

CUPYXX_API void run_team(int threads, void (*body)(void*, int, int), void* context) {
  if (threads <= 1 || in_team()) {
    body(context, 0, 1);
    return;
  }
  struct Region {
    void (*body)(void*, int, int);
    void* context;
    std::mutex mutex;
    std::exception_ptr failure;
  } region{body, context, {}, nullptr};
  const auto member = [](void* data) {
    Region& shared = *static_cast<Region*>(data);
    __tsan_acquire(data);
    // See signals.h; libgomp may have started this thread after the first product.
    if (omp_get_thread_num() != 0) block_arriving_signals();
    try {
      shared.body(shared.context, omp_get_thread_num(), omp_get_num_threads());
    } catch (...) {
      const std::lock_guard lock(shared.mutex);
      shared.failure = std::current_exception();
    }
    __tsan_release(data);
  };
  __tsan_release(&region);
  GOMP_parallel(member, &region, static_cast<unsigned>(threads), 0);
  __tsan_acquire(&region);
  if (region.failure) std::rethrow_exception(region.failure);
}

CUPYXX_API void parallel_ranges(std::int64_t n, std::int64_t grain,
                                void (*body)(void*, std::int64_t, std::int64_t), void* context) {
  const auto threads = static_cast<int>(
      std::min<std::int64_t>(thread_count(), (n + grain - 1) / std::max<std::int64_t>(grain, 1)));
  run_team(threads, [&](int member, int size) {
    if (size == 1) return body(context, 0, n);
    // Ranges begin at multiples of 64 so that no cache line is written by two threads.
    const std::int64_t step = ((n + size - 1) / size + 63) / 64 * 64;
    const std::int64_t begin = std::min(n, member * step);
    const std::int64_t end = std::min(n, begin + step);
    if (begin < end) body(context, begin, end);
  });
}

CUPYXX_API LibraryTeam::LibraryTeam(int threads) : previous_(omp_get_max_threads()) {
  omp_set_num_threads(threads);
}
CUPYXX_API LibraryTeam::~LibraryTeam() { omp_set_num_threads(previous_); }
CUPYXX_API int library_team_size() { return omp_get_max_threads(); }

}  // namespace cupyxx::internal::cpu
