// SPDX-License-Identifier: MIT
// The bundle of chainerxx, with its kernels for every element type: make_bundle OUTPUT sm_90 ...
#include "chainerxx/internal/kernel_table.h"
#include "cupyxx/internal/jit/bundle_maker.h"

int main(int argc, char** argv) {
  namespace internal = chainerxx::internal;
  std::vector<cupyxx::internal::jit::Program> programs;
  for (int i = 0; i < static_cast<int>(internal::KernelName::count); ++i) {
    for (const cupyxx::dtype type : internal::kKernelTypes) {
      programs.push_back(internal::kernel_program(static_cast<internal::KernelName>(i), type));
    }
  }
  return cupyxx::internal::jit::make_bundle(argc, argv, programs);
}
