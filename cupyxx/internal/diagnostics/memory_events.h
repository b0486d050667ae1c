// SPDX-License-Identifier: MIT
// Tells hooks and the list of holders about allocations. A flag says whether there are any; pools
// announce what they do only while it is set.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cupyxx/device.h"
#include "cupyxx/dtype.h"

namespace cupyxx::internal {

/// Above 0 while allocations must be announced, or another allocator is set.
extern std::atomic<int> g_memory_watchers;
inline bool memory_is_watched() { return g_memory_watchers.load(std::memory_order_relaxed) != 0; }

/// One allocation or its end.
struct MemoryEvent {
  Device device;
  std::size_t size = 0;      // asked for; 0 at the end
  std::size_t mem_size = 0;  // of the block
  const void* ptr = nullptr;
};

/// What hooks are told. The functions may throw before an allocation, which then is not made.
class MemoryListener {
 public:
  virtual ~MemoryListener() = default;
  virtual void before_alloc(const MemoryEvent&) {}  // from the system
  virtual void after_alloc(const MemoryEvent&) {}
  virtual void before_malloc(const MemoryEvent&) {}
  virtual void after_malloc(const MemoryEvent&) {}
  virtual void before_free(const MemoryEvent&) {}
  virtual void after_free(const MemoryEvent&) {}
};

/// Listeners of this thread, in the order of their coming.
void add_listener(MemoryListener* listener);
void remove_listener(MemoryListener* listener);

/// For the pools, while memory_is_watched(). The last three do not throw.
void announce_alloc(const MemoryEvent& event, bool after);
void announce_malloc(const MemoryEvent& event);
void announce_malloced(const MemoryEvent& event) noexcept;
void announce_free(const MemoryEvent& event) noexcept;
void announce_freed(const MemoryEvent& event) noexcept;

/// What the next allocation of this thread is for; kept only while memory is watched.
class AllocationNote {
 public:
  AllocationNote(const char* operation, dtype type, int ndim, const std::int64_t* shape) {
    if (memory_is_watched()) [[unlikely]] {
      set(operation, type, ndim, shape);
    }
  }
  ~AllocationNote() {
    if (set_) [[unlikely]] {
      clear();
    }
  }
  AllocationNote(const AllocationNote&) = delete;
  AllocationNote& operator=(const AllocationNote&) = delete;

 private:
  void set(const char* operation, dtype type, int ndim, const std::int64_t* shape);
  void clear();

  bool set_ = false;
};

/// Whether every live allocation is listed with its operation, shape and callers: set at the start
/// by CUPYXX_MEMORY_TRACK=1. Returns what was set before. Memory that was allocated before counts
/// as of nobody.
bool track_memory(bool on);
/// "; top holders: 3 x 512.00 MiB of add (128, 1024) float32, called from ...", or nothing while
/// nothing is tracked.
std::string describe_holders(Device device);

}  // namespace cupyxx::internal
