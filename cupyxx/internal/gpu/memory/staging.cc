// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/memory/staging.h"

#include <mutex>
#include <vector>

#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"

namespace cupyxx::internal::gpu {
namespace {

struct AtRest {
  std::mutex mutex;
  std::vector<Staging*> of_device[kMaxDevices];
};

AtRest& at_rest() {
  static AtRest& all = *new AtRest;
  return all;
}

}  // namespace

void* allocate_pinned(std::size_t nbytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, nbytes, cudaHostAllocPortable | cudaHostAllocMapped),
        "cudaHostAlloc");
  return memory;
}

StagingLease::StagingLease(int device) {
  {
    AtRest& rest = at_rest();
    const std::lock_guard lock(rest.mutex);
    std::vector<Staging*>& list = rest.of_device[device];
    if (!list.empty()) {
      staging_ = list.back();
      list.pop_back();
      return;
    }
  }
  const OnDevice on(device);
  char* small = static_cast<char*>(allocate_pinned(Staging::kSmallBytes));
  staging_ = new Staging{.device = device, .small = small};
}

StagingLease::~StagingLease() {
  AtRest& rest = at_rest();
  const std::lock_guard lock(rest.mutex);
  rest.of_device[staging_->device].push_back(staging_);
}

void StagingLease::need_large() {
  if (staging_->done[1]) return;
  const OnDevice on(staging_->device);
  for (int i = 0; i < 2; ++i) {
    if (!staging_->large[i]) {
      staging_->large[i] = static_cast<char*>(allocate_pinned(Staging::kLargeBytes));
    }
    check(cudaEventCreateWithFlags(&staging_->done[i], cudaEventDisableTiming),
          "cudaEventCreateWithFlags");
  }
}

}  // namespace cupyxx::internal::gpu
