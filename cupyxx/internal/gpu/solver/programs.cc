// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/solver/programs.h"

namespace cupyxx::internal::gpu {

jit::Program check_info_program() {
  return {.name = "check_info",
          .text =
              "#include \"cupyxx/internal/kernels/check_info.h\"\n"
              "extern \"C\" __global__ void __launch_bounds__(256)\n"
              "kernel(const __grid_constant__ cupyxx::internal::kernels::CheckInfoArgs args) {\n"
              "  cupyxx::internal::kernels::check_info(args);\n}\n"};
}

}  // namespace cupyxx::internal::gpu
