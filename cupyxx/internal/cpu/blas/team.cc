// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/team.h"

#include <omp.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace cupyxx::internal::cpu {
namespace {

// A team larger than the control group's quota spins while its members wait for their turn.
double quota_of(const std::string& folder) {
  double quota = -1, period = 0;
  std::string text;
  if (std::ifstream(folder + "/cpu.max") >> text >> period) {
    return text == "max" || period <= 0 ? 0 : std::stod(text) / period;
  }
  if (std::ifstream(folder + "/cpu.cfs_quota_us") >> quota && quota > 0 &&
      std::ifstream(folder + "/cpu.cfs_period_us") >> period && period > 0) {
    return quota / period;
  }
  return 0;
}

int measure() {
  int threads = std::max(1, omp_get_max_threads());
  for (const char* folder : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
    const double quota = quota_of(folder);
    if (quota > 0) threads = std::min(threads, std::max(1, static_cast<int>(quota + 0.5)));
  }
  return threads;
}

}  // namespace

int team_size() {
  static const int size = measure();
  return size;
}

TeamScope::TeamScope(int threads) : previous_(omp_get_max_threads()) {
  if (threads != previous_) omp_set_num_threads(threads);
}

TeamScope::~TeamScope() { omp_set_num_threads(previous_); }

}  // namespace cupyxx::internal::cpu
