// SPDX-License-Identifier: MIT
// Streams and events without CUDA types, for the classes in cupyxx/cuda. In a build without CUDA
// the same functions come from runtime_absent.cc and throw DeviceError.
#pragma once

namespace cupyxx::internal::gpu {

void* create_stream(int device, bool non_blocking);
/// Waits for the stream's work first; its memory goes to the other streams of the device.
void destroy_stream(int device, void* stream) noexcept;
bool stream_done(int device, void* stream);
/// Later work on the stream waits for the event, which may be of another device.
void stream_wait_event(int device, void* stream, void* event);

struct EventFlags {
  bool blocking = false;
  bool timing = true;
  bool interprocess = false;
};
void* create_event(int device, EventFlags flags);
void destroy_event(int device, void* event) noexcept;
void record_event(int device, void* event, void* stream);
bool event_done(void* event);
void synchronize_event(void* event);
float elapsed_milliseconds(void* start, void* end);

/// While held, memory that arrays of this stream have freed is not returned to the system: a graph
/// captured from the stream still uses it. Calls nest.
void hold_memory(int device, void* stream, bool held);

}  // namespace cupyxx::internal::gpu
