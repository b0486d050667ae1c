// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/arriving_signals.h"

#include <initializer_list>

namespace cupyxx::internal::cpu {

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

void block_arriving_signals() {
  static thread_local bool blocked = false;
  if (blocked) return;
  ::pthread_sigmask(SIG_BLOCK, &arriving_signals(), nullptr);
  blocked = true;
}

}  // namespace cupyxx::internal::cpu
