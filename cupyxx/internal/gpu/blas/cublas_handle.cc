// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/cublas_handle.h"

#include <cublas_v2.h>

#include <mutex>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/extension/dynamic_library.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"

namespace cupyxx::internal::gpu {
namespace {

struct Library {
  extension::DynamicLibrary library{"cuBLAS",
                                    {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}};
  decltype(&::cublasCreate_v2) create =
      library.symbol<decltype(&::cublasCreate_v2)>("cublasCreate_v2");
  decltype(&::cublasSetStream_v2) set_stream =
      library.symbol<decltype(&::cublasSetStream_v2)>("cublasSetStream_v2");
};

const Library& library() {
  static const Library& functions = *new Library;
  return functions;
}

void check_status(cublasStatus_t status, const char* function) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(
      message("cublas_handle: ", function, " failed; status ", static_cast<int>(status)));
}

// Handles of threads that have ended. Nothing is ever destroyed: CUDA may be gone by then.
struct AtRest {
  std::mutex mutex;
  std::vector<cublasHandle_t> of_device[kMaxDevices];
};

AtRest& at_rest() {
  static AtRest& all = *new AtRest;
  return all;
}

struct OfThread {
  cublasHandle_t handles[kMaxDevices] = {};

  ~OfThread() {
    AtRest& rest = at_rest();
    const std::lock_guard lock(rest.mutex);
    for (int device = 0; device < kMaxDevices; ++device) {
      if (handles[device] != nullptr) rest.of_device[device].push_back(handles[device]);
    }
  }
};

cublasHandle_t take(int device) {
  AtRest& rest = at_rest();
  const std::lock_guard lock(rest.mutex);
  std::vector<cublasHandle_t>& list = rest.of_device[device];
  if (!list.empty()) {
    const cublasHandle_t handle = list.back();
    list.pop_back();
    return handle;
  }
  cublasHandle_t handle = nullptr;
  check_status(library().create(&handle), "cublasCreate");
  return handle;
}

}  // namespace

void* cublas_handle(int device) {
  check_device("cublas_handle", device);
  static thread_local OfThread of_thread;
  const OnDevice on(device);
  cublasHandle_t& handle = of_thread.handles[device];
  if (handle == nullptr) handle = take(device);
  check_status(library().set_stream(handle, as_stream(current_stream(device))), "cublasSetStream");
  return handle;
}

}  // namespace cupyxx::internal::gpu
