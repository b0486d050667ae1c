// SPDX-License-Identifier: MIT
#include "examples/program/interrupt.h"

#include <signal.h>

#include <mutex>

namespace examples {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile sig_atomic_t interrupted = 0;
struct sigaction previous[2];
std::mutex mutex;
int scopes = 0;  // of all threads

void note(int) {
  interrupted = 1;
  for (const int number : kSignals) signal(number, SIG_DFL);
}

}  // namespace

InterruptScope::InterruptScope() {
  const std::lock_guard lock(mutex);
  if (scopes++ > 0) return;
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;  // writing files goes on
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &previous[i]);
}

InterruptScope::~InterruptScope() {
  const std::lock_guard lock(mutex);
  if (--scopes > 0) return;
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &previous[i], nullptr);
}

bool InterruptScope::requested() const { return interrupted != 0; }

}  // namespace examples
