// SPDX-License-Identifier: MIT
// A CUDA runtime without a device: GPUs (one, unless more are asked for) of compute capability 9.0
// whose memory is the host's and whose kernels do nothing. A test that is linked with it takes
// every way through the library that leads to launches, so that what would be launched is known on
// any machine; values are not.
#include "cupyxx/testing/dry_cuda.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t kTotalBytes = std::size_t{16} << 30;
constexpr std::int64_t kContent = 1;
std::atomic<std::uintptr_t> g_next_handle{4096};
std::atomic<bool> g_fails{false};
int g_devices = 1;
thread_local int t_device = 0;

template <class Handle>
cudaError_t give_handle(Handle* handle) {
  *handle = reinterpret_cast<Handle>(g_next_handle.fetch_add(16));
  return cudaSuccess;
}

// Numbers that a kernel would have counted are one: what follows is launched for something.
cudaError_t give_memory(void** address, std::size_t nbytes) {
  constexpr std::size_t kAlignment = 512;
  nbytes = (nbytes + kAlignment - 1) / kAlignment * kAlignment;
  *address = nbytes == 0 ? nullptr : std::aligned_alloc(kAlignment, nbytes);
  if (nbytes != 0 && *address == nullptr) return cudaErrorMemoryAllocation;
  for (std::size_t i = 0; i < nbytes; i += sizeof kContent) {
    std::memcpy(static_cast<char*>(*address) + i, &kContent, sizeof kContent);
  }
  return cudaSuccess;
}

// The capture that is going on, or the last one.
struct DryCapture {
  cudaStream_t stream = nullptr;
  std::size_t launches = 0;
  cudaGraphNode_t last = nullptr;
};
DryCapture g_capture;
cupyxx::testing::DryGraphs g_graphs;

bool is_capturing(cudaStream_t stream) { return stream != nullptr && stream == g_capture.stream; }

CUresult get_kernel_node(CUgraphNode, CUDA_KERNEL_NODE_PARAMS* params) {
  *params = {};
  return CUDA_SUCCESS;
}
CUresult set_kernel_node(CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*) {
  ++g_graphs.updated;
  return CUDA_SUCCESS;
}

}  // namespace

namespace cupyxx::testing {
void fail_next_wait() { g_fails.store(true); }
DryGraphs dry_graphs() { return g_graphs; }
void set_dry_devices(int count) { g_devices = count; }
}  // namespace cupyxx::testing

extern "C" {

// Errors.
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorOfTheDryRun"; }
const char* cudaGetErrorString(cudaError_t) { return "there is no device"; }

// Devices.
cudaError_t cudaGetDeviceCount(int* count) {
  *count = g_devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = t_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= g_devices) return cudaErrorInvalidDevice;
  t_device = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "dry run");
  properties->major = 9;
  properties->multiProcessorCount = 132;
  properties->totalGlobalMem = kTotalBytes;
  properties->l2CacheSize = 50 << 20;
  properties->sharedMemPerBlockOptin = 227 << 10;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int) {
  std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(size));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* possible, int, int) {
  *possible = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  *function = std::strcmp(name, "cuGraphKernelNodeGetParams") == 0
                  ? reinterpret_cast<void*>(get_kernel_node)
              : std::strcmp(name, "cuGraphExecKernelNodeSetParams") == 0
                  ? reinterpret_cast<void*>(set_kernel_node)
                  : nullptr;
  *result = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

// Memory.
cudaError_t cudaMalloc(void** address, std::size_t nbytes) { return give_memory(address, nbytes); }
cudaError_t cudaMallocAsync(void** address, std::size_t nbytes, cudaStream_t) {
  return give_memory(address, nbytes);
}
cudaError_t cudaMallocManaged(void** address, std::size_t nbytes, unsigned) {
  return give_memory(address, nbytes);
}
cudaError_t cudaHostAlloc(void** address, std::size_t nbytes, unsigned) {
  const cudaError_t result = give_memory(address, nbytes);
  if (*address != nullptr) std::memset(*address, 0, nbytes);
  return result;
}
cudaError_t cudaFree(void* address) {
  std::free(address);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }
cudaError_t cudaFreeHost(void* address) { return cudaFree(address); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = kTotalBytes;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) { return give_handle(pool); }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
  *attributes = {};
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t nbytes, cudaMemcpyKind,
                            cudaStream_t) {
  std::memmove(target, source, nbytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* target, int, const void* source, int, std::size_t nbytes,
                                cudaStream_t) {
  std::memmove(target, source, nbytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* target, int value, std::size_t nbytes, cudaStream_t) {
  std::memset(target, value, nbytes);
  return cudaSuccess;
}

// Streams and events.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return give_handle(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return g_fails.exchange(false) ? cudaErrorIllegalAddress : cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
  return cudaGetDevice(device);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
  *flags = cudaStreamNonBlocking;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
  *priority = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* argument) {
  function(argument);
  return cudaSuccess;
}
// Graphs: the launches of a capture are counted.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  g_capture = {stream, 0};
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  g_capture.stream = nullptr;
  return give_handle(graph);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long*, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData**,
                                     std::size_t* count) {
  g_capture.last = reinterpret_cast<cudaGraphNode_t>(g_capture.launches);
  *nodes = &g_capture.last;
  *count = g_capture.launches == 0 ? 0 : 1;
  *graph = nullptr;
  give_handle(graph);
  return cudaStreamIsCapturing(stream, status);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, std::size_t* count) {
  *count = g_capture.launches;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t, unsigned long long) {
  return give_handle(exec);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  ++g_graphs.launched;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return give_handle(event); }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0;
  return cudaSuccess;
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return cudaErrorNotSupported;
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return cudaErrorNotSupported;
}

// Kernels.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void*, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return give_handle(library);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t) { return cudaSuccess; }
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t, const char*) {
  return give_handle(kernel);
}
cudaError_t cudaLibraryGetGlobal(void**, std::size_t*, cudaLibrary_t, const char*) {
  return cudaErrorSymbolNotFound;
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t) {
  *count = 0;
  return cudaSuccess;
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t*, unsigned, cudaLibrary_t) {
  return cudaSuccess;
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute, int, int) {
  return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char** name, const void*) {
  *name = "kernel";
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int,
                                                          std::size_t) {
  *blocks = 2;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void*, void**) {
  if (is_capturing(config->stream)) ++g_capture.launches;
  ++g_graphs.kernels;
  g_graphs.kernel_device = t_device;
  return cudaSuccess;
}

}  // extern "C"
