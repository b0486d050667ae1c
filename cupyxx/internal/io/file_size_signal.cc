// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/file_size_signal.h"

#include <sys/resource.h>

#include <cerrno>
#include <ctime>

namespace cupyxx::internal::io {
namespace {

sigset_t the_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool is_pending() {
  sigset_t set;
  return ::sigpending(&set) == 0 && sigismember(&set, SIGXFSZ) == 1;
}

}  // namespace

WithoutFileSizeSignal::WithoutFileSizeSignal() {
  rlimit limit;
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return;
  is_blocked_ = true;
  const sigset_t set = the_signal();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  was_pending_ = is_pending();
}

WithoutFileSizeSignal::~WithoutFileSizeSignal() {
  if (!is_blocked_) return;
  const int error = errno;
  if (!was_pending_ && is_pending()) {
    const sigset_t set = the_signal();
    const std::timespec at_once{};
    while (::sigtimedwait(&set, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace cupyxx::internal::io
