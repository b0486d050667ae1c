// SPDX-License-Identifier: MIT
#include "cupyxx/extension/bundle_maker.h"

#include "cupyxx/extension/kernel.h"
#include "cupyxx/internal/jit/bundle_maker.h"
#include "cupyxx/internal/jit/bundled_programs.h"

namespace cupyxx::extension {

int make_bundle(int argc, char** argv, const KernelLibrary& library,
                std::span<const ufunc* const> operations) {
  std::vector<internal::jit::Program> programs;
  for (const KernelFamily* kernel = library.kernels; kernel != nullptr; kernel = kernel->next()) {
    for (const dtype type : library.types) {
      if (type) programs.push_back(kernel->program(type));
    }
  }
  for (const ufunc* f : operations) internal::jit::add_operation_programs(programs, *f);
  return internal::jit::make_bundle(argc, argv, programs);
}

}  // namespace cupyxx::extension
