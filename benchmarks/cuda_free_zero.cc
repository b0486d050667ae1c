// SPDX-License-Identifier: MIT
// The shortest program that uses CUDA: it makes the context of device 0 and ends.
#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
  const cudaError_t code = cudaFree(nullptr);
  if (code == cudaSuccess) return 0;
  std::fprintf(stderr, "cudaFree(0): %s\n", cudaGetErrorName(code));
  return 1;
}
