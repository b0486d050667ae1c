// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/uses.h"

#include <algorithm>
#include <vector>

#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream_registry.h"

namespace cupyxx::internal::gpu {

namespace {

constexpr std::uint8_t kMostForeignStreams = 4;

// Our streams that may hold work on the memory. Only under the registry's lock.
std::vector<void*> streams_of(const Storage* storage) {
  const StreamRegistry& registry = StreamRegistry::instance();
  const int device = storage->device.index;
  std::vector<void*> streams;
  if (storage->foreign_count > kMostForeignStreams) {  // too many to be remembered one by one
    streams = registry.of_device(device);
  } else {
    streams.assign(storage->foreign_streams, storage->foreign_streams + storage->foreign_count);
  }
  streams.push_back(storage->home_stream);
  streams.push_back(current_stream(device));
  std::sort(streams.begin(), streams.end());
  streams.erase(std::unique(streams.begin(), streams.end()), streams.end());
  std::erase_if(streams, [&](void* stream) { return !registry.alive(stream); });
  return streams;
}

// A mark at the end of a stream.
class Mark {
 public:
  Mark(int device, void* stream) {
    const OnDevice on(device);
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    const cudaError_t result = cudaEventRecord(event_, as_stream(stream));
    if (result == cudaSuccess) return;
    cudaEventDestroy(event_);
    check(result, "cudaEventRecord");
  }
  // A wait that was enqueued keeps what it needs.
  ~Mark() { cudaEventDestroy(event_); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

  void hold_back(int device, void* stream) const {
    const OnDevice on(device);
    check(cudaStreamWaitEvent(as_stream(stream), event_, 0), "cudaStreamWaitEvent");
  }
  void wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

 private:
  cudaEvent_t event_ = nullptr;
};

template <class Visit>
void visit_marks(const Storage* storage, const Visit& visit) noexcept {
  try {
    const auto guard = StreamRegistry::instance().lock();
    for (void* stream : streams_of(storage)) visit(stream);
    return;
  } catch (...) {
  }
  // The device is in a bad state, or gone at exit: waiting is all that is left.
  cudaDeviceSynchronize();
  cudaGetLastError();
}

}  // namespace

void order_after_uses(const Storage* storage, void* stream) noexcept {
  const int device = storage->device.index;
  visit_marks(storage, [=](void* used) {
    if (used != stream) Mark(device, used).hold_back(device, stream);
  });
}

void wait_for_uses(const Storage* storage) noexcept {
  visit_marks(storage, [=](void* used) { Mark(storage->device.index, used).wait(); });
}

void order_streams(int device, void* earlier, void* later) {
  if (earlier != later) Mark(device, earlier).hold_back(device, later);
}

}  // namespace cupyxx::internal::gpu
