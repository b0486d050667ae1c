// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/device_query.h"

#include "cupyxx/error.h"
#include "cupyxx/extension/environment.h"
#include "cupyxx/internal/gpu/check.h"

namespace cupyxx::internal::gpu {
namespace {

struct Attribute {
  const char* name;
  cudaDeviceAttr code;
};

#define CUPYXX_ATTRIBUTE(name) \
  { #name, cudaDevAttr##name }
constexpr Attribute kAttributes[] = {
    CUPYXX_ATTRIBUTE(AsyncEngineCount),
    CUPYXX_ATTRIBUTE(CanFlushRemoteWrites),
    CUPYXX_ATTRIBUTE(CanMapHostMemory),
    CUPYXX_ATTRIBUTE(CanUseHostPointerForRegisteredMem),
    CUPYXX_ATTRIBUTE(ClockRate),
    CUPYXX_ATTRIBUTE(ClusterLaunch),
    CUPYXX_ATTRIBUTE(ComputeCapabilityMajor),
    CUPYXX_ATTRIBUTE(ComputeCapabilityMinor),
    CUPYXX_ATTRIBUTE(ComputeMode),
    CUPYXX_ATTRIBUTE(ComputePreemptionSupported),
    CUPYXX_ATTRIBUTE(ConcurrentKernels),
    CUPYXX_ATTRIBUTE(ConcurrentManagedAccess),
    CUPYXX_ATTRIBUTE(CooperativeLaunch),
    CUPYXX_ATTRIBUTE(DirectManagedMemAccessFromHost),
    CUPYXX_ATTRIBUTE(EccEnabled),
    CUPYXX_ATTRIBUTE(GPUDirectRDMASupported),
    CUPYXX_ATTRIBUTE(GlobalL1CacheSupported),
    CUPYXX_ATTRIBUTE(GlobalMemoryBusWidth),
    CUPYXX_ATTRIBUTE(GpuOverlap),
    CUPYXX_ATTRIBUTE(HostNativeAtomicSupported),
    CUPYXX_ATTRIBUTE(HostRegisterSupported),
    CUPYXX_ATTRIBUTE(Integrated),
    CUPYXX_ATTRIBUTE(IpcEventSupport),
    CUPYXX_ATTRIBUTE(IsMultiGpuBoard),
    CUPYXX_ATTRIBUTE(KernelExecTimeout),
    CUPYXX_ATTRIBUTE(L2CacheSize),
    CUPYXX_ATTRIBUTE(LocalL1CacheSupported),
    CUPYXX_ATTRIBUTE(ManagedMemory),
    CUPYXX_ATTRIBUTE(MaxBlockDimX),
    CUPYXX_ATTRIBUTE(MaxBlockDimY),
    CUPYXX_ATTRIBUTE(MaxBlockDimZ),
    CUPYXX_ATTRIBUTE(MaxBlocksPerMultiprocessor),
    CUPYXX_ATTRIBUTE(MaxGridDimX),
    CUPYXX_ATTRIBUTE(MaxGridDimY),
    CUPYXX_ATTRIBUTE(MaxGridDimZ),
    CUPYXX_ATTRIBUTE(MaxPersistingL2CacheSize),
    CUPYXX_ATTRIBUTE(MaxPitch),
    CUPYXX_ATTRIBUTE(MaxRegistersPerBlock),
    CUPYXX_ATTRIBUTE(MaxRegistersPerMultiprocessor),
    CUPYXX_ATTRIBUTE(MaxSharedMemoryPerBlock),
    CUPYXX_ATTRIBUTE(MaxSharedMemoryPerBlockOptin),
    CUPYXX_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor),
    CUPYXX_ATTRIBUTE(MaxTexture1DWidth),
    CUPYXX_ATTRIBUTE(MaxTexture2DHeight),
    CUPYXX_ATTRIBUTE(MaxTexture2DWidth),
    CUPYXX_ATTRIBUTE(MaxTexture3DDepth),
    CUPYXX_ATTRIBUTE(MaxTexture3DHeight),
    CUPYXX_ATTRIBUTE(MaxTexture3DWidth),
    CUPYXX_ATTRIBUTE(MaxThreadsPerBlock),
    CUPYXX_ATTRIBUTE(MaxThreadsPerMultiProcessor),
    CUPYXX_ATTRIBUTE(MemoryClockRate),
    CUPYXX_ATTRIBUTE(MemoryPoolsSupported),
    CUPYXX_ATTRIBUTE(MultiGpuBoardGroupID),
    CUPYXX_ATTRIBUTE(MultiProcessorCount),
    CUPYXX_ATTRIBUTE(PageableMemoryAccess),
    CUPYXX_ATTRIBUTE(PageableMemoryAccessUsesHostPageTables),
    CUPYXX_ATTRIBUTE(PciBusId),
    CUPYXX_ATTRIBUTE(PciDeviceId),
    CUPYXX_ATTRIBUTE(PciDomainId),
    CUPYXX_ATTRIBUTE(ReservedSharedMemoryPerBlock),
    CUPYXX_ATTRIBUTE(SingleToDoublePrecisionPerfRatio),
    CUPYXX_ATTRIBUTE(StreamPrioritiesSupported),
    CUPYXX_ATTRIBUTE(SurfaceAlignment),
    CUPYXX_ATTRIBUTE(TccDriver),
    CUPYXX_ATTRIBUTE(TextureAlignment),
    CUPYXX_ATTRIBUTE(TexturePitchAlignment),
    CUPYXX_ATTRIBUTE(TotalConstantMemory),
    CUPYXX_ATTRIBUTE(UnifiedAddressing),
    CUPYXX_ATTRIBUTE(WarpSize),
};
#undef CUPYXX_ATTRIBUTE

bool peer_access_is_off() { return !extension::environment_switch("CUPYXX_PEER_ACCESS", true); }

}  // namespace

int runtime_version() {
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) cudaGetLastError();
  return version;
}

int driver_version() {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess) cudaGetLastError();
  return version;
}

std::pair<std::size_t, std::size_t> memory_info(int device) {
  check_device("mem_info", device);
  const OnDevice on(device);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return {free, total};
}

std::string pci_bus_id(int device) {
  check_device("pci_bus_id", device);
  char text[32] = {};
  check(cudaDeviceGetPCIBusId(text, sizeof text, device), "cudaDeviceGetPCIBusId");
  return text;
}

int device_by_pci_bus_id(const std::string& id) {
  check_device("from_pci_bus_id", 0);
  int device = 0;
  const cudaError_t result = cudaDeviceGetByPCIBusId(&device, id.c_str());
  if (result != cudaSuccess) {
    cudaGetLastError();
    throw DeviceError(message("from_pci_bus_id: no CUDA device has this id; \"", id, "\""));
  }
  return device;
}

bool can_access_peer(int device, int peer) {
  check_device("can_access_peer", device);
  check_device("can_access_peer", peer);
  if (device == peer) return true;
  if (peer_access_is_off()) return false;
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
  return possible != 0;
}

void require_peer_access(const char* operation, int device, int peer) {
  if (device == peer) return;
  if (!peer_access_is_off() && enable_peer_access(device, peer)) return;
  throw DeviceError(message(operation, ": cuda:", device, " cannot access the memory of cuda:",
                            peer, "; copy the array with to()"));
}

std::vector<std::pair<const char*, int>> device_attributes(int device) {
  check_device("attributes", device);
  std::vector<std::pair<const char*, int>> found;
  for (const Attribute& attribute : kAttributes) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attribute.code, device) == cudaSuccess) {
      found.emplace_back(attribute.name, value);
    } else {
      cudaGetLastError();  // a driver older than the attribute
    }
  }
  return found;
}

std::pair<int, int> stream_priority_range(int device) {
  check_device("Stream", device);
  const OnDevice on(device);
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  return {least, greatest};
}

}  // namespace cupyxx::internal::gpu
