// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/signals.h"

#include "cupyxx/internal/cpu/arriving_signals.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

WithoutSignals::WithoutSignals() {
  ::pthread_sigmask(SIG_BLOCK, &arriving_signals(), &before_);
  static thread_local int quiet = 1;  // members of this thread's team
  const int threads = library_team_size();
  if (threads <= quiet || in_team()) return;
  run_team(threads, [](int member, int) {
    if (member != 0) block_arriving_signals();
  });
  quiet = threads;
}

WithoutSignals::~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace cupyxx::internal::cpu
