// SPDX-License-Identifier: MIT
// Threads that work beside others, each for itself.
#pragma once

#include "cupyxx/export.h"

namespace cupyxx::internal::cpu {

/// While it lives, loops on the host that this thread starts run on this thread, as if it were a
/// member of a team: for threads of a program that share the machine among themselves.
class CUPYXX_API AloneScope {
 public:
  AloneScope();
  ~AloneScope();
  AloneScope(const AloneScope&) = delete;
  AloneScope& operator=(const AloneScope&) = delete;

 private:
  bool previous_;
};

/// Whether this thread is within such a scope.
CUPYXX_API bool is_alone();

}  // namespace cupyxx::internal::cpu
