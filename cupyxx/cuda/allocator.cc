// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/allocator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cupyxx/core/body.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/device_query.h"
#include "cupyxx/internal/gpu/memory/memory.h"
#include "cupyxx/internal/gpu/memory/pool.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;
using internal::Storage;

namespace {

int here_or_throw(const char* operation) {
  const int device = gpu::current_device();
  gpu::check_device(operation, device);
  return device;
}

// The storage of a user's memory, checked; an offset becomes a view of the memory.
Storage* take_storage(const MemoryPointer& memory, int device, std::size_t nbytes) {
  const auto size = static_cast<std::int64_t>(nbytes);
  if (memory.mem().storage() == nullptr || memory.size() < size) {
    throw ValueError(message("allocator: returned ", memory.size(), " bytes; asked ", nbytes));
  }
  if (!(memory.device() == cupyxx::Device::cuda(device))) {
    throw DeviceError(
        message("allocator: returned memory of ", memory.device().name(), "; asked cuda:", device));
  }
  const Memory exact = memory.offset() == 0 && memory.size() == size
                           ? memory.mem()
                           : Memory::unowned(memory.ptr(), size, memory.device(), memory.mem());
  internal::retain(exact.storage());
  return exact.storage();
}

}  // namespace

// ---- Allocators.

struct Allocator::Impl final : gpu::CustomAllocator {
  std::atomic<int> refs{1};
  MemoryPointer (*call)(const void*, std::int64_t) = nullptr;
  void (*drop)(void*) = nullptr;
  void* state = nullptr;

  void retain() override { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() override {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    drop(state);
    delete this;
  }
  Storage* allocate(int device, std::size_t nbytes) override {
    return take_storage(call(state, static_cast<std::int64_t>(nbytes)), device, nbytes);
  }
};

Allocator::Allocator(MemoryPointer (*call)(const void*, std::int64_t), void (*drop)(void*),
                     void* state)
    : impl_(new Impl) {
  impl_->call = call;
  impl_->drop = drop;
  impl_->state = state;
}

Allocator::Allocator(const Allocator& other) noexcept : impl_(other.impl_) {
  if (impl_ != nullptr) impl_->retain();
}

Allocator::~Allocator() {
  if (impl_ != nullptr) impl_->release();
}

MemoryPointer Allocator::operator()(std::int64_t size) const {
  return impl_ != nullptr ? impl_->call(impl_->state, size) : alloc(size);
}

void set_allocator(const Allocator& allocator) {
  Allocator copy(allocator);
  copy.impl_ = static_cast<Allocator::Impl*>(gpu::exchange_allocator(copy.impl_));
}

Allocator get_allocator() {
  return Allocator(static_cast<Allocator::Impl*>(gpu::share_allocator()));
}

// The pool of arrays as an allocator, which goes before the one of all threads.
AllocatorScope::AllocatorScope(const Allocator& allocator)
    : previous_(allocator.is_default() ? Allocator([](std::int64_t size) { return alloc(size); })
                                       : allocator) {
  previous_.impl_ = static_cast<Allocator::Impl*>(gpu::exchange_thread_allocator(previous_.impl_));
}

AllocatorScope::~AllocatorScope() {
  previous_.impl_ = static_cast<Allocator::Impl*>(gpu::exchange_thread_allocator(previous_.impl_));
}

// ---- Pools.

namespace {

// Segments from a user's allocator.
class AllocatorMemory final : public gpu::SystemMemory {
 public:
  AllocatorMemory(int device, const Allocator& source)
      : device_(device),
        source_(source),
        cuda_(gpu::new_system_memory(device, gpu::Source::device)) {}

  void* allocate(std::size_t nbytes) override {
    MemoryPointer memory;
    try {
      const gpu::ChosenDevice on("MemoryPool", device_);
      memory = source_(static_cast<std::int64_t>(nbytes));
    } catch (const OutOfMemoryError&) {
      return nullptr;
    }
    if (memory.size() < static_cast<std::int64_t>(nbytes)) {
      throw ValueError(
          message("MemoryPool: the allocator returned ", memory.size(), " bytes; asked ", nbytes));
    }
    void* const address = memory.ptr();
    const std::lock_guard lock(mutex_);
    segments_.emplace(address, std::move(memory));
    return address;
  }

  void release(void* address, std::size_t) override {
    MemoryPointer memory;  // freed without the lock
    const std::lock_guard lock(mutex_);
    const auto at = segments_.find(address);
    if (at == segments_.end()) return;
    memory = std::move(at->second);
    segments_.erase(at);
  }

  // As for memory of CUDA's own.
  void wait() override { cuda_->wait(); }
  void settle(Storage* storage) noexcept override { cuda_->settle(storage); }
  void poison(Storage* storage, std::size_t nbytes) noexcept override {
    cuda_->poison(storage, nbytes);
  }
  std::string describe() override { return cuda_->describe(); }

 private:
  const int device_;
  const Allocator source_;
  const std::unique_ptr<gpu::SystemMemory> cuda_;
  std::mutex mutex_;
  std::map<void*, MemoryPointer> segments_;
};

}  // namespace

struct MemoryPool::Impl {
  std::atomic<int> refs{1};
  bool of_arrays = false;
  Allocator source;
  std::mutex mutex;
  gpu::Pool* pools[gpu::kMaxDevices] = {};
  gpu::SystemMemory* systems[gpu::kMaxDevices] = {};

  gpu::Pool* pool(int device) {
    if (of_arrays) return gpu::array_pool(device);
    const std::lock_guard lock(mutex);
    if (pools[device] == nullptr) {
      systems[device] = source.is_default() ? gpu::new_system_memory(device, gpu::Source::device)
                                            : new AllocatorMemory(device, source);
      pools[device] = new gpu::Pool(systems[device], cupyxx::Device::cuda(device));
      pools[device]->set_owner(this);
    }
    return pools[device];
  }

  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    for (int device = 0; device < gpu::kMaxDevices; ++device) {
      if (pools[device] == nullptr) continue;
      try {
        pools[device]->free_all();
      } catch (...) {
        continue;  // the device has failed; its memory goes with the process
      }
      delete pools[device];
      delete systems[device];
    }
    delete this;
  }

  // Each block of a pool that is not the arrays' own keeps the pool alive.
  static void destroy(Storage* storage) {
    Impl* impl = static_cast<Impl*>(gpu::pool_of(storage)->owner());
    gpu::give_back(storage);
    impl->release();
  }
};

MemoryPool::MemoryPool() : impl_(new Impl) {}

MemoryPool::MemoryPool(const Allocator& source) : impl_(new Impl) { impl_->source = source; }

MemoryPool::MemoryPool(const MemoryPool& other) noexcept : impl_(other.impl_) {
  impl_->refs.fetch_add(1, std::memory_order_relaxed);
}

MemoryPool::~MemoryPool() { impl_->release(); }

gpu::Pool& MemoryPool::here(const char* operation) const {
  return *impl_->pool(here_or_throw(operation));
}

MemoryPointer MemoryPool::malloc(std::int64_t size) const {
  if (size < 0) throw ValueError(message("malloc: negative size; ", size));
  const int device = here_or_throw("malloc");
  const auto nbytes = static_cast<std::size_t>(size);
  if (impl_->of_arrays) {
    return MemoryPointer(Memory::adopt(gpu::allocate_pooled(device, nbytes)));
  }
  Storage* storage = gpu::allocate_from_pool(impl_->pool(device), nbytes);
  impl_->refs.fetch_add(1, std::memory_order_relaxed);
  storage->destroy = Impl::destroy;
  return MemoryPointer(Memory::adopt(storage));
}

void MemoryPool::free_all_blocks() const {
  if (device_count() > 0) here("free_all_blocks").free_all();
}

void MemoryPool::free_all_blocks(const Stream& stream) const {
  if (device_count() == 0) return;
  gpu::check_device("free_all_blocks", std::max(0, stream.device()));
  impl_->pool(stream.device())->free_stream(stream.ptr());
}

std::int64_t MemoryPool::n_free_blocks() const {
  return static_cast<std::int64_t>(stats().free_blocks);
}
std::int64_t MemoryPool::used_bytes() const { return static_cast<std::int64_t>(stats().used); }
std::int64_t MemoryPool::free_bytes() const { return static_cast<std::int64_t>(stats().cached); }
std::int64_t MemoryPool::total_bytes() const { return static_cast<std::int64_t>(stats().total); }
PoolStats MemoryPool::stats() const {
  return device_count() == 0 ? PoolStats{} : here("pool_stats").stats();
}

void MemoryPool::set_limit(const PoolLimit& limit) const {
  if (limit.size < 0) {
    throw ValueError(message("set_limit: negative size; ", limit.size));
  }
  if (limit.fraction > 1 || std::isnan(limit.fraction)) {
    throw ValueError(message("set_limit: a fraction is 0 to 1; ", std::to_string(limit.fraction)));
  }
  if (limit.size > 0 && limit.fraction >= 0) {
    throw ValueError("set_limit: size and fraction are two limits; give one");
  }
  if (device_count() == 0) return;
  gpu::Pool& pool = here("set_limit");
  auto bytes = static_cast<std::size_t>(limit.size);
  if (limit.fraction >= 0) {
    const auto total = static_cast<double>(gpu::memory_info(gpu::current_device()).second);
    bytes = static_cast<std::size_t>(limit.fraction * total);
  }
  pool.set_limit(bytes);
}

std::int64_t MemoryPool::get_limit() const { return static_cast<std::int64_t>(stats().limit); }

MemoryPool get_default_memory_pool() {
  static MemoryPool::Impl& impl = *[] {
    auto* made = new MemoryPool::Impl;
    made->of_arrays = true;
    return made;
  }();
  impl.refs.fetch_add(1, std::memory_order_relaxed);
  return MemoryPool(&impl);
}

void PinnedMemoryPool::free_all_blocks() const {
  if (device_count() > 0) gpu::pinned_pool()->free_all();
}

std::int64_t PinnedMemoryPool::n_free_blocks() const {
  return static_cast<std::int64_t>(stats().free_blocks);
}

PoolStats PinnedMemoryPool::stats() const {
  return device_count() == 0 ? PoolStats{} : gpu::pinned_pool()->stats();
}

PinnedMemoryPool get_default_pinned_memory_pool() { return {}; }

PoolStats total_pool_stats() {
  PoolStats total;
  const int count = device_count();
  bool limited = count > 0;
  for (int device = 0; device < count; ++device) {
    const PoolStats one = gpu::array_pool(device)->stats();
    total.used += one.used;
    total.cached += one.cached;
    total.peak += one.peak;
    total.allocations += one.allocations;
    total.system_calls += one.system_calls;
    total.largest_free = std::max(total.largest_free, one.largest_free);
    total.blocks += one.blocks;
    total.free_blocks += one.free_blocks;
    total.total += one.total;
    total.limit += one.limit;
    limited = limited && one.limit > 0;
  }
  if (!limited) total.limit = 0;
  return total;
}

}  // namespace cupyxx::cuda
