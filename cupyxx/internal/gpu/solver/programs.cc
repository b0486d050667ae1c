// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/solver/programs.h"

namespace cupyxx::internal::gpu {

jit::Program check_info_program() {
  jit::Program program;
  program.name = "check_info";
  program.text =
      "#include \"cupyxx/internal/kernels/check_info.h\"\n"
      "extern \"C\" __global__ void __launch_bounds__(256)\n"
      "kernel(const __grid_constant__ cupyxx::internal::kernels::CheckInfoArgs args) {\n";
  program.text += jit::kWaitForKernelBefore;
  program.text += "  cupyxx::internal::kernels::check_info(args);\n}\n";
  return program;
}

}  // namespace cupyxx::internal::gpu
