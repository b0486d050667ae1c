// SPDX-License-Identifier: MIT
// The OpenMP team that our loops, oneDNN and OpenBLAS share.
#pragma once

namespace cupyxx::internal::cpu {

/// CPUs that this process may use: OpenMP's own count (affinity, OMP_NUM_THREADS), at most the
/// quota of the control group. Asked once.
int team_size();

/// Sets the size of the calling thread's teams until the end of the scope.
class TeamScope {
 public:
  explicit TeamScope(int threads);
  ~TeamScope();
  TeamScope(const TeamScope&) = delete;
  TeamScope& operator=(const TeamScope&) = delete;

 private:
  int previous_;
};

}  // namespace cupyxx::internal::cpu
