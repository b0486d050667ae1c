// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/programs.h"

#include <string>

#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr const char* kNames[] = {"gemm", "dot", "dot_join"};

// Element, sum, and whether it is bool. Integers wrap around, in 32 bits or 64.
std::string element_and_sum(dtype type) {
  const bool is_wide = type.itemsize() == 8;
  const dtype sum = type.is_floating()  ? (is_wide ? float64 : float32)
                    : type.is_complex() ? type
                                        : (is_wide ? uint64 : uint32);
  return std::string(jit::device_type(type.is_bool() ? uint8 : type)) + ", " +
         jit::device_type(sum) + (type.is_bool() ? ", true" : ", false");
}

}  // namespace

jit::Program gemm_program(GemmKernel kernel, cupyxx::dtype dtype) {
  const std::string name = kNames[static_cast<int>(kernel)];
  const std::string arguments = kernel == GemmKernel::gemm ? "GemmArguments" : "DotArguments";
  jit::Program program;
  program.name = name + "_" + std::string(dtype.name());
  program.text =
      "#include \"cupyxx/internal/kernels/gemm_generic.h\"\n"
      "extern \"C\" __global__ void kernel(const cupyxx::kernels::" +
      arguments + " p) {\n" + jit::kWaitForKernelBefore + "  cupyxx::kernels::" + name + "<" +
      element_and_sum(dtype) + ">(p);\n}\n";
  return program;
}

jit::Program gemm_tile_program(const TileVariant& v) {
  std::string shape = std::string("TileShape<") + (v.along_a ? "true" : "false") +
                      (v.along_b ? ", true" : ", false");
  for (const int value : {v.lanes_m, v.lanes_n, v.each_m, v.each_n, v.groups}) {
    shape += ", " + std::to_string(value);
  }
  shape += ">";
  jit::Program program;
  program.name = "gemm_tile<" + shape + ">";
  program.overlaps = 1;
  program.text =
      "#include \"cupyxx/internal/kernels/gemm_tile.h\"\n"
      "extern \"C\" __global__ void __launch_bounds__(" +
      std::to_string(v.threads()) +
      ", 1) kernel(const cupyxx::kernels::GemmTileArguments p) {\n"
      "  cupyxx::kernels::gemm_tile<cupyxx::kernels::" +
      shape + ">(p);\n}\n";
  return program;
}

jit::Program gemm_thin_program(bool along_b, int row_tiles) {
  const std::string kernel = std::string("gemm_thin<") + (along_b ? "true, " : "false, ") +
                             std::to_string(row_tiles) + ">";
  jit::Program program;
  program.name = kernel;
  program.overlaps = 1.5;
  program.text =
      "#include \"cupyxx/internal/kernels/gemm_thin.h\"\n"
      "extern \"C\" __global__ void __launch_bounds__(256, 2) "
      "kernel(const cupyxx::kernels::GemmThinArguments p) {\n"
      "  cupyxx::kernels::" +
      kernel + "(p);\n}\n";
  return program;
}

std::vector<TileVariant> tile_variants(bool along_a, bool along_b) {
  std::vector<TileVariant> all = {{along_a, along_b, 8, 16, 8, 8, 2},
                                  {along_a, along_b, 8, 8, 8, 8, 2},
                                  {along_a, along_b, 8, 16, 4, 4, 1}};
  if (along_a) {  // any number of rows; else they come in fours
    all.push_back({along_a, along_b, 8, 16, 7, 8, 2});
    all.push_back({along_a, along_b, 8, 8, 7, 8, 2});
    all.push_back({along_a, along_b, 4, 8, 5, 4, 4});
  } else {
    all.push_back({along_a, along_b, 8, 8, 4, 4, 4});
  }
  int number = 0;
  for (TileVariant& variant : all) variant.number = number++;
  return all;
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
      for (const TileVariant& variant : tile_variants(along_a, along_b)) {
        programs.push_back(gemm_tile_program(variant));
      }
    }
  }
  for (const bool along_b : {false, true}) {
    for (int tiles = 1; tiles <= 4; ++tiles) programs.push_back(gemm_thin_program(along_b, tiles));
  }
  return programs;
}

}  // namespace cupyxx::internal::gpu
