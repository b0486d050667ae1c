// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/stream.h"

#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/device_pool.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream_registry.h"
#include "cupyxx/internal/gpu/thread_state.h"

namespace cupyxx::internal::gpu {

void* current_stream(int device) { return t_state.devices[device].stream; }

void set_current_stream(int device, void* stream) {
  ThreadDevice& state = t_state.devices[device];
  if (state.stream == stream) return;
  state = {.stream = stream};
}

void* create_stream(int device, bool non_blocking) {
  check_device("Stream", device);
  const CurrentDevice current(device);
  cudaStream_t stream;
  check(
      cudaStreamCreateWithFlags(&stream, non_blocking ? cudaStreamNonBlocking : cudaStreamDefault),
      "cudaStreamCreateWithFlags");
  StreamRegistry::instance().add(device, stream);
  return stream;
}

void destroy_stream(int device, void* stream) noexcept {
  cudaStreamSynchronize(as_stream(stream));
  StreamRegistry::instance().remove(device, stream);
  try {
    device_pool(device)->end_stream(stream);
  } catch (...) {
    // The stream's free memory stays where it is.
  }
  cudaStreamDestroy(as_stream(stream));
  cudaGetLastError();
}

bool stream_done(int device, void* stream) {
  const CurrentDevice current(device);
  const cudaError_t result = cudaStreamQuery(as_stream(stream));
  if (result == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(result, "cudaStreamQuery");
  return true;
}

void stream_wait_event(int device, void* stream, void* event) {
  const CurrentDevice current(device);
  check(cudaStreamWaitEvent(as_stream(stream), as_event(event), 0), "cudaStreamWaitEvent");
}

void* create_event(int device, EventFlags flags) {
  check_device("Event", device);
  const CurrentDevice current(device);
  cudaEvent_t event;
  check(cudaEventCreateWithFlags(&event, (flags.blocking ? cudaEventBlockingSync : 0u) |
                                             (flags.timing ? 0u : cudaEventDisableTiming) |
                                             (flags.interprocess ? cudaEventInterprocess : 0u)),
        "cudaEventCreateWithFlags");
  return event;
}

void destroy_event(int, void* event) noexcept {
  cudaEventDestroy(as_event(event));
  cudaGetLastError();
}

void record_event(int device, void* event, void* stream) {
  const CurrentDevice current(device);
  check(cudaEventRecord(as_event(event), as_stream(stream)), "cudaEventRecord");
}

bool event_done(void* event) {
  const cudaError_t result = cudaEventQuery(as_event(event));
  if (result == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(result, "cudaEventQuery");
  return true;
}

void synchronize_event(void* event) {
  check(cudaEventSynchronize(as_event(event)), "cudaEventSynchronize");
}

float elapsed_milliseconds(void* start, void* end) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, as_event(start), as_event(end)),
        "cudaEventElapsedTime");
  return milliseconds;
}

void hold_memory(int device, void* stream, bool held) {
  device_pool(device)->arena(stream)->hold(held);
}

}  // namespace cupyxx::internal::gpu
