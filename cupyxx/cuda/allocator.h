// SPDX-License-Identifier: MIT
// Who gives arrays on CUDA devices their memory: a pool, CUDA itself, or a function of the user's.
//
//   cuda::set_allocator(cuda::malloc_managed);             // for all threads
//   cuda::MemoryPool pool;                                 // one more pool
//   { cuda::AllocatorScope scope(pool); y = x + 1; }       // for this thread
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "cupyxx/cuda/memory.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/export.h"

namespace cupyxx {
struct None;  // see core/index.h
namespace internal::gpu {
class Pool;
}  // namespace internal::gpu

namespace cuda {

/// A function from a number of bytes to memory on the current CUDA device. A default-constructed
/// one is the pool of arrays, as is `none`.
class CUPYXX_API Allocator {
 public:
  Allocator() = default;
  /// Anything that is called as `MemoryPointer f(std::int64_t size)`, also from several threads at
  /// once: malloc_device, malloc_managed, malloc_async, a MemoryPool, a lambda. It must return at
  /// least `size` bytes on the current device. What it allocates itself comes from the pool.
  template <class F>
  requires(!std::is_same_v<std::decay_t<F>, Allocator> &&
           std::is_invocable_r_v<MemoryPointer, const std::decay_t<F>&, std::int64_t>)
      Allocator(F f)  // NOLINT(google-explicit-constructor)
      : Allocator([](const void* s, std::int64_t n) { return (*static_cast<const F*>(s))(n); },
                  [](void* s) { delete static_cast<F*>(s); }, new F(std::move(f))) {}
  template <std::same_as<None> N>
  Allocator(N) {}  // NOLINT(google-explicit-constructor)
  Allocator(const Allocator& other) noexcept;
  Allocator& operator=(Allocator other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~Allocator();

  /// Whether it is the pool of arrays.
  bool is_default() const { return impl_ == nullptr; }
  MemoryPointer operator()(std::int64_t size) const;

 private:
  friend CUPYXX_API void set_allocator(const Allocator& allocator);
  friend CUPYXX_API Allocator get_allocator();
  friend class AllocatorScope;
  struct Impl;
  Allocator(MemoryPointer (*call)(const void*, std::int64_t), void (*drop)(void*), void* state);
  explicit Allocator(Impl* impl) : impl_(impl) {}

  Impl* impl_ = nullptr;
};

/// Sets where the memory of new arrays on CUDA devices comes from, in all threads. What is there
/// keeps its memory. While a graph is captured its arrays come from the pool. Without an argument
/// it is the pool again.
CUPYXX_API void set_allocator(const Allocator& allocator = {});
/// What set_allocator() has set; of the AllocatorScope of this thread, if there is one.
CUPYXX_API Allocator get_allocator();

/// Sets the allocator of this thread until the end of the scope. Other threads keep theirs.
class CUPYXX_API AllocatorScope {
 public:
  [[nodiscard("give it a name")]] explicit AllocatorScope(const Allocator& allocator);
  ~AllocatorScope();
  AllocatorScope(const AllocatorScope&) = delete;
  AllocatorScope& operator=(const AllocatorScope&) = delete;

 private:
  Allocator previous_;
};

/// A limit of a pool, in one of two ways.
struct PoolLimit {
  std::int64_t size = 0;  ///< bytes; 0 is no limit
  double fraction = -1;   ///< of the device's memory, 0 to 1; below 0 it does not count
};

/// A pool of device memory: arenas by stream, segregated fits. Copies share the pool. It lives as
/// long as its memory does; what is freed after the last copy has gone returns to the system.
/// Statistics and limits are of the current CUDA device. On a machine without one nothing is in
/// use, and freeing and limits do nothing, so that one program runs on both.
class CUPYXX_API MemoryPool {
 public:
  /// A pool over cudaMalloc, or over another allocator.
  MemoryPool();
  explicit MemoryPool(const Allocator& source);
  MemoryPool(const MemoryPool& other) noexcept;
  MemoryPool& operator=(MemoryPool other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~MemoryPool();

  /// Memory on the current device. Throws ValueError for negative sizes, OutOfMemoryError.
  MemoryPointer malloc(std::int64_t size) const;
  MemoryPointer operator()(std::int64_t size) const { return malloc(size); }
  /// Returns to the system what is free, after waiting for the device; with a stream, only what
  /// was freed by arrays of that stream.
  void free_all_blocks() const;
  void free_all_blocks(const Stream& stream) const;
  /// Number of free blocks; what threads keep for themselves is one block with its neighbours or
  /// not counted.
  std::int64_t n_free_blocks() const;
  /// Bytes in use, free bytes, and their sum.
  std::int64_t used_bytes() const;
  std::int64_t free_bytes() const;
  std::int64_t total_bytes() const;
  PoolStats stats() const;
  /// The most bytes that the pool takes from the system. A limit below what is in use is kept by
  /// later requests, which fail until enough is freed. Throws ValueError for negative sizes,
  /// fractions above 1, and both at once.
  void set_limit(const PoolLimit& limit) const;
  /// In bytes; 0 for none.
  std::int64_t get_limit() const;

 private:
  friend CUPYXX_API MemoryPool get_default_memory_pool();
  struct Impl;
  explicit MemoryPool(Impl* impl) : impl_(impl) {}
  internal::gpu::Pool& here(const char* operation) const;

  Impl* impl_;
};

/// The pool under arrays.
CUPYXX_API MemoryPool get_default_memory_pool();

/// The pool of pinned host memory, of which there is one.
class CUPYXX_API PinnedMemoryPool {
 public:
  MemoryPointer malloc(std::int64_t size) const { return alloc_pinned_memory(size); }
  MemoryPointer operator()(std::int64_t size) const { return malloc(size); }
  void free_all_blocks() const;
  std::int64_t n_free_blocks() const;
  PoolStats stats() const;
};
/// The pool of pinned memory from which transfers take theirs.
CUPYXX_API PinnedMemoryPool get_default_pinned_memory_pool();

/// The statistics of the pools of all CUDA devices added up; `largest_free` is the largest of all,
/// and `limit` 0 where a device has none.
CUPYXX_API PoolStats total_pool_stats();

}  // namespace cuda

// CuPy has them in both places.
using cuda::get_default_memory_pool;
using cuda::get_default_pinned_memory_pool;

}  // namespace cupyxx
