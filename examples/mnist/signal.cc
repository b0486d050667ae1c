// SPDX-License-Identifier: MIT
#include "examples/mnist/signal.h"

#include <signal.h>

namespace mnist {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile sig_atomic_t interrupted = 0;
struct sigaction previous[2];
stack_t previous_stack;

// oneDNN's products run with the stack pointer in small blocks of the heap; a handler's frame there
// would overwrite what lies below. The main thread, which takes the signals, gets a stack for them.
alignas(64) char handler_stack[64 << 10];

void note(int) {
  interrupted = 1;
  for (const int number : kSignals) signal(number, SIG_DFL);
}

}  // namespace

InterruptScope::InterruptScope() {
  interrupted = 0;
  stack_t stack = {};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof(handler_stack);
  sigaltstack(&stack, &previous_stack);
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | SA_ONSTACK;  // writing files goes on
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &previous[i]);
}

InterruptScope::~InterruptScope() {
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &previous[i], nullptr);
  sigaltstack(&previous_stack, nullptr);
}

bool InterruptScope::requested() const { return interrupted != 0; }

}  // namespace mnist
