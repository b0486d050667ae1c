// SPDX-License-Identifier: MIT
// Memory without a shape: what lies under arrays, and what other libraries are given.
//
//   auto buffer = cupyxx::cuda::alloc(1 << 20);          // from the pool, on the current device
//   buffer.memset(0, 1 << 20);
//   (buffer + 4096).copy_from_host(values.data(), 4000);
//   auto a = cupyxx::from_memory({1000}, cupyxx::float32, buffer + 4096);   // shares it
//
// Everything is counted: memory lives until its last Memory, MemoryPointer and array are gone.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <utility>

#include "cupyxx/cuda/stream.h"
#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace cupyxx {
namespace internal {
struct Storage;
}  // namespace internal

namespace cuda {

/// A piece of memory. Copies share it.
class CUPYXX_API Memory {
 public:
  /// No memory: null, of size 0.
  Memory() = default;
  /// An allocation of its own (cudaMalloc) on the current CUDA device. Throws ValueError for
  /// negative sizes, OutOfMemoryError.
  explicit Memory(std::int64_t size);
  /// The same on a device; on the host from the pool of arrays.
  Memory(std::int64_t size, cupyxx::Device device);
  /// Memory of somebody else. `owner`, a copyable object such as a shared_ptr, is kept until the
  /// last user has gone and all streams have finished with the memory.
  template <class Owner>
  static Memory unowned(void* ptr, std::int64_t size, cupyxx::Device device, Owner owner) {
    return wrap(
        ptr, size, device, [](void* o) { delete static_cast<Owner*>(o); },
        new Owner(std::move(owner)));
  }
  static Memory unowned(void* ptr, std::int64_t size, cupyxx::Device device) {
    return wrap(ptr, size, device, nullptr, nullptr);
  }
  Memory(const Memory& other) noexcept;
  Memory(Memory&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  Memory& operator=(Memory other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Memory();

  void* ptr() const;
  std::int64_t size() const;
  /// Where it lies; pinned and managed memory count as the host and the device they were made for.
  cupyxx::Device device() const;

  /// The counted memory; for the library's own files.
  internal::Storage* storage() const { return storage_; }
  /// Takes over one reference; for the library's own files.
  static Memory adopt(internal::Storage* storage) noexcept {
    Memory memory;
    memory.storage_ = storage;
    return memory;
  }

 private:
  static Memory wrap(void* ptr, std::int64_t size, cupyxx::Device device, void (*drop)(void*),
                     void* owner);

  internal::Storage* storage_ = nullptr;
};

/// A place in a piece of memory. Every size is checked against the end of the memory: a ValueError
/// leaves it as it was.
///
/// The plain copies are ordered with the current stream, and have left or reached the host when
/// they return. The async ones are enqueued on `stream`, the current one by default; host memory
/// is then the caller's to keep as it is until the stream has been waited for.
class CUPYXX_API MemoryPointer {
 public:
  /// Null.
  MemoryPointer() = default;
  /// Throws ValueError when the offset is outside of the memory.
  explicit MemoryPointer(Memory mem, std::int64_t offset = 0);

  const Memory& mem() const { return mem_; }
  std::int64_t offset() const { return offset_; }
  void* ptr() const { return static_cast<char*>(mem_.ptr()) + offset_; }
  /// Bytes from here to the end.
  std::int64_t size() const { return mem_.size() - offset_; }
  cupyxx::Device device() const { return mem_.device(); }

  /// Other places of the same memory; ValueError outside of it. The end itself is inside.
  MemoryPointer operator+(std::int64_t bytes) const;
  MemoryPointer operator-(std::int64_t bytes) const;
  MemoryPointer& operator+=(std::int64_t bytes) { return *this = *this + bytes; }
  MemoryPointer& operator-=(std::int64_t bytes) { return *this = *this - bytes; }
  friend bool operator==(const MemoryPointer& a, const MemoryPointer& b) {
    return a.ptr() == b.ptr();
  }

  /// Copies here from any memory, on any device.
  void copy_from(const MemoryPointer& source, std::int64_t size) const {
    copy_between("copy_from", source, size, true, nullptr);
  }
  void copy_from(const void* host, std::int64_t size) const {
    copy_in("copy_from", host, size, true, nullptr);
  }
  void copy_from_async(const MemoryPointer& source, std::int64_t size) const {
    copy_between("copy_from_async", source, size, false, nullptr);
  }
  void copy_from_async(const MemoryPointer& source, std::int64_t size, const Stream& stream) const {
    copy_between("copy_from_async", source, size, false, &stream);
  }
  void copy_from_async(const void* host, std::int64_t size) const {
    copy_in("copy_from_async", host, size, false, nullptr);
  }
  void copy_from_async(const void* host, std::int64_t size, const Stream& stream) const {
    copy_in("copy_from_async", host, size, false, &stream);
  }
  /// From memory of a device; a TypeError for host memory.
  void copy_from_device(const MemoryPointer& source, std::int64_t size) const {
    copy_from_cuda("copy_from_device", source, size, true, nullptr);
  }
  void copy_from_device_async(const MemoryPointer& source, std::int64_t size) const {
    copy_from_cuda("copy_from_device_async", source, size, false, nullptr);
  }
  void copy_from_device_async(const MemoryPointer& source, std::int64_t size,
                              const Stream& stream) const {
    copy_from_cuda("copy_from_device_async", source, size, false, &stream);
  }
  void copy_from_host(const void* host, std::int64_t size) const {
    copy_in("copy_from_host", host, size, true, nullptr);
  }
  void copy_from_host_async(const void* host, std::int64_t size) const {
    copy_in("copy_from_host_async", host, size, false, nullptr);
  }
  void copy_from_host_async(const void* host, std::int64_t size, const Stream& stream) const {
    copy_in("copy_from_host_async", host, size, false, &stream);
  }
  void copy_to_host(void* host, std::int64_t size) const {
    copy_out("copy_to_host", host, size, true, nullptr);
  }
  void copy_to_host_async(void* host, std::int64_t size) const {
    copy_out("copy_to_host_async", host, size, false, nullptr);
  }
  void copy_to_host_async(void* host, std::int64_t size, const Stream& stream) const {
    copy_out("copy_to_host_async", host, size, false, &stream);
  }
  /// Sets bytes to `value`, 0..255.
  void memset(int value, std::int64_t size) const { set("memset", value, size, nullptr); }
  void memset_async(int value, std::int64_t size) const {
    set("memset_async", value, size, nullptr);
  }
  void memset_async(int value, std::int64_t size, const Stream& stream) const {
    set("memset_async", value, size, &stream);
  }

 private:
  void check(const char* operation, std::int64_t size) const;
  void copy_between(const char* operation, const MemoryPointer& source, std::int64_t size,
                    bool wait, const Stream* stream) const;
  void copy_from_cuda(const char* operation, const MemoryPointer& source, std::int64_t size,
                      bool wait, const Stream* stream) const;
  void copy_in(const char* operation, const void* host, std::int64_t size, bool wait,
               const Stream* stream) const;
  void copy_out(const char* operation, void* host, std::int64_t size, bool wait,
                const Stream* stream) const;
  void set(const char* operation, int value, std::int64_t size, const Stream* stream) const;

  Memory mem_;
  std::int64_t offset_ = 0;
};

/// Prints `<MemoryPointer 0x7f.. device=cuda:0 size=1024>`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const MemoryPointer& pointer);

/// Memory on the current CUDA device from the current allocator (see allocator.h), at first the
/// pool of arrays. Throws ValueError for negative sizes, OutOfMemoryError.
CUPYXX_API MemoryPointer alloc(std::int64_t size);
/// Pinned host memory from its pool. Asynchronous copies need it; freeing it waits for them.
CUPYXX_API MemoryPointer alloc_pinned_memory(std::int64_t size);
/// Single allocations on the current CUDA device: cudaMalloc; cudaMallocManaged; cudaMallocAsync on
/// the current stream.
CUPYXX_API MemoryPointer malloc_device(std::int64_t size);
CUPYXX_API MemoryPointer malloc_managed(std::int64_t size);
CUPYXX_API MemoryPointer malloc_async(std::int64_t size);

}  // namespace cuda
}  // namespace cupyxx
