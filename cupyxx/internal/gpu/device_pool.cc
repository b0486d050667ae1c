// SPDX-License-Identifier: MIT
// cudaMalloc under the pool, and memory that several streams use.
#include "cupyxx/internal/gpu/device_pool.h"

#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/magazine.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream_registry.h"
#include "cupyxx/internal/gpu/thread_state.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr std::uint8_t kTooManyStreams = 255;

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

// Makes the home stream wait for what `stream` has been given so far, or waits here when the home
// stream has gone. False when CUDA refuses.
bool order_after(void* stream, void* home, bool home_alive, int home_device) {
  int device = home_device;
  if (stream && cudaStreamGetDevice(as_stream(stream), &device) != cudaSuccess) return false;
  const CurrentDevice current(device);
  cudaEvent_t event;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) return false;
  bool done = cudaEventRecord(event, as_stream(stream)) == cudaSuccess;
  if (done && home_alive) {
    const CurrentDevice at_home(home_device);
    done = cudaStreamWaitEvent(as_stream(home), event, 0) == cudaSuccess;
  } else if (done) {
    done = cudaEventSynchronize(event) == cudaSuccess;
  }
  cudaEventDestroy(event);  // the wait keeps what it needs
  return done;
}

void settle_streams(Storage* storage) noexcept {
  const int device = storage->device.index;
  StreamRegistry& registry = StreamRegistry::instance();
  try {
    const auto guard = registry.lock();
    const bool home_alive = registry.alive(storage->home_stream);
    std::vector<void*> streams(storage->foreign_streams, storage->foreign_streams + 4);
    if (storage->foreign_count == kTooManyStreams) {
      streams = registry.of_device(device);
    } else {
      streams.resize(storage->foreign_count);
    }
    bool done = true;
    for (void* stream : streams) {
      if (stream == storage->home_stream || !registry.alive(stream)) continue;
      done &= order_after(stream, storage->home_stream, home_alive, device);
    }
    if (done) return;
  } catch (...) {
  }
  // The device is in a bad state or about to go (at exit); waiting is all that is left.
  cudaDeviceSynchronize();
  cudaGetLastError();
}

class CudaMemory final : public SystemMemory {
 public:
  explicit CudaMemory(int device) : device_(device) {}

  void* allocate(std::size_t nbytes) override {
    const CurrentDevice current(device_);
    const RelaxedCapture relaxed;
    void* address = nullptr;
    const cudaError_t result = cudaMalloc(&address, nbytes);
    if (result == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      return nullptr;
    }
    check(result, "cudaMalloc");
    return address;
  }

  void release(void* address, std::size_t) override {
    const CurrentDevice current(device_);
    const RelaxedCapture relaxed;
    check(cudaFree(address), "cudaFree");
  }

  void wait() override {
    const CurrentDevice current(device_);
    // Refused while a stream is being captured; cudaFree waits by itself then.
    if (cudaDeviceSynchronize() != cudaSuccess) cudaGetLastError();
  }

  void settle(Storage* storage) noexcept override { settle_streams(storage); }

 private:
  const int device_;
};

bool pool_is_off() {
  static const bool off = [] {
    const char* value = std::getenv("CUPYXX_POOL");
    return value && std::string_view(value) == "off";
  }();
  return off;
}

void destroy_unpooled(Storage* storage) {
  if (storage->foreign_count > 0) settle_streams(storage);
  {
    const CurrentDevice current(storage->device.index);
    cudaFree(storage->data);
    cudaGetLastError();
  }
  delete storage;
}

// For memory checkers: every array is an allocation of its own.
Storage* allocate_unpooled(int device, std::size_t nbytes) {
  CudaMemory memory(device);
  void* address = memory.allocate(nbytes ? nbytes : 1);
  if (!address) {
    throw OutOfMemoryError("allocate: out of memory on " + Device::cuda(device).name() +
                           "; asked " + format_bytes(nbytes) + " without a pool");
  }
  Storage* storage = new Storage;
  storage->device = Device::cuda(device);
  storage->data = static_cast<char*>(address);
  storage->nbytes = nbytes;
  storage->home_stream = current_stream(device);
  storage->destroy = destroy_unpooled;
  return storage;
}

Storage* allocate_slow(int device, std::size_t nbytes) {
  check_device("allocate", device);
  if (pool_is_off()) return allocate_unpooled(device, nbytes);
  Arena* arena = device_pool(device)->arena(current_stream(device));
  Magazine* magazine = Magazine::of(arena);
  return magazine ? magazine->allocate(nbytes) : arena->pool()->allocate(arena, nbytes);
}

}  // namespace

Pool* device_pool(int device) {
  static std::once_flag once[kMaxDevices];
  static Pool* pools[kMaxDevices];
  std::call_once(once[device], [device] {
    const char* limit = std::getenv("CUPYXX_GPU_MEMORY_LIMIT");
    const std::size_t total = limit ? device_info(device).total_memory : 0;
    pools[device] =
        new Pool(new CudaMemory(device), Device::cuda(device), parse_memory_limit(limit, total));
  });
  return pools[device];
}

Storage* allocate(int device, std::size_t nbytes) {
  if (static_cast<unsigned>(device) < kMaxDevices) {
    if (Magazine* magazine = t_state.devices[device].magazine) return magazine->allocate(nbytes);
  }
  return allocate_slow(device, nbytes);
}

void record_foreign_use(Storage* storage, void* stream) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (storage->foreign_count == kTooManyStreams) return;
  for (int i = 0; i < storage->foreign_count; ++i) {
    if (storage->foreign_streams[i] == stream) return;
  }
  if (storage->foreign_count == 4) {
    storage->foreign_count = kTooManyStreams;
  } else {
    storage->foreign_streams[storage->foreign_count++] = stream;
  }
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
