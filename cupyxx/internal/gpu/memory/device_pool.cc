// SPDX-License-Identifier: MIT
// Where the memory of arrays comes from: a magazine of the thread, the pool, CUDA itself, or an
// allocator of the user's.
#include "cupyxx/internal/gpu/memory/device_pool.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>

#include "cupyxx/error.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/internal/diagnostics/memory_events.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/memory/magazine.h"
#include "cupyxx/internal/gpu/memory/memory.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {
namespace {

// CUPYXX_POOL: "off" for memory checkers, where every array is an allocation of its own; "async"
// and "managed" for CUDA's own allocators. Nothing is the pool.
std::optional<Source> source_without_pool() {
  static const std::optional<Source> source = []() -> std::optional<Source> {
    const char* value = std::getenv("CUPYXX_POOL");
    const std::string_view text = value != nullptr ? value : "";
    if (text == "async") return Source::async;
    if (text == "managed") return Source::managed;
    if (const auto pooled = extension::switch_of(text)) {
      if (!*pooled) return Source::device;
    } else if (!text.empty()) {
      throw ValueError(message("CUPYXX_POOL: none of on, off, async, managed; \"", text, "\""));
    }
    return {};
  }();
  return source;
}

struct Allocators {
  std::mutex mutex;
  CustomAllocator* of_all = nullptr;
};

Allocators& allocators() {
  static Allocators& all = *new Allocators;
  return all;
}

thread_local CustomAllocator* t_allocator = nullptr;
thread_local bool t_inside_allocator = false;

CustomAllocator* exchange(CustomAllocator*& slot, CustomAllocator* allocator) {
  CustomAllocator* previous = slot;
  slot = allocator;
  const int change = (allocator != nullptr) - (previous != nullptr);
  g_memory_watchers.fetch_add(change, std::memory_order_relaxed);
  return previous;
}

Storage* ask_allocator(CustomAllocator* allocator, int device, std::size_t nbytes) {
  struct Inside {
    CustomAllocator* allocator;
    explicit Inside(CustomAllocator* a) : allocator(a) { t_inside_allocator = true; }
    ~Inside() {
      t_inside_allocator = false;
      allocator->release();
    }
  };
  const Inside inside(allocator);
  const ChosenDevice current("allocate", device);
  return allocator->allocate(device, nbytes);
}

Storage* allocate_slow(int device, std::size_t nbytes) {
  check_device("allocate", device);
  // What a graph uses stays the graph's: it comes from the capture's arena, whatever has been set.
  if (const auto source = source_without_pool(); source && current_capture() == nullptr) {
    return allocate_from_cuda("allocate", device, nbytes, *source);
  }
  Pool* pool = device_pool(device);
  void* const stream = current_stream(device);
  if (Magazine* magazine = Magazine::of(pool, stream)) return magazine->allocate(nbytes);
  return pool->allocate(pool->arena(stream), nbytes);  // the thread is ending
}

// Tells who watches, but for what an allocator asks of the pool itself.
template <class Allocate>
Storage* announced(int device, std::size_t nbytes, Allocate allocate) {
  if (t_inside_allocator || !memory_is_watched()) return allocate();
  MemoryEvent event{Device::cuda(device), nbytes, block_size(nbytes), nullptr};
  announce_malloc(event);
  Storage* storage = allocate();
  event.ptr = storage->data;
  announce_malloced(event);
  return storage;
}

Storage* allocate_watched(int device, std::size_t nbytes) {
  check_device("allocate", device);
  return announced(device, nbytes, [=] {
    const bool from_pool = t_inside_allocator || current_capture() != nullptr;
    CustomAllocator* allocator = from_pool ? nullptr : share_allocator();
    return allocator != nullptr ? ask_allocator(allocator, device, nbytes)
                                : allocate_slow(device, nbytes);
  });
}

}  // namespace

CustomAllocator* exchange_allocator(CustomAllocator* allocator) {
  Allocators& all = allocators();
  const std::lock_guard lock(all.mutex);
  return exchange(all.of_all, allocator);
}

CustomAllocator* exchange_thread_allocator(CustomAllocator* allocator) {
  return exchange(t_allocator, allocator);
}

CustomAllocator* share_allocator() {
  if (CustomAllocator* found = t_allocator) {
    found->retain();
    return found;
  }
  Allocators& all = allocators();
  const std::lock_guard lock(all.mutex);
  if (all.of_all != nullptr) all.of_all->retain();
  return all.of_all;
}

Storage* allocate_pooled(int device, std::size_t nbytes) {
  return announced(device, nbytes, [=] { return allocate_slow(device, nbytes); });
}

Storage* allocate_from_pool(Pool* pool, std::size_t nbytes) {
  const int device = pool->device().index;
  return announced(device, nbytes,
                   [=] { return pool->allocate(pool->arena(current_stream(device)), nbytes); });
}

Pool* array_pool(int device) {
  check_device("pool", device);
  return device_pool(device);
}

Pool* device_pool(int device) {
  static std::once_flag once[kMaxDevices];
  static Pool* pools[kMaxDevices];
  std::call_once(once[device], [device] {
    const char* limit = std::getenv("CUPYXX_GPU_MEMORY_LIMIT");
    const std::size_t total = limit ? device_info(device).total_memory : 0;
    pools[device] = new Pool(new_system_memory(device, Source::device), Device::cuda(device),
                             parse_memory_limit(limit, total));
  });
  return pools[device];
}

Storage* allocate(int device, std::size_t nbytes) {
  if (memory_is_watched()) [[unlikely]] {
    return allocate_watched(device, nbytes);
  }
  if (static_cast<unsigned>(device) < kMaxDevices) {
    if (Magazine* magazine = t_state.devices[device].magazine) return magazine->allocate(nbytes);
  }
  return allocate_slow(device, nbytes);
}

PoolStats pool_stats(int device) {
  check_device("pool_stats", device);
  return device_pool(device)->stats();
}

void free_all_blocks(int device) {
  check_device("free_all_blocks", device);
  device_pool(device)->free_all();
}

void set_pool_limit(int device, std::uint64_t bytes) {
  check_device("set_pool_limit", device);
  device_pool(device)->set_limit(bytes);
}

}  // namespace cupyxx::internal::gpu
