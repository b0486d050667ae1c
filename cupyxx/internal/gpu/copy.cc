// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/error_words.h"
#include "cupyxx/internal/gpu/memory/memory.h"
#include "cupyxx/internal/gpu/memory/staging.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr const char* kNoWaiting =
    "the recorded work waits for the device or is copied to the host; item(), to_vector(), printing"
    " and the like belong after it";
constexpr const char* kNoHostCopy =
    "the recorded work copies from the host, and would copy the same memory again at each run; make"
    " the array before, or hand it over as an argument";

bool is_pageable(const void* host) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return true;
  }
  return attributes.type == cudaMemoryTypeUnregistered;
}

void enqueue(void* target, const void* source, std::size_t nbytes, cudaMemcpyKind kind,
             void* stream) {
  check(cudaMemcpyAsync(target, source, nbytes, kind, as_stream(stream)), "cudaMemcpyAsync");
}

void wait(void* stream) {
  check(cudaStreamSynchronize(as_stream(stream)), "cudaStreamSynchronize");
}

// Between a staging buffer and pageable memory: one thread copies slower than the bus.
void copy_host(char* target, const char* source, std::size_t nbytes) {
  constexpr std::int64_t kGrain = std::int64_t{256} << 10;
  cpu::parallel_for(
      static_cast<std::int64_t>(nbytes), kGrain, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
      });
}

void host_to_device(char* target, const char* source, std::size_t nbytes, int device,
                    void* stream) {
  if (!is_pageable(source)) {
    enqueue(target, source, nbytes, cudaMemcpyHostToDevice, stream);
    wait(stream);  // the caller may change its memory when we return
    return;
  }
  // The driver takes small pieces along with the command and does not wait.
  if (nbytes <= Staging::kSmallBytes) {
    enqueue(target, source, nbytes, cudaMemcpyHostToDevice, stream);
    return;
  }
  StagingLease staging(device);
  staging.need_large();
  for (std::size_t begin = 0, turn = 0; begin < nbytes; begin += Staging::kLargeBytes, turn ^= 1) {
    const std::size_t length = std::min(Staging::kLargeBytes, nbytes - begin);
    check(cudaEventSynchronize(staging->done[turn]), "cudaEventSynchronize");
    copy_host(staging->large[turn], source + begin, length);
    enqueue(target + begin, staging->large[turn], length, cudaMemcpyHostToDevice, stream);
    check(cudaEventRecord(staging->done[turn], as_stream(stream)), "cudaEventRecord");
  }
}

void device_to_host(char* target, const char* source, std::size_t nbytes, int device,
                    void* stream) {
  if (nbytes <= Staging::kSmallBytes) {
    StagingLease staging(device);
    enqueue(staging->small, source, nbytes, cudaMemcpyDeviceToHost, stream);
    wait(stream);
    std::memcpy(target, staging->small, nbytes);
    return;
  }
  if (!is_pageable(target)) {
    enqueue(target, source, nbytes, cudaMemcpyDeviceToHost, stream);
    wait(stream);
    return;
  }
  StagingLease staging(device);
  staging.need_large();
  const auto fetch = [&](std::size_t begin, int turn) {
    const std::size_t length = std::min(Staging::kLargeBytes, nbytes - begin);
    check(cudaEventSynchronize(staging->done[turn]), "cudaEventSynchronize");
    enqueue(staging->large[turn], source + begin, length, cudaMemcpyDeviceToHost, stream);
    check(cudaEventRecord(staging->done[turn], as_stream(stream)), "cudaEventRecord");
  };
  fetch(0, 0);
  int turn = 0;
  for (std::size_t begin = 0; begin < nbytes; begin += Staging::kLargeBytes, turn ^= 1) {
    // One piece is on its way while the one before it is copied out.
    if (begin + Staging::kLargeBytes < nbytes) fetch(begin + Staging::kLargeBytes, turn ^ 1);
    check(cudaEventSynchronize(staging->done[turn]), "cudaEventSynchronize");
    copy_host(target + begin, staging->large[turn], std::min(Staging::kLargeBytes, nbytes - begin));
  }
}

}  // namespace

void copy(void* target, const void* source, std::size_t nbytes, CopyKind kind, int device,
          void* stream) {
  if (nbytes == 0) return;
  if (kind != CopyKind::device_to_device && capture_on(stream) != nullptr) [[unlikely]] {
    refuse_in_capture(kind == CopyKind::device_to_host ? kNoWaiting : kNoHostCopy);
  }
  const OnDevice on(device);
  char* to = static_cast<char*>(target);
  const char* from = static_cast<const char*>(source);
  switch (kind) {
    case CopyKind::host_to_device:
      host_to_device(to, from, nbytes, device, stream);
      break;
    case CopyKind::device_to_host:
      device_to_host(to, from, nbytes, device, stream);
      throw_device_errors(device, stream);
      break;
    case CopyKind::device_to_device:
      enqueue(to, from, nbytes, cudaMemcpyDeviceToDevice, stream);
      break;
  }
}

void copy_peer(void* target, int target_device, const void* source, int source_device,
               std::size_t nbytes) {
  if (nbytes == 0) return;
  void* to = current_stream(target_device);
  if (target_device == source_device) {
    copy(target, source, nbytes, CopyKind::device_to_device, target_device, to);
    return;
  }
  copy_peer_async(target, target_device, source, source_device, nbytes, to);
}

void copy_async(void* target, const void* source, std::size_t nbytes, int device, void* stream) {
  if (nbytes == 0) return;
  const OnDevice on(device);
  enqueue(target, source, nbytes, cudaMemcpyDefault, stream);
}

void copy_peer_async(void* target, int target_device, const void* source, int source_device,
                     std::size_t nbytes, void* stream) {
  if (nbytes == 0) return;
  refuse_in_capture("the recorded work copies between two devices");
  void* const from = current_stream(source_device);
  // Without access the driver goes through the host by itself.
  enable_peer_access(target_device, source_device);
  order_streams(source_device, from, target_device, stream);
  {
    const OnDevice on(target_device);
    check(cudaMemcpyPeerAsync(target, target_device, source, source_device, nbytes,
                              as_stream(stream)),
          "cudaMemcpyPeerAsync");
  }
  order_streams(target_device, stream, source_device, from);
}

void set_bytes(void* target, int value, std::size_t nbytes, int device, void* stream) {
  if (nbytes == 0) return;
  const OnDevice on(device);
  check(cudaMemsetAsync(target, value, nbytes, as_stream(stream)), "cudaMemsetAsync");
}

void synchronize(int device, void* stream) {
  refuse_in_capture(kNoWaiting);
  {
    const OnDevice on(device);
    wait(stream);
  }
  throw_device_errors(device, stream);
}

void synchronize_device(int device) {
  refuse_in_capture(kNoWaiting);
  {
    const OnDevice on(device);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  throw_device_errors(device);
}

}  // namespace cupyxx::internal::gpu
