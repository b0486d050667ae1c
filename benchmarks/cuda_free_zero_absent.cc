// SPDX-License-Identifier: MIT
#include <cstdio>

int main() {
  std::fprintf(stderr, "cuda_free_zero: this build is without CUDA\n");
  return 1;
}
