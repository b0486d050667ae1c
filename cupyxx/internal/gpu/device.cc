// SPDX-License-Identifier: MIT
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {
namespace {

std::atomic<std::string (*)()> g_recent_kernels{nullptr};

std::atomic<bool> g_forked{false};

// What a kernel did shows in calls that have nothing to do with it.
bool is_of_a_kernel(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

int count_devices() {
  int count = 0;
  // CUDA cannot be used in a child of a process that has used it; we say so.
  pthread_atfork(nullptr, nullptr, [] { g_forked.store(true, std::memory_order_relaxed); });
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();  // no driver, or no device: not an error of the next call
    return 0;
  }
  return std::min(count, kMaxDevices);
}

void read_info(int device, DeviceInfo& info) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  info.multiprocessors = properties.multiProcessorCount;
  info.compute_capability = 10 * properties.major + properties.minor;
  info.total_memory = properties.totalGlobalMem;
  info.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  info.shared_bytes = properties.sharedMemPerBlockOptin;
  std::snprintf(info.name, sizeof info.name, "%s", properties.name);
}

}  // namespace

void set_launch_history(std::string (*recent_kernels)()) {
  g_recent_kernels.store(recent_kernels, std::memory_order_release);
}

void throw_cuda_error(cudaError_t code, const char* call) {
  cudaGetLastError();
  std::string text = message(call, ": ", cudaGetErrorString(code), "; ", cudaGetErrorName(code),
                             " (", static_cast<int>(code), ")");
  if (g_forked.load(std::memory_order_relaxed)) {
    text += "; CUDA was used before this process was forked, and cannot be used after";
  } else if (is_of_a_kernel(code)) {
    const auto recent_kernels = g_recent_kernels.load(std::memory_order_acquire);
    const std::string names = recent_kernels != nullptr ? recent_kernels() : "";
    if (!names.empty()) text += "; the latest kernels of this thread: " + names;
    text += "; CUPYXX_DEBUG=sync finds the launch";
  }
  throw CudaError(text);
}

int device_count() {
  static const int count = count_devices();
  return count;
}

void check_device(const char* operation, int device) {
  const int count = device_count();
  if (count > 0 && g_forked.load(std::memory_order_relaxed)) {
    throw DeviceError(message(
        operation, ": CUDA was used before this process was forked, and cannot be used after"));
  }
  if (device >= 0 && device < count) return;
  throw DeviceError(message(operation, ": no CUDA device ", device, "; ", count,
                            count == 1 ? " device" : " devices", " present"));
}

int bound_device() {
  if (device_count() < 2) return 0;
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess) return device;
  cudaGetLastError();  // CUDA is going, at the end of the program
  return std::max(0, t_current.cuda);
}

void set_device(int device) {
  if (bound_device() == device) return;
  check_device("cuda", device);
  check(cudaSetDevice(device), "cudaSetDevice");
}

void return_to_device(int device) noexcept {
  if (device_count() < 2) return;
  int bound = -1;
  if (cudaGetDevice(&bound) == cudaSuccess && bound == device) return;
  // An error here is of work that was given before; the next call reports it.
  if (cudaSetDevice(device) != cudaSuccess) cudaGetLastError();
}

const DeviceInfo& device_info(int device) {
  static std::once_flag once[kMaxDevices];
  static DeviceInfo infos[kMaxDevices];
  check_device("cuda", device);
  std::call_once(once[device], [device] { read_info(device, infos[device]); });
  return infos[device];
}

bool enable_peer_access(int device, int peer) {
  if (device == peer) return true;
  static std::mutex mutex;
  enum class State : unsigned char { unknown, no, yes };
  static State states[kMaxDevices][kMaxDevices];
  check_device("cuda", device);
  check_device("cuda", peer);
  const std::lock_guard lock(mutex);
  State& state = states[device][peer];
  if (state == State::unknown) {
    int possible = 0;
    check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
    if (possible) {
      const OnDevice on(device);
      const cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
      if (result == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
      } else {
        check(result, "cudaDeviceEnablePeerAccess");
      }
    }
    state = possible ? State::yes : State::no;
  }
  return state == State::yes;
}

}  // namespace cupyxx::internal::gpu
