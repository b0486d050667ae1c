// SPDX-License-Identifier: MIT
// Device and pinned memory beside the pool of arrays: single allocations, copies that do not wait,
// what pools of users need. In a build without CUDA the same functions come from runtime_absent.cc
// and throw DeviceError.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cupyxx/core/body.h"

namespace cupyxx::internal::gpu {

class Pool;
class SystemMemory;

/// Ways to get memory from CUDA: cudaMalloc, cudaMallocManaged, cudaMallocAsync.
enum class Source { device, managed, async };

/// One allocation of CUDA's own, with the current stream as home. Throws OutOfMemoryError.
Storage* allocate_from_cuda(const char* operation, int device, std::size_t nbytes, Source source);
/// Memory of the arrays' pool, whatever allocator is set, and of another pool on the current
/// stream.
Storage* allocate_pooled(int device, std::size_t nbytes);
Storage* allocate_from_pool(Pool* pool, std::size_t nbytes);
/// Pinned host memory from its pool; freeing it waits for the copies that use it.
Storage* allocate_pinned_storage(std::size_t nbytes);

/// The pools of a device's arrays and of pinned memory.
Pool* array_pool(int device);
Pool* pinned_pool();
/// The home of pinned memory: no stream, so that each is a foreign one.
inline void* const kNoStream = reinterpret_cast<void*>(~std::uintptr_t{0});
/// What a pool of a user stands on; never destroyed.
SystemMemory* new_system_memory(int device, Source source);

/// What allocate() asks instead of the pool.
class CustomAllocator {
 public:
  virtual ~CustomAllocator() = default;
  virtual void retain() = 0;
  virtual void release() = 0;
  /// Memory of a device, which is current.
  virtual Storage* allocate(int device, std::size_t nbytes) = 0;
};
/// Sets the allocator of all threads, or of this thread, which goes before; null is none. One
/// reference is taken over, and one to the previous allocator given back to the caller.
CustomAllocator* exchange_allocator(CustomAllocator* allocator);
CustomAllocator* exchange_thread_allocator(CustomAllocator* allocator);
/// The one that counts for this thread, with a reference for the caller; null is the pool.
CustomAllocator* share_allocator();

/// Makes later work on the home stream wait for the storage's other streams.
void settle_streams(Storage* storage) noexcept;

/// Enqueues a copy between memory of any kind. Pinned memory must stay as it is until the copy has
/// finished; pageable memory is done with when this returns.
void copy_async(void* target, const void* source, std::size_t nbytes, int device, void* stream);
/// Copies between two devices on a stream of the target's, ordered after and before the work on
/// the source's current stream.
void copy_peer_async(void* target, int target_device, const void* source, int source_device,
                     std::size_t nbytes, void* stream);

}  // namespace cupyxx::internal::gpu
