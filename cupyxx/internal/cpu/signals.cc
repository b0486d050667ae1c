// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/signals.h"

#include <initializer_list>

#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {
namespace {

// All that may arrive at any moment.
const sigset_t& arriving_signals() {
  static const sigset_t signals = [] {
    sigset_t set;
    sigfillset(&set);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
      sigdelset(&set, own);
    }
    return set;
  }();
  return signals;
}

}  // namespace

WithoutSignals::WithoutSignals() {
  ::pthread_sigmask(SIG_BLOCK, &arriving_signals(), &before_);
  static thread_local int quiet = 1;  // members of this thread's team
  const int threads = library_team_size();
  if (threads <= quiet || in_team()) return;
  run_team(threads, [](int member, int) {
    if (member != 0) ::pthread_sigmask(SIG_BLOCK, &arriving_signals(), nullptr);
  });
  quiet = threads;
}

WithoutSignals::~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace cupyxx::internal::cpu
