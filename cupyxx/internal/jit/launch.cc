// SPDX-License-Identifier: MIT
#include <cuda.h>

#include <sstream>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/diagnostics/call_site.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/diagnostics/log.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/next_kernel.h"
#include "cupyxx/internal/jit/loaded.h"

namespace cupyxx::internal::jit {
namespace {

constexpr unsigned kUsualSharedBytes = 48 << 10;

// The latest kernels of a thread: an error that surfaces later is of one of these, most often.
struct Recent {
  static constexpr unsigned kCount = 8;
  const Kernel* kernels[kCount] = {};
  unsigned next = 0;

  void add(const Kernel* kernel) { kernels[next++ % kCount] = kernel; }
};
constinit thread_local Recent t_recent;

std::string recent_kernels() {
  std::string text;
  for (unsigned i = 0; i < Recent::kCount; ++i) {
    const Kernel* kernel = t_recent.kernels[(t_recent.next + i) % Recent::kCount];
    if (kernel != nullptr) text += (text.empty() ? "" : ", ") + kernel->name;
  }
  return text;
}

[[noreturn]] void fail(const Kernel* kernel, const LaunchShape& shape, void* stream,
                       cudaError_t code, const char* what, bool with_callers) {
  cudaGetLastError();
  std::ostringstream text;
  text << kernel->name << ": " << what << ": " << cudaGetErrorString(code) << "; "
       << cudaGetErrorName(code) << " (" << static_cast<int>(code) << "), grid (" << shape.grid_x
       << ", " << shape.grid_y << ", " << shape.grid_z << "), block (" << shape.block_x << ", "
       << shape.block_y << ", " << shape.block_z << "), shared " << shape.shared_bytes
       << " bytes, device " << gpu::bound_device() << ", stream " << stream;
  if (with_callers) {
    const CallSite site = CallSite::here();
    if (const std::string notes = launch_notes(); !notes.empty()) text << ", in " << notes;
    text << "; called from:\n" << describe(site);
  }
  throw CudaError(text.str());
}

void allow_shared(const Kernel* kernel, const LaunchShape& shape, void* stream) {
  const int device = gpu::bound_device();
  std::atomic<unsigned>& allowed = kernel->shared_bytes[device];
  if (allowed.load(std::memory_order_relaxed) >= shape.shared_bytes) return;
  const cudaError_t result =
      cudaKernelSetAttributeForDevice(kernel->handle, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shape.shared_bytes), device);
  if (result != cudaSuccess) fail(kernel, shape, stream, result, "too much shared memory", false);
  allowed.store(shape.shared_bytes, std::memory_order_relaxed);
}

void await(const Kernel* kernel, const LaunchShape& shape, void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(gpu::as_stream(stream), &status);
  if (status != cudaStreamCaptureStatusNone) return;
  const cudaError_t result = cudaStreamSynchronize(gpu::as_stream(stream));
  if (result != cudaSuccess) fail(kernel, shape, stream, result, "the kernel failed", true);
}

// The driver's own functions: the runtime's first look up what kind of pointer a kernel is.
struct Driver {
  decltype(&::cuLaunchKernel) launch = nullptr;
  decltype(&::cuLaunchKernelEx) launch_ex = nullptr;

  Driver() {
    launch = find<decltype(launch)>("cuLaunchKernel");
    launch_ex = find<decltype(launch_ex)>("cuLaunchKernelEx");
  }
  template <class Function>
  static Function find(const char* name) {
    constexpr unsigned kVersion = 12000;
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
    if (cudaGetDriverEntryPointByVersion(name, &function, kVersion, cudaEnableDefault, &result) !=
            cudaSuccess ||
        result != cudaDriverEntryPointSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return reinterpret_cast<Function>(function);
  }
};

// False when the driver refuses: its reasons may be temporary (a thread without a context).
bool launch_by_driver(const Kernel* kernel, const LaunchShape& shape, void* stream,
                      void** arguments, bool is_early) {
  static const Driver driver = [] {
    gpu::set_launch_history(recent_kernels);
    return Driver();
  }();
  // A cudaKernel_t is a CUkernel, which launches take in place of a function.
  const auto function = reinterpret_cast<CUfunction>(kernel->handle);
  const auto on = static_cast<CUstream>(stream);
  if (shape.attributes() == 0 && !is_early) {
    return driver.launch != nullptr &&
           driver.launch(function, shape.grid_x, shape.grid_y, shape.grid_z, shape.block_x,
                         shape.block_y, shape.block_z, shape.shared_bytes, on, arguments,
                         nullptr) == CUDA_SUCCESS;
  }
  CUlaunchAttribute attributes[3] = {};
  unsigned count = 0;
  if (shape.clustered()) {
    CUlaunchAttribute& cluster = attributes[count++];
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = shape.cluster_x;
    cluster.value.clusterDim.y = shape.cluster_y;
    cluster.value.clusterDim.z = shape.cluster_z;
  }
  if (shape.cooperative) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[count++].value.cooperative = 1;
  }
  if (is_early) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attributes[count++].value.programmaticStreamSerializationAllowed = 1;
  }
  CUlaunchConfig config{};
  config.gridDimX = shape.grid_x;
  config.gridDimY = shape.grid_y;
  config.gridDimZ = shape.grid_z;
  config.blockDimX = shape.block_x;
  config.blockDimY = shape.block_y;
  config.blockDimZ = shape.block_z;
  config.sharedMemBytes = shape.shared_bytes;
  config.hStream = on;
  config.attrs = attributes;
  config.numAttrs = count;
  return driver.launch_ex != nullptr &&
         driver.launch_ex(&config, function, arguments, nullptr) == CUDA_SUCCESS;
}

// Makes a context when there is none, and says what is wrong.
cudaError_t launch_by_runtime(const Kernel* kernel, const LaunchShape& shape, void* stream,
                              void** arguments) {
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {shape.cluster_x, shape.cluster_y, shape.cluster_z};
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.grid_x, shape.grid_y, shape.grid_z);
  config.blockDim = dim3(shape.block_x, shape.block_y, shape.block_z);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = gpu::as_stream(stream);
  config.attrs = attributes + (shape.clustered() ? 0 : 1);
  config.numAttrs = shape.attributes();
  return cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel->handle), arguments);
}

/// Whether a kernel is launched before the one before it has ended. Where that one allows it early,
/// and of clusters always, more blocks than one for each multiprocessor, or a few more, would crowd
/// on those that become free first.
bool begins_early(const Kernel* kernel, const LaunchShape& shape) {
  if (!kernel->begins_early || shape.cooperative) return false;
  const std::uint64_t blocks = std::uint64_t{shape.grid_x} * shape.grid_y * shape.grid_z;
  const bool crowds = kernel->lets_next_begin || gpu::t_next_may_begin;
  return !crowds || blocks <= kernel->uncrowded;
}

}  // namespace

void launch_with(const Kernel* kernel, const LaunchShape& shape, void* stream, void** arguments) {
  if (logs(LogLevel::debug)) [[unlikely]] {
    log_line("launch %s: grid (%u, %u, %u), block (%u, %u, %u), stream %p", kernel->name.c_str(),
             shape.grid_x, shape.grid_y, shape.grid_z, shape.block_x, shape.block_y, shape.block_z,
             stream);
  }
  if (gpu::current_capture() != nullptr && gpu::capture_on(stream) == nullptr) [[unlikely]] {
    gpu::refuse_in_capture("the recorded work leaves the stream of the capture");
  }
  if (shape.shared_bytes > kUsualSharedBytes) allow_shared(kernel, shape, stream);
  const bool is_early = begins_early(kernel, shape);
  if (!launch_by_driver(kernel, shape, stream, arguments, is_early)) [[unlikely]] {
    const cudaError_t result = launch_by_runtime(kernel, shape, stream, arguments);
    if (result != cudaSuccess) {
      fail(kernel, shape, stream, result, "the launch failed", launches_are_awaited());
    }
  }
  t_recent.add(kernel);
  gpu::t_next_may_begin = kernel->lets_next_begin;
  if (launches_are_awaited()) [[unlikely]] {
    await(kernel, shape, stream);
  }
}

void launch(const Kernel* kernel, const LaunchShape& shape, void* stream, const void* argument) {
  void* arguments[] = {const_cast<void*>(argument)};
  launch_with(kernel, shape, stream, arguments);
}

KernelInfo kernel_info(int device, const Kernel* kernel) {
  const gpu::OnDevice on(device);
  cudaFuncAttributes found;
  gpu::check(cudaFuncGetAttributes(&found, reinterpret_cast<const void*>(kernel->handle)),
             (kernel->name + ": cudaFuncGetAttributes").c_str());
  return {.max_threads_per_block = found.maxThreadsPerBlock,
          .registers = found.numRegs,
          .shared_bytes = found.sharedSizeBytes,
          .constant_bytes = found.constSizeBytes,
          .local_bytes = found.localSizeBytes,
          .binary_version = found.binaryVersion,
          .ptx_version = found.ptxVersion,
          .caches_in_l1 = found.cacheModeCA != 0,
          .dynamic_shared_bytes = found.maxDynamicSharedSizeBytes,
          .carveout = found.preferredShmemCarveout};
}

}  // namespace cupyxx::internal::jit
