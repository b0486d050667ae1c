// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/reduce/program.h"

#include <cctype>
#include <string>

#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::gpu {

namespace {

constexpr const char* kKernels[] = {"rows_short", "rows", "columns", "run"};

/// "CountNonzero" for "count_nonzero": the struct of an operation is named after it.
std::string struct_name(const char* operation) {
  std::string name;
  bool upper = true;
  for (const char* p = operation; *p != 0; ++p) {
    if (*p == '_') {
      upper = true;
      continue;
    }
    name += upper ? static_cast<char>(std::toupper(*p)) : *p;
    upper = false;
  }
  return name;
}

}  // namespace

jit::Program reduce_program(ReduceOp op, dtype in, ReduceVariant variant) {
  const int packet = packet_size(variant, in);
  const std::string kernel = kKernels[static_cast<int>(variant.kernel)];
  jit::Program program;
  program.name = std::string(name(op)) + "_" + std::string(in.name()) + "_" + kernel +
                 std::to_string(packet) + (variant.wide ? "_wide" : "") +
                 (variant.many ? "_many" : "") + (variant.unrounded ? "_unrounded" : "");
  const std::string dims = variant.many ? "kMaxReduceDims" : "kFewReduceDims";
  const bool is_run = variant.kernel == ReduceKernel::run;
  const std::string threads = std::to_string(is_run ? kRunThreads : 256);
  const std::string header = is_run ? "reduce_run.h" : "reduce.h";
  program.text = "#include \"cupyxx/internal/kernels/" + header +
                 "\"\n"
                 "using namespace cupyxx::ops;\n"
                 "extern \"C\" __global__ void __launch_bounds__(" +
                 threads +
                 ")\n"
                 "kernel(const __grid_constant__ cupyxx::kernels::ReduceArgs<cupyxx::kernels::" +
                 dims + "> args) {\n" + jit::kWaitForKernelBefore + "  cupyxx::kernels::reduce_" +
                 kernel + "<" + (variant.unrounded ? "Unrounded" : "") + struct_name(name(op)) +
                 ", " + jit::device_type(in) + ", " + (variant.wide ? "u64" : "u32") + ", " +
                 std::to_string(packet) + (is_run ? ", " + threads : "") + ">(args);\n}\n";
  return program;
}

}  // namespace cupyxx::internal::gpu
