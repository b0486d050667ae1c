// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/parallel.h"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

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

int count_threads() {
  cpu_set_t set;
  int cpus = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  const int granted = cgroup_cpus();
  if (granted > 0) cpus = std::min(cpus, granted);
  // A smaller team asked for by OMP_NUM_THREADS is respected.
  const int threads = std::max(1, std::min(cpus, omp_get_max_threads()));
  omp_set_num_threads(threads);
  return threads;
}

}  // namespace

int thread_count() {
  static const int count = count_threads();
  return count;
}

void parallel_ranges(std::int64_t n, std::int64_t grain,
                     void (*body)(void*, std::int64_t, std::int64_t), void* context) {
  const auto threads = static_cast<int>(
      std::min<std::int64_t>(thread_count(), (n + grain - 1) / std::max<std::int64_t>(grain, 1)));
  if (threads <= 1 || omp_in_parallel()) {
    body(context, 0, n);
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t count = omp_get_num_threads();
    const std::int64_t i = omp_get_thread_num();
    // Ranges begin at multiples of 64 so that no cache line is written by two threads.
    const std::int64_t step = ((n + count - 1) / count + 63) / 64 * 64;
    const std::int64_t begin = std::min(n, i * step);
    const std::int64_t end = std::min(n, begin + step);
    try {
      if (begin < end) body(context, begin, end);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cupyxx::internal::cpu
