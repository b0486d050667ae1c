// SPDX-License-Identifier: MIT
// Memory that several streams use: noted at each use on a stream that is not its home, ordered at
// the first such use and when the memory is freed.
#include <cstdint>
#include <mutex>

#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/memory/memory.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"
#include "cupyxx/internal/gpu/stream_registry.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr std::uint8_t kTooManyStreams = 255;
constexpr int kNoted = 4;

// The default stream and streams that were made to wait for it are in order anyway.
bool in_order_anyway(void* a, void* b) {
  if (a != nullptr && b != nullptr) return false;
  unsigned flags = 0;
  return cudaStreamGetFlags(as_stream(a != nullptr ? a : b), &flags) == cudaSuccess &&
         (flags & cudaStreamNonBlocking) == 0;
}

// What a capture has recorded has not run, and must not be waited for.
bool is_being_captured(void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return stream != nullptr && cudaStreamIsCapturing(as_stream(stream), &status) == cudaSuccess &&
         status != cudaStreamCaptureStatusNone;
}

// Makes the home stream wait for what `stream` has been given so far, or waits here when there is
// no home stream. False when CUDA refuses.
bool order_after(void* stream, void* home, bool home_alive, int home_device) {
  int device = home_device;
  if (stream && cudaStreamGetDevice(as_stream(stream), &device) != cudaSuccess) return false;
  if (home_alive && device == home_device && in_order_anyway(stream, home)) return true;
  if (is_being_captured(stream) || (home_alive && is_being_captured(home))) return true;
  const OnDevice on(device);
  cudaEvent_t event;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) return false;
  bool done = cudaEventRecord(event, as_stream(stream)) == cudaSuccess;
  if (done && home_alive) {
    const OnDevice at_home(home_device);
    done = cudaStreamWaitEvent(as_stream(home), event, 0) == cudaSuccess;
  } else if (done) {
    done = cudaEventSynchronize(event) == cudaSuccess;
  }
  cudaEventDestroy(event);  // the wait keeps what it needs
  return done;
}

// Calls f(stream) for the streams that may still use the memory, under the registry's lock.
template <class F>
void for_foreign_streams(const Storage* storage, StreamRegistry& registry, F f) {
  if (storage->foreign_count != kTooManyStreams) {
    for (int i = 0; i < storage->foreign_count; ++i) f(storage->foreign_streams[i]);
    return;
  }
  const int first = storage->device.is_cuda() ? storage->device.index : 0;
  const int last = storage->device.is_cuda() ? first : device_count() - 1;
  for (int device = first; device <= last; ++device) {
    const OnDevice on(device);
    for (void* stream : registry.of_device(device)) f(stream);
  }
}

void forget_error() {
  // The device is in a bad state or about to go (at exit); waiting is all that is left.
  cudaDeviceSynchronize();
  cudaGetLastError();
}

std::mutex& mutex_of(const Storage* storage) {
  static std::mutex mutexes[64];
  return mutexes[reinterpret_cast<std::uintptr_t>(storage) / 64 % 64];
}

}  // namespace

void record_foreign_use(Storage* storage, void* stream) {
  const bool pinned = storage->home_stream == kNoStream;
  if (storage->device.is_cpu() && !pinned) return;
  if (Capture* capture = capture_that_records(stream)) {
    // It lives as long as the graph; the streams that run the graph are ordered then.
    capture->keep(storage);
    return;
  }
  // Held while the streams are ordered: a second thread on this stream needs that order, too.
  const std::lock_guard lock(mutex_of(storage));
  const bool overflown = storage->foreign_count == kTooManyStreams;
  const int noted = overflown ? kNoted : storage->foreign_count;
  for (int i = 0; i < noted; ++i) {
    if (storage->foreign_streams[i] == stream) return;
  }
  if (!pinned) {
    // What the home stream still does to the memory, for this array or for the one that had it
    // before, comes first.
    StreamRegistry& registry = StreamRegistry::instance();
    const auto guard = registry.lock();
    const int device = storage->device.index;
    if (registry.alive(storage->home_stream) && !in_order_anyway(stream, storage->home_stream)) {
      order_streams(device, storage->home_stream, stream ? device_of_stream(stream) : device,
                    stream);
    }
  }
  if (overflown) return;
  // Each device has a default stream; which one is not noted.
  const bool ambiguous = pinned && stream == nullptr && device_count() > 1;
  if (noted == kNoted || ambiguous) {
    storage->foreign_count = kTooManyStreams;
  } else {
    storage->foreign_streams[storage->foreign_count++] = stream;
  }
}

void settle_streams(Storage* storage) noexcept {
  StreamRegistry& registry = StreamRegistry::instance();
  try {
    const auto guard = registry.lock();
    void* const home = storage->home_stream;
    const bool home_alive = home != kNoStream && registry.alive(home);
    bool done = true;
    for_foreign_streams(storage, registry, [&](void* stream) {
      if (stream == home || !registry.alive(stream)) return;
      const int device = storage->device.is_cuda() ? storage->device.index : current_device();
      done &= order_after(stream, home, home_alive, device);
    });
    if (done) return;
  } catch (...) {
  }
  forget_error();
}

}  // namespace cupyxx::internal::gpu
