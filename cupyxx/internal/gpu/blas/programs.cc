// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/programs.h"

#include <algorithm>
#include <string>

#include "cupyxx/internal/kernels/gemm_tile.h"

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
    "cupyxx::bfloat16, float, false",
    "cupyxx::complex<float>, cupyxx::complex<float>, false",
    "cupyxx::complex<double>, cupyxx::complex<double>, false",
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

jit::Program gemm_tile_program(const TileVariant& variant) {
  const auto flag = [](bool value) { return value ? "true, " : "false, "; };
  const std::string values = std::string(flag(variant.along_a)) + flag(variant.along_b) +
                             std::to_string(variant.each_m) + ", " + std::to_string(variant.each_n);
  jit::Program program;
  program.name = "gemm_tile<" + values + ">";
  program.text =
      "#include \"cupyxx/internal/kernels/gemm_tile.h\"\n"
      "extern \"C\" __global__ void __launch_bounds__(128) kernel("
      "const cupyxx::kernels::GemmTileArguments p) {\n  cupyxx::kernels::gemm_tile<" +
      values + ">(p);\n}\n";
  return program;
}

unsigned gemm_tile_bytes(const TileVariant& variant) {
  // As the kernel counts them.
  using namespace kernels;
  const auto side = [](bool along, int extent) {
    return along ? extent * (kTileDepth + 4) : extent * kTileDepth;
  };
  const int rows = kTileLanesM * variant.each_m, columns = kTileLanesN * variant.each_n;
  const int stages = kTileStages * (side(variant.along_a, rows) + side(variant.along_b, columns));
  const int tile = rows * (columns + kTileGap) + rows * 4;
  return 4u * static_cast<unsigned>(std::max(stages, tile));
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
  for (const bool along_a : {false, true}) {
    for (const bool along_b : {false, true}) {
      for (const int each_n : {4, 8}) {
        for (const int each_m : {4, 7, 8}) {
          if (!along_a && each_m == 7) continue;
          programs.push_back(gemm_tile_program({along_a, along_b, each_m, each_n}));
        }
      }
    }
  }
  return programs;
}

}  // namespace cupyxx::internal::gpu
