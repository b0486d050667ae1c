// SPDX-License-Identifier: MIT
#include "cupyxx/testing/bare_launch.h"

#include <cuda_runtime_api.h>

#include <string>

#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::testing {
namespace {

namespace jit = internal::jit;
namespace kernels = internal::kernels;

jit::Program null_program() {
  return {.name = "null",
          .text =
              "#include \"cupyxx/internal/kernels/elementwise.h\"\n"
              "extern \"C\" __global__ void kernel(\n"
              "    const cupyxx::internal::kernels::ContiguousArgs) {}\n",
          .options = {}};
}

void check(const char* call, cudaError_t code) {
  if (code != cudaSuccess) {
    throw CudaError(message(call, ": ", cudaGetErrorName(code)));
  }
}

}  // namespace

struct BareLaunch::Impl {
  const jit::Kernel* ours = nullptr;
  cudaLibrary_t library = nullptr;
  cudaKernel_t theirs = nullptr;
  kernels::ContiguousArgs parameters = {};
};

BareLaunch::BareLaunch(int device) : impl_(new Impl) {
  impl_->ours = jit::load(device, null_program());
  const std::string cubin =
      jit::compile(null_program(), "sm_" + cuda::Device(device).compute_capability());
  check("cudaLibraryLoadData", cudaLibraryLoadData(&impl_->library, cubin.data(), nullptr, nullptr,
                                                   0, nullptr, nullptr, 0));
  check("cudaLibraryGetKernel", cudaLibraryGetKernel(&impl_->theirs, impl_->library, "kernel"));
}

BareLaunch::~BareLaunch() { cudaLibraryUnload(impl_->library); }

void BareLaunch::through_cupyxx() const {
  jit::launch(impl_->ours, {.block_x = kernels::kBlock}, cuda::get_current_stream_ptr(),
              &impl_->parameters);
}

void BareLaunch::through_cuda() const {
  void* arguments[] = {&impl_->parameters};
  // The stream is asked for, as the library must: it is the current one of the thread.
  const auto stream = static_cast<cudaStream_t>(cuda::get_current_stream_ptr());
  check("cudaLaunchKernel",
        cudaLaunchKernel(impl_->theirs, dim3(1), dim3(kernels::kBlock), arguments, 0, stream));
}

}  // namespace cupyxx::testing
