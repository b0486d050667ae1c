// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundled_programs.h"

namespace cupyxx::internal::jit {

std::vector<Program> bundled_programs() {
  std::vector<Program> programs;
  // Fills memory with a 4-byte pattern; set_bytes only knows single bytes.
  programs.push_back({.name = "fill_words", .text = R"(
struct Arguments {
  unsigned* target;
  unsigned long count;
  unsigned value;
};

extern "C" __global__ void kernel(Arguments a) {
  const unsigned long step = static_cast<unsigned long>(gridDim.x) * blockDim.x;
  for (unsigned long i = blockIdx.x * static_cast<unsigned long>(blockDim.x) + threadIdx.x;
       i < a.count; i += step) {
    a.target[i] = a.value;
  }
}
)"});
  return programs;
}

}  // namespace cupyxx::internal::jit
