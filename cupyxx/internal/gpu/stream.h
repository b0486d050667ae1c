// SPDX-License-Identifier: MIT
// Streams and events without CUDA types, for the classes in cupyxx/cuda. In a build without CUDA
// the same functions come from runtime_absent.cc and throw DeviceError.
#pragma once

#include <cstddef>

namespace cupyxx::internal::gpu {

struct StreamFlags {
  bool non_blocking = false;
  int priority = 0;
};
void* create_stream(int device, StreamFlags flags);
/// Waits for the stream's work first; its memory goes to the other streams of the device.
void destroy_stream(int device, void* stream) noexcept;
/// Throws ValueError for a stream of ours that has been destroyed, and for handles that name
/// another queue in each thread. Returns the handle, null for cudaStreamLegacy.
void* check_stream(const char* operation, void* stream);
/// The device of a stream; that of the thread for null.
int device_of_stream(void* stream);
int stream_priority(int device, void* stream);
bool stream_done(int device, void* stream);
/// Whether a graph is being captured from the stream.
bool stream_is_capturing(int device, void* stream);
/// Later work on the stream waits for the event, which may be of another device.
void stream_wait_event(int device, void* stream, void* event);
/// Later work on `waiting` waits for what `stream` has now; nothing while either is being captured.
void order_streams(int device, void* stream, int waiting_device, void* waiting);

/// What a stream is to call on the host.
struct HostCall {
  void (*call)(void* state) = nullptr;
  void (*drop)(void* state) = nullptr;  // ends the state's life; may be null
  void* state = nullptr;
};
/// Enqueues a call on a thread of the driver, where no function of CUDA may be called. What it
/// throws is thrown again by the next wait for the stream. The state is dropped by a thread of the
/// program, later, or at once when this throws.
void launch_host_func(int device, void* stream, HostCall call);
/// Drops the states of calls that have been made.
void drop_finished_host_calls();
/// Throws again what a call on the stream threw; cheap when there is nothing.
void throw_host_errors(int device, void* stream);
/// The same for every stream of a device.
void throw_host_errors(int device);

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
/// An event of another process, and the bytes that name it there.
inline constexpr std::size_t kIpcHandleBytes = 64;
void export_event(void* event, char (&handle)[kIpcHandleBytes]);
void* import_event(int device, const char (&handle)[kIpcHandleBytes]);

/// While held, memory that arrays of this stream have freed is not returned to the system: a graph
/// captured from the stream still uses it. Calls nest.
void hold_memory(int device, void* stream, bool held);

}  // namespace cupyxx::internal::gpu
