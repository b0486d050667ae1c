// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/programs.h"

#include <string>

namespace cupyxx::internal::gpu {
namespace {

constexpr const char* kNames[] = {"gemm", "dot", "dot_join"};

// Element, sum, and whether it is bool; by dtype::Code.
constexpr const char* kTypes[dtype::kComputeCount] = {
    "unsigned char, unsigned, true",
    "signed char, unsigned, false",
    "short, unsigned, false",
    "int, unsigned, false",
    "long long, unsigned long long, false",
    "unsigned char, unsigned, false",
    "unsigned short, unsigned, false",
    "unsigned, unsigned, false",
    "unsigned long long, unsigned long long, false",
    "cupyxx::half, float, false",
    "float, float, false",
    "double, double, false",
};

}  // namespace

jit::Program gemm_program(GemmKernel kernel, cupyxx::dtype dtype) {
  const std::string name = kNames[static_cast<int>(kernel)];
  const std::string arguments = kernel == GemmKernel::gemm ? "GemmArguments" : "DotArguments";
  jit::Program program;
  program.name = name + "_" + std::string(dtype.name());
  program.text =
      "#include \"cupyxx/internal/kernels/gemm_generic.h\"\n"
      "extern \"C\" __global__ void kernel(const cupyxx::kernels::" +
      arguments + " p) {\n  cupyxx::kernels::" + name + "<" +
      kTypes[static_cast<int>(dtype.code())] + ">(p);\n}\n";
  return program;
}

std::vector<jit::Program> common_gemm_programs() {
  std::vector<jit::Program> programs;
  // Floating products are cuBLASLt's; its few refusals may wait for the compiler.
  for (const cupyxx::dtype dtype : {bool_, int32, int64}) {
    programs.push_back(gemm_program(GemmKernel::gemm, dtype));
  }
  for (const cupyxx::dtype dtype : {float32, float64, float16, int32, int64}) {
    programs.push_back(gemm_program(GemmKernel::dot, dtype));
    programs.push_back(gemm_program(GemmKernel::dot_join, dtype));
  }
  // Bias and relu where cuBLASLt has no epilogue, and empty inner dimensions.
  programs.push_back(gemm_program(GemmKernel::gemm, float32));
  return programs;
}

}  // namespace cupyxx::internal::gpu
