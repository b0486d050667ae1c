// SPDX-License-Identifier: MIT
// oneDNN 2.6 moves the stack pointer into a small block of the heap while it multiplies float32
// matrices: a signal handler that runs there, without a stack of its own, writes over the heap.
#pragma once

#include <signal.h>

namespace cupyxx::internal::cpu {

/// Blocks the signals of this thread until its end, but for those that the thread's own
/// instructions cause; blocked ones arrive afterwards. The first object also blocks those of the
/// other threads of the team, for good, as every team of ours does in its members; those that a
/// program's own OpenMP regions start later take signals until their first task for us.
class WithoutSignals {
 public:
  WithoutSignals();
  ~WithoutSignals();
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace cupyxx::internal::cpu
