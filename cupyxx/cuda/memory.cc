// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/memory.h"

#include <cstring>
#include <ostream>

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/allocator.h"
#include "cupyxx/internal/gpu/memory/memory.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/uses.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;
using internal::Storage;

namespace {

std::size_t checked_size(const char* operation, std::int64_t size) {
  if (size >= 0) return static_cast<std::size_t>(size);
  throw ValueError(message(operation, ": negative size; ", size));
}

int current_cuda_device(const char* operation) {
  const int device = gpu::current_device();
  gpu::check_device(operation, device);
  return device;
}

// Memory of somebody else, and what keeps it alive.
struct Unowned {
  Storage storage;
  void (*drop)(void*) = nullptr;
  void* owner = nullptr;

  static void destroy(Storage* storage) {
    auto* self = static_cast<Unowned*>(storage->block);
    gpu::wait_for_uses(storage);
    if (self->drop != nullptr) self->drop(self->owner);
    delete self;
  }
};

// Arrays over the memory see that it has changed.
void touch(const Memory& memory) {
  Storage* storage = memory.storage();
  if (storage != nullptr) internal::touch(storage);
}

void* stream_of(const MemoryPointer& pointer, const Stream* stream) {
  return stream != nullptr ? stream->ptr() : gpu::current_stream(pointer.device().index);
}

void check_stream_device(const char* operation, cupyxx::Device device, const Stream* stream) {
  if (stream == nullptr || stream->device() == device.index) return;
  throw DeviceError(message(operation, ": the memory is on ", device.name(),
                            ", the stream of cuda:", stream->device()));
}

}  // namespace

Memory::Memory(std::int64_t size)
    : storage_(gpu::allocate_from_cuda("Memory", current_cuda_device("Memory"),
                                       checked_size("Memory", size), gpu::Source::device)) {}

Memory::Memory(std::int64_t size, cupyxx::Device device)
    : storage_(device.is_cpu()
                   ? internal::cpu::allocate(checked_size("Memory", size))
                   : gpu::allocate_from_cuda("Memory", device.index, checked_size("Memory", size),
                                             gpu::Source::device)) {}

Memory::Memory(const Memory& other) noexcept : storage_(other.storage_) {
  if (storage_ != nullptr) internal::retain(storage_);
}

Memory::~Memory() {
  if (storage_ != nullptr) internal::release(storage_);
}

Memory Memory::wrap(void* ptr, std::int64_t size, cupyxx::Device device, void (*drop)(void*),
                    void* owner) {
  auto* self = new Unowned{.storage = {}, .drop = drop, .owner = owner};
  Memory memory = adopt(&self->storage);
  self->storage.destroy = [](Storage* storage) {
    auto* whole = static_cast<Unowned*>(storage->block);
    if (whole->drop != nullptr) whole->drop(whole->owner);
    delete whole;
  };
  self->storage.block = self;
  // From here on the owner goes with the memory, also when a check fails.
  if (device.is_cuda()) gpu::check_device("Memory", device.index);
  const std::size_t nbytes = checked_size("Memory", size);
  if (ptr == nullptr && size > 0) throw ValueError("Memory: a null pointer has no bytes");
  self->storage.device = device;
  self->storage.data = static_cast<char*>(ptr);
  self->storage.nbytes = nbytes;
  if (device.is_cuda()) {
    self->storage.home_stream = gpu::current_stream(device.index);
    self->storage.destroy = Unowned::destroy;
  }
  return memory;
}

void* Memory::ptr() const { return storage_ != nullptr ? storage_->data : nullptr; }

std::int64_t Memory::size() const {
  return storage_ != nullptr ? static_cast<std::int64_t>(storage_->nbytes) : 0;
}

cupyxx::Device Memory::device() const {
  return storage_ != nullptr ? storage_->device : cupyxx::Device::cpu();
}

MemoryPointer::MemoryPointer(Memory mem, std::int64_t offset)
    : mem_(std::move(mem)), offset_(offset) {
  if (offset < 0 || offset > mem_.size()) {
    throw ValueError(message("MemoryPointer: offset ", offset, " is outside of the ", mem_.size(),
                             " bytes of the memory"));
  }
}

MemoryPointer MemoryPointer::operator+(std::int64_t bytes) const {
  std::int64_t offset = 0;
  if (__builtin_add_overflow(offset_, bytes, &offset)) offset = -1;
  return MemoryPointer(mem_, offset);
}

MemoryPointer MemoryPointer::operator-(std::int64_t bytes) const {
  std::int64_t offset = 0;
  if (__builtin_sub_overflow(offset_, bytes, &offset)) offset = -1;
  return MemoryPointer(mem_, offset);
}

void MemoryPointer::check(const char* operation, std::int64_t size_here) const {
  checked_size(operation, size_here);
  if (size_here <= size()) return;
  throw ValueError(message(operation, ": ", size_here, " bytes at offset ", offset_,
                           " are beyond the ", mem_.size(), " bytes of the memory"));
}

void MemoryPointer::copy_between(const char* operation, const MemoryPointer& source,
                                 std::int64_t size, bool wait, const Stream* stream) const {
  check(operation, size);
  source.check(operation, size);
  if (size == 0) return;
  const auto nbytes = static_cast<std::size_t>(size);
  const cupyxx::Device to = device(), from = source.device();
  touch(mem_);
  if (to.is_cpu() && from.is_cpu()) {
    std::memmove(ptr(), source.ptr(), nbytes);
    return;
  }
  const cupyxx::Device at = to.is_cuda() ? to : from;
  check_stream_device(operation, at, stream);
  void* const on = stream != nullptr ? stream->ptr() : gpu::current_stream(at.index);
  gpu::record_use(mem_.storage(), on);
  if (to.is_cuda() && from.is_cuda() && to.index != from.index) {
    gpu::record_use(source.mem_.storage(), gpu::current_stream(from.index));
    gpu::copy_peer_async(ptr(), to.index, source.ptr(), from.index, nbytes, on);
    return;
  }
  gpu::record_use(source.mem_.storage(), on);
  gpu::copy_async(ptr(), source.ptr(), nbytes, at.index, on);
  if (wait && (to.is_cpu() || from.is_cpu())) gpu::synchronize(at.index, on);
}

void MemoryPointer::copy_in(const char* operation, const void* host, std::int64_t size, bool wait,
                            const Stream* stream) const {
  check(operation, size);
  if (size == 0) return;
  const auto nbytes = static_cast<std::size_t>(size);
  touch(mem_);
  if (device().is_cpu()) {
    std::memmove(ptr(), host, nbytes);
    return;
  }
  check_stream_device(operation, device(), stream);
  void* const on = stream_of(*this, stream);
  gpu::record_use(mem_.storage(), on);
  if (wait) {
    gpu::copy(ptr(), host, nbytes, gpu::CopyKind::host_to_device, device().index, on);
  } else {
    gpu::copy_async(ptr(), host, nbytes, device().index, on);
  }
}

void MemoryPointer::copy_out(const char* operation, void* host, std::int64_t size, bool wait,
                             const Stream* stream) const {
  check(operation, size);
  if (size == 0) return;
  const auto nbytes = static_cast<std::size_t>(size);
  if (device().is_cpu()) {
    std::memmove(host, ptr(), nbytes);
    return;
  }
  check_stream_device(operation, device(), stream);
  void* const on = stream_of(*this, stream);
  gpu::record_use(mem_.storage(), on);
  if (wait) {
    gpu::copy(host, ptr(), nbytes, gpu::CopyKind::device_to_host, device().index, on);
  } else {
    gpu::copy_async(host, ptr(), nbytes, device().index, on);
  }
}

void MemoryPointer::set(const char* operation, int value, std::int64_t size,
                        const Stream* stream) const {
  check(operation, size);
  if (value < 0 || value > 255) {
    throw ValueError(message(operation, ": a byte is 0 to 255; ", value));
  }
  if (size == 0) return;
  const auto nbytes = static_cast<std::size_t>(size);
  touch(mem_);
  if (device().is_cpu()) {
    std::memset(ptr(), value, nbytes);
    return;
  }
  check_stream_device(operation, device(), stream);
  void* const on = stream_of(*this, stream);
  gpu::record_use(mem_.storage(), on);
  gpu::set_bytes(ptr(), value, nbytes, device().index, on);
}

void MemoryPointer::copy_from_cuda(const char* operation, const MemoryPointer& source,
                                   std::int64_t size, bool wait, const Stream* stream) const {
  if (!source.device().is_cuda()) {
    throw TypeError(message(operation, ": the source is on the host"));
  }
  copy_between(operation, source, size, wait, stream);
}

std::ostream& operator<<(std::ostream& os, const MemoryPointer& pointer) {
  return os << "<MemoryPointer " << pointer.ptr() << " device=" << pointer.device().name()
            << " size=" << pointer.size() << '>';
}

MemoryPointer alloc(std::int64_t size) {
  const std::size_t nbytes = checked_size("alloc", size);
  return MemoryPointer(Memory::adopt(gpu::allocate(current_cuda_device("alloc"), nbytes)));
}

MemoryPointer alloc_pinned_memory(std::int64_t size) {
  const std::size_t nbytes = checked_size("alloc_pinned_memory", size);
  current_cuda_device("alloc_pinned_memory");
  return MemoryPointer(Memory::adopt(gpu::allocate_pinned_storage(nbytes)));
}

namespace {

MemoryPointer from_cuda(const char* operation, std::int64_t size, gpu::Source source) {
  const std::size_t nbytes = checked_size(operation, size);
  const int device = current_cuda_device(operation);
  return MemoryPointer(Memory::adopt(gpu::allocate_from_cuda(operation, device, nbytes, source)));
}

}  // namespace

MemoryPointer malloc_device(std::int64_t size) {
  return from_cuda("malloc_device", size, gpu::Source::device);
}
MemoryPointer malloc_managed(std::int64_t size) {
  return from_cuda("malloc_managed", size, gpu::Source::managed);
}
MemoryPointer malloc_async(std::int64_t size) {
  return from_cuda("malloc_async", size, gpu::Source::async);
}

}  // namespace cupyxx::cuda
