// SPDX-License-Identifier: MIT
#include "cupyxx/internal/extension_op.h"

#include <atomic>

#include "cupyxx/error.h"
#include "cupyxx/export.h"

namespace cupyxx::internal {

CUPYXX_API int take_op_id(const char* name) {
  constexpr int kFirst = 512;  // our own families are below
  static std::atomic<int> next{kFirst};
  const int id = next.fetch_add(1, std::memory_order_relaxed);
  if (id < kMaxOps) return id;
  throw ValueError(
      message(name, ": a program has at most ", kMaxOps - kFirst, " operations of its own"));
}

}  // namespace cupyxx::internal
