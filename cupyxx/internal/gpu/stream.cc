// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/stream.h"

#include <cstring>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/memory/device_pool.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream_registry.h"

namespace cupyxx::internal::gpu {

void* current_stream(int device) { return t_state.devices[device].stream; }

void set_current_stream(int device, void* stream) {
  ThreadDevice& state = t_state.devices[device];
  if (state.stream == stream) return;
  state = {.stream = stream};
}

void* create_stream(int device, StreamFlags flags) {
  check_device("Stream", device);
  const OnDevice on(device);
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  if (flags.priority > least || flags.priority < greatest) {
    throw ValueError(message("Stream: the device has priorities from ", greatest, " (first) to ",
                             least, " (last); ", flags.priority));
  }
  cudaStream_t stream;
  check(
      cudaStreamCreateWithPriority(
          &stream, flags.non_blocking ? cudaStreamNonBlocking : cudaStreamDefault, flags.priority),
      "cudaStreamCreateWithPriority");
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

void* check_stream(const char* operation, void* stream) {
  if (stream == cudaStreamLegacy) return nullptr;
  if (stream == cudaStreamPerThread) {
    throw ValueError(message(
        operation, ": this handle names another queue in each thread; use the option per_thread"));
  }
  StreamRegistry& registry = StreamRegistry::instance();
  const auto guard = registry.lock();
  if (!registry.alive(stream)) {
    throw ValueError(message(operation, ": the stream has been destroyed"));
  }
  return stream;
}

int device_of_stream(void* stream) {
  if (stream == nullptr) return current_device();
  int device = 0;
  check(cudaStreamGetDevice(as_stream(stream), &device), "cudaStreamGetDevice");
  return device;
}

int stream_priority(int device, void* stream) {
  const OnDevice on(device);
  int priority = 0;
  check(cudaStreamGetPriority(as_stream(stream), &priority), "cudaStreamGetPriority");
  return priority;
}

bool stream_is_capturing(int device, void* stream) {
  if (stream == nullptr) return false;  // asking about it would end a capture elsewhere
  const OnDevice on(device);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(as_stream(stream), &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

bool stream_done(int device, void* stream) {
  const OnDevice on(device);
  const cudaError_t result = cudaStreamQuery(as_stream(stream));
  if (result == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(result, "cudaStreamQuery");
  return true;
}

void stream_wait_event(int device, void* stream, void* event) {
  const OnDevice on(device);
  check(cudaStreamWaitEvent(as_stream(stream), as_event(event), 0), "cudaStreamWaitEvent");
}

void order_streams(int device, void* stream, int waiting_device, void* waiting) {
  if (device == waiting_device && stream == waiting) return;
  if (stream_is_capturing(device, stream) || stream_is_capturing(waiting_device, waiting)) return;
  cudaEvent_t event;
  {
    const OnDevice on(device);
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    const cudaError_t result = cudaEventRecord(event, as_stream(stream));
    if (result != cudaSuccess) {
      cudaEventDestroy(event);
      throw_cuda_error(result, "cudaEventRecord");
    }
  }
  const OnDevice on(waiting_device);
  const cudaError_t result = cudaStreamWaitEvent(as_stream(waiting), event, 0);
  cudaEventDestroy(event);  // the wait keeps what it needs
  check(result, "cudaStreamWaitEvent");
}

void* create_event(int device, EventFlags flags) {
  check_device("Event", device);
  const OnDevice on(device);
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
  const OnDevice on(device);
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

void export_event(void* event, char (&handle)[kIpcHandleBytes]) {
  cudaIpcEventHandle_t ipc;
  static_assert(sizeof ipc == kIpcHandleBytes);
  check(cudaIpcGetEventHandle(&ipc, as_event(event)), "cudaIpcGetEventHandle");
  std::memcpy(handle, &ipc, sizeof ipc);
}

void* import_event(int device, const char (&handle)[kIpcHandleBytes]) {
  check_device("Event", device);
  const OnDevice on(device);
  cudaIpcEventHandle_t ipc;
  std::memcpy(&ipc, handle, sizeof ipc);
  cudaEvent_t event;
  check(cudaIpcOpenEventHandle(&event, ipc), "cudaIpcOpenEventHandle");
  return event;
}

void hold_memory(int device, void* stream, bool held) {
  device_pool(device)->arena(stream)->hold(held);
}

}  // namespace cupyxx::internal::gpu
