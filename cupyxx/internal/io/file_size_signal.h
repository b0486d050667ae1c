// SPDX-License-Identifier: MIT
// A write beyond the process's limit of file sizes (ulimit -f) kills it by SIGXFSZ, unless the
// program took care; a library's save is to fail with an error instead.
#pragma once

#include <signal.h>

namespace cupyxx::internal::io {

/// While it lives, a write of this thread beyond the limit is EFBIG and no signal: neither the
/// default action nor a handler of the program's sees one. Where there is no limit when it is made,
/// it does nothing.
class WithoutFileSizeSignal {
 public:
  WithoutFileSizeSignal();
  ~WithoutFileSizeSignal();
  WithoutFileSizeSignal(const WithoutFileSizeSignal&) = delete;
  WithoutFileSizeSignal& operator=(const WithoutFileSizeSignal&) = delete;

 private:
  bool is_blocked_ = false;
  sigset_t before_;  // where it is
  bool was_pending_ = false;
};

}  // namespace cupyxx::internal::io
