// SPDX-License-Identifier: MIT
// oneDNN 2.6 moves the stack pointer into a small block of the heap while it multiplies float32
// matrices: a signal handler that runs there, without a stack of its own, writes over the heap.
#pragma once

#include <signal.h>

namespace cupyxx::internal::cpu {

/// While it lives, this thread takes no signals but those that it causes itself; they arrive
/// afterwards. The other members of its team take none from its first use on.
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
