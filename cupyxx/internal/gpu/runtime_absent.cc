// SPDX-License-Identifier: MIT
// The runtime of a build without CUDA: there is no device, and every use of one says so.
#include <string>
#include <utility>

#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/device_query.h"
#include "cupyxx/internal/gpu/memory/memory.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::internal::gpu {
namespace {

[[noreturn]] void absent(const char* operation, int device) {
  throw DeviceError(message(operation, ": no CUDA device ", device, "; 0 devices present"));
}

}  // namespace

int device_count() { return 0; }
void check_device(const char* operation, int device) { absent(operation, device); }
int bound_device() { return 0; }
void return_to_device(int) noexcept {}
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

int runtime_version() { return 0; }
int driver_version() { return 0; }
std::pair<std::size_t, std::size_t> memory_info(int device) { absent("mem_info", device); }
std::string pci_bus_id(int device) { absent("pci_bus_id", device); }
int device_by_pci_bus_id(const std::string&) { absent("from_pci_bus_id", 0); }
bool can_access_peer(int device, int) { absent("can_access_peer", device); }
void require_peer_access(const char* operation, int device, int) { absent(operation, device); }
std::vector<std::pair<const char*, int>> device_attributes(int device) {
  absent("attributes", device);
}
std::pair<int, int> stream_priority_range(int device) { absent("Stream", device); }

void* create_stream(int device, StreamFlags) { absent("Stream", device); }
void destroy_stream(int, void*) noexcept {}
void* check_stream(const char* operation, void*) { absent(operation, 0); }
int device_of_stream(void*) { return 0; }
int stream_priority(int device, void*) { absent("Stream", device); }
bool stream_done(int device, void*) { absent("Stream", device); }
bool stream_is_capturing(int, void*) { return false; }
void stream_wait_event(int device, void*, void*) { absent("Stream", device); }
void order_streams(int device, void*, int, void*) { absent("Stream", device); }
void launch_host_func(int device, void*, HostCall call) {
  if (call.drop != nullptr) call.drop(call.state);
  absent("Stream", device);
}
void drop_finished_host_calls() {}
void throw_host_errors(int, void*) {}
void throw_host_errors(int) {}
void* create_event(int device, EventFlags) { absent("Event", device); }
void destroy_event(int, void*) noexcept {}
void record_event(int device, void*, void*) { absent("Event", device); }
bool event_done(void*) { absent("Event", 0); }
void synchronize_event(void*) { absent("Event", 0); }
float elapsed_milliseconds(void*, void*) { absent("Event", 0); }
void export_event(void*, char (&)[kIpcHandleBytes]) { absent("Event", 0); }
void* import_event(int device, const char (&)[kIpcHandleBytes]) { absent("Event", device); }
void hold_memory(int device, void*, bool) { absent("cuda", device); }

// Nobody captures.
constinit thread_local Capture* t_capture = nullptr;
struct Graph::Impl {};
Graph::Graph(int) {}
Graph::~Graph() = default;
int Graph::device() const { return 0; }
std::size_t Graph::node_count() const { return 0; }
bool Graph::is_current() const { return true; }
void Graph::step() {}
void Graph::launch(void*) {}
Capture::Capture(int device) : device_(device) { absent("capture", device); }
Capture::~Capture() = default;
std::unique_ptr<Graph> Capture::end() { return nullptr; }
void Capture::fork(void*) {}
void Capture::join(void*) {}
bool Capture::records(void*) const { return false; }
std::size_t Capture::node_count() const { return 0; }
void Capture::keep(Storage*) {}
// NOLINTBEGIN(performance-unnecessary-value-param): as they are declared
void Capture::before_run(std::function<void()>) {}
void Capture::undo(std::function<void()>) {}
void Capture::require(std::function<bool()>) {}
void Capture::vary(const void*, std::size_t, std::function<void(void*)>) {}
void Capture::note_random(RandomPlace, std::function<RandomPlace()>) {}
// NOLINTEND(performance-unnecessary-value-param)
std::shared_ptr<const RandomPlace> Capture::random_place(RandomPlace) const { return nullptr; }
void refuse_in_capture(const char*) {}

Storage* allocate_from_cuda(const char* operation, int device, std::size_t, Source) {
  absent(operation, device);
}
Storage* allocate_pooled(int device, std::size_t) { absent("allocate", device); }
Storage* allocate_from_pool(Pool*, std::size_t) { absent("allocate", 0); }
Storage* allocate_pinned_storage(std::size_t) { absent("alloc_pinned_memory", 0); }
Pool* array_pool(int device) { absent("pool", device); }
Pool* pinned_pool() { absent("pool", 0); }
SystemMemory* new_system_memory(int device, Source) { absent("pool", device); }
// An allocator may be set where no device will ask it.
CustomAllocator* exchange_allocator(CustomAllocator* allocator) {
  static CustomAllocator* current = nullptr;
  return std::exchange(current, allocator);
}
CustomAllocator* exchange_thread_allocator(CustomAllocator* allocator) {
  static thread_local CustomAllocator* current = nullptr;
  return std::exchange(current, allocator);
}
CustomAllocator* share_allocator() {
  for (const auto exchange : {exchange_thread_allocator, exchange_allocator}) {
    CustomAllocator* found = exchange(nullptr);
    if (found == nullptr) continue;
    found->retain();
    exchange(found);
    return found;
  }
  return nullptr;
}
void settle_streams(Storage*) noexcept {}
void copy_async(void*, const void*, std::size_t, int device, void*) { absent("copy", device); }
void copy_peer_async(void*, int target_device, const void*, int, std::size_t, void*) {
  absent("copy", target_device);
}

}  // namespace cupyxx::internal::gpu
