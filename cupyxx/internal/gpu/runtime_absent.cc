// SPDX-License-Identifier: MIT
// The runtime of a build without CUDA: there is no device, and every use of one says so.
#include <string>

#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::internal::gpu {
namespace {

[[noreturn]] void absent(const char* operation, int device) {
  throw DeviceError(std::string(operation) + ": no CUDA device " + std::to_string(device) +
                    "; 0 devices present");
}

}  // namespace

int device_count() { return 0; }
void check_device(const char* operation, int device) { absent(operation, device); }
int current_device() { return 0; }
void set_device(int device) {
  if (device != 0) absent("cuda", device);
}
bool enable_peer_access(int device, int) { absent("cuda", device); }
void* current_stream(int) { return nullptr; }
void set_current_stream(int device, void* stream) {
  if (stream) absent("cuda", device);
}

void copy(void*, const void*, std::size_t, CopyKind, int device, void*) { absent("copy", device); }
void copy_peer(void*, int target_device, const void*, int, std::size_t) {
  absent("copy", target_device);
}
void set_bytes(void*, int, std::size_t, int device, void*) { absent("fill", device); }
void* allocate_pinned(std::size_t) { absent("cuda", 0); }
void synchronize(int device, void*) { absent("synchronize", device); }
void synchronize_device(int device) { absent("synchronize", device); }

Storage* allocate(int device, std::size_t) { absent("allocate", device); }
void record_foreign_use(Storage*, void*) {}
PoolStats pool_stats(int device) { absent("pool_stats", device); }
void free_all_blocks(int device) { absent("free_all_blocks", device); }
void set_pool_limit(int device, std::uint64_t) { absent("set_pool_limit", device); }

ErrorWord* error_word(int device, void*) { absent("cuda", device); }
const DeviceInfo& device_info(int device) { absent("cuda", device); }

void* create_stream(int device, bool) { absent("Stream", device); }
void destroy_stream(int, void*) noexcept {}
bool stream_done(int device, void*) { absent("Stream", device); }
void stream_wait_event(int device, void*, void*) { absent("Stream", device); }
void* create_event(int device, EventFlags) { absent("Event", device); }
void destroy_event(int, void*) noexcept {}
void record_event(int device, void*, void*) { absent("Event", device); }
bool event_done(void*) { absent("Event", 0); }
void synchronize_event(void*) { absent("Event", 0); }
float elapsed_milliseconds(void*, void*) { absent("Event", 0); }
void hold_memory(int device, void*, bool) { absent("cuda", device); }

}  // namespace cupyxx::internal::gpu
