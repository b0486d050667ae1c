// SPDX-License-Identifier: MIT
#include "cupyxx/core/shared.h"

#include <atomic>

namespace cupyxx::internal {

struct Share {
  std::atomic<long> owners{1};
  void* object;
  void (*end)(void* object);
};

Share* make_share(void* object, void (*end)(void* object)) {
  try {
    return new Share{.object = object, .end = end};
  } catch (...) {
    end(object);
    throw;
  }
}

void retain(Share* share) noexcept { share->owners.fetch_add(1, std::memory_order_relaxed); }

void release(Share* share) noexcept {
  // What the other owners did comes before the end.
  if (share->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  share->end(share->object);
  delete share;
}

}  // namespace cupyxx::internal
