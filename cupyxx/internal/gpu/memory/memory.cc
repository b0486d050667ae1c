// SPDX-License-Identifier: MIT
// What CUDA itself gives: segments for pools, single allocations, pinned memory.
#include "cupyxx/internal/gpu/memory/memory.h"

#include <limits>
#include <mutex>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/bytes.h"
#include "cupyxx/internal/diagnostics/memory_events.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/memory/pool.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream_registry.h"

namespace cupyxx::internal::gpu {
namespace {

// cudaMalloc and cudaFree are legal for us while a stream is being captured.
class RelaxedCapture {
 public:
  RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// CUDA's pool would give its memory back at each wait; ours are asked to.
void keep_async_memory(int device) {
  static std::once_flag once[kMaxDevices];
  std::call_once(once[device], [device] {
    cudaMemPool_t pool;
    check(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
    std::uint64_t threshold = std::numeric_limits<std::uint64_t>::max();
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
          "cudaMemPoolSetAttribute");
  });
}

cudaError_t allocate_raw(void** address, std::size_t nbytes, Source source, void* stream) {
  switch (source) {
    case Source::managed:
      return cudaMallocManaged(address, nbytes, cudaMemAttachGlobal);
    case Source::async:
      return cudaMallocAsync(address, nbytes, as_stream(stream));
    case Source::device:
      break;
  }
  return cudaMalloc(address, nbytes);
}

constexpr const char* call_of(Source source) {
  return source == Source::managed ? "cudaMallocManaged"
         : source == Source::async ? "cudaMallocAsync"
                                   : "cudaMalloc";
}

// Null when there is not enough.
void* allocate_or_null(int device, std::size_t nbytes, Source source, void* stream) {
  const OnDevice on(device);
  const RelaxedCapture relaxed;
  if (source == Source::async) keep_async_memory(device);
  void* address = nullptr;
  const cudaError_t result = allocate_raw(&address, nbytes, source, stream);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(result, call_of(source));
  return address;
}

std::string free_on(int device) {
  const OnDevice on(device);
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return "";
  }
  return "; the device has " + bytes_text(free) + " free of " + bytes_text(total);
}

class CudaMemory final : public SystemMemory {
 public:
  CudaMemory(int device, Source source) : device_(device), source_(source) {}

  void* allocate(std::size_t nbytes) override {
    return allocate_or_null(device_, nbytes, source_, nullptr);
  }

  void release(void* address, std::size_t) override {
    const OnDevice on(device_);
    const RelaxedCapture relaxed;
    if (source_ == Source::async) {
      check(cudaFreeAsync(address, nullptr), "cudaFreeAsync");
    } else {
      check(cudaFree(address), "cudaFree");
    }
  }

  void wait() override {
    const OnDevice on(device_);
    // Refused while a stream is being captured; cudaFree waits by itself then.
    if (cudaDeviceSynchronize() != cudaSuccess) cudaGetLastError();
  }

  void settle(Storage* storage) noexcept override { settle_streams(storage); }

  void poison(Storage* storage, std::size_t nbytes) noexcept override {
    StreamRegistry& registry = StreamRegistry::instance();
    const auto guard = registry.lock();
    if (!registry.alive(storage->home_stream)) return;
    const OnDevice on(device_);
    constexpr int kPoison = 0xfb;  // a large odd negative integer, a large negative float
    cudaMemsetAsync(storage->data, kPoison, nbytes, as_stream(storage->home_stream));
    cudaGetLastError();
  }

  std::string describe() override { return free_on(device_); }

 private:
  const int device_;
  const Source source_;
};

class PinnedMemory final : public SystemMemory {
 public:
  void* allocate(std::size_t nbytes) override {
    const RelaxedCapture relaxed;
    void* address = nullptr;
    const cudaError_t result =
        cudaHostAlloc(&address, nbytes, cudaHostAllocPortable | cudaHostAllocMapped);
    if (result == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      return nullptr;
    }
    check(result, "cudaHostAlloc");
    return address;
  }

  void release(void* address, std::size_t) override {
    const RelaxedCapture relaxed;
    check(cudaFreeHost(address), "cudaFreeHost");
  }

  // Blocks come back only after the copies that use them.
  void wait() override {}
  void settle(Storage* storage) noexcept override { settle_streams(storage); }
};

template <Source kSource>
void destroy_single(Storage* storage) {
  MemoryEvent event{storage->device, 0, storage->nbytes, storage->data};
  const bool watched = memory_is_watched();
  if (watched) announce_free(event);
  if (storage->foreign_count > 0) settle_streams(storage);
  if (storage->data != nullptr) {
    const OnDevice on(storage->device.index);
    const RelaxedCapture relaxed;
    if (kSource == Source::async) {
      cudaFreeAsync(storage->data, as_stream(storage->home_stream));
    } else {
      cudaFree(storage->data);
    }
    cudaGetLastError();
  }
  delete storage;
  if (watched) announce_freed(event);
}

}  // namespace

Storage* allocate_from_cuda(const char* operation, int device, std::size_t nbytes, Source source) {
  check_device(operation, device);
  void* const stream = current_stream(device);
  // One byte for none: two arrays of no elements are two arrays.
  void* address = nbytes <= kLargestRequest
                      ? allocate_or_null(device, nbytes != 0 ? nbytes : 1, source, stream)
                      : nullptr;
  if (address == nullptr) {
    throw OutOfMemoryError(message(operation, ": out of memory on ", Device::cuda(device).name(),
                                   "; asked ", bytes_text(nbytes), " without a pool",
                                   free_on(device), describe_holders(Device::cuda(device))));
  }
  auto* storage = new Storage;
  storage->device = Device::cuda(device);
  storage->data = static_cast<char*>(address);
  storage->nbytes = nbytes;
  storage->home_stream = stream;
  storage->destroy = source == Source::async     ? destroy_single<Source::async>
                     : source == Source::managed ? destroy_single<Source::managed>
                                                 : destroy_single<Source::device>;
  return storage;
}

Pool* pinned_pool() {
  static Pool& pool = *new Pool(new PinnedMemory, Device::cpu());
  return &pool;
}

Storage* allocate_pinned_storage(std::size_t nbytes) {
  check_device("alloc_pinned_memory", 0);
  Pool* pool = pinned_pool();
  return pool->allocate(pool->arena(kNoStream), nbytes);
}

SystemMemory* new_system_memory(int device, Source source) {
  return new CudaMemory(device, source);
}

}  // namespace cupyxx::internal::gpu
