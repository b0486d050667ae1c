// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>

#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {
namespace {

bool takes(int signal) {
  sigset_t now;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal) == 0;
}

// libgomp ends the threads that a smaller team does not need, and starts others for the next large
// one.
TEST(TeamSignals, NoMemberBesideTheCallerTakesAny) {
  for (const int threads : {4, 2, 8, 1, 4}) {
    std::atomic<int> members{0}, listening{0}, faults{0};
    run_team(threads, [&](int member, int) {
      ++members;
      if (member != 0 && takes(SIGUSR1)) ++listening;
      if (takes(SIGSEGV)) ++faults;
    });
    EXPECT_EQ(listening, 0) << threads;
    EXPECT_EQ(faults, members) << threads;
    EXPECT_TRUE(takes(SIGUSR1));
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
