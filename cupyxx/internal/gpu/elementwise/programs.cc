// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/elementwise/programs.h"

#include "cupyxx/internal/kernels/transpose.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal::gpu {

jit::ElementwiseSource elementwise_source(const OpInfo& op, int loop, const dtype* stored,
                                          unsigned immediate, const jit::ElementwiseLayout& layout,
                                          bool masked) {
  const LoopInfo& info = op.loops[loop];
  jit::ElementwiseSource source;
  source.includes = "#include \"" + std::string(op.header) + "\"\n";
  source.layout = layout;
  source.masked = masked;
  std::string arguments;
  for (int k = 0; k < op.nout + op.nin; ++k) {
    jit::ElementwiseOperand operand;
    operand.is_output = k < op.nout;
    operand.name =
        (operand.is_output ? "out" : "in") + std::to_string(operand.is_output ? k : k - op.nout);
    operand.type = stored[k];
    operand.access = (immediate >> k & 1u) != 0             ? jit::Access::scalar
                     : layout.form == jit::Form::contiguous ? jit::Access::contiguous
                                                            : jit::Access::strided;
    if (!operand.is_output) {
      if (!arguments.empty()) arguments += ", ";
      arguments += "cupyxx::ops::cast<" +
                   std::string(jit::device_type(info.compute_in[k - op.nout])) + ">(" +
                   operand.name + ")";
    }
    source.operands.push_back(std::move(operand));
  }
  const std::string call = std::string(op.type_name) + "::apply(" + arguments + ")";
  const auto store = [&](int k, const std::string& value) {
    return "out" + std::to_string(k) + " = cupyxx::ops::cast<" + jit::device_type(stored[k]) +
           ">(" + value + ");";
  };
  if (op.checks_negative_power && info.in[1].is_signed_integer()) {
    source.body =
        "if (in1 < 0) ck::report(args.error, ck::kNegativePower, args.operation, in1, 0); ";
  }
  if (op.nout == 1) {
    source.body += store(0, call);
  } else {
    source.body +=
        "const auto both = " + call + "; " + store(0, "both.first") + " " + store(1, "both.second");
  }
  return source;
}

jit::Program elementwise_program(const OpInfo& op, const jit::ElementwiseSource& source) {
  jit::Program program;
  program.name = op.name;
  for (const jit::ElementwiseOperand& operand : source.operands) {
    program.name += "_" + std::string(operand.type.name());
    if (operand.access == jit::Access::scalar) program.name += "_scalar";
  }
  const jit::ElementwiseLayout& layout = source.layout;
  if (layout.form != jit::Form::contiguous) {
    constexpr const char* kForms[] = {"", "_flat", "_strided", "_tiled", "_any"};
    program.name += kForms[static_cast<int>(layout.form)] + std::to_string(layout.rank);
  }
  if (layout.wide) program.name += "_wide";
  if (source.masked) program.name += "_masked";
  program.text = jit::write_elementwise(source);
  return program;
}

jit::Program any_program(const OpInfo& op, int loop) {
  const LoopInfo& info = op.loops[loop];
  dtype types[5];
  for (int k = 0; k < op.nout; ++k) types[k] = info.out[k];
  for (int i = 0; i < op.nin; ++i) types[op.nout + i] = info.in[i];
  return elementwise_program(
      op, elementwise_source(op, loop, types, 0, {jit::Form::any, kMaxNdim}, false));
}

std::optional<kernels::Stored> stored_code(dtype type) {
  using kernels::Stored;
  if (type == bool_) return Stored::bool_;
  if (type == int32) return Stored::int32;
  if (type == int64) return Stored::int64;
  if (type == float32) return Stored::float32;
  if (type == float64) return Stored::float64;
  return std::nullopt;
}

namespace {

jit::Program transpose_of(std::string name, int threads, int rank, const std::string& call) {
  jit::Program program;
  program.name = std::move(name) + "_rank" + std::to_string(rank);
  program.text =
      "#include \"cupyxx/internal/kernels/transpose.h\"\n"
      "namespace ck = cupyxx::internal::kernels;\n"
      "extern \"C\" __global__ void __launch_bounds__(" +
      std::to_string(threads) + ")\nkernel(const __grid_constant__ ck::StridedArgs<" +
      std::to_string(rank) + "> args) {\n" + jit::kWaitForKernelBefore + "  ck::" + call +
      std::to_string(rank) + ">(args);\n}\n";
  return program;
}

}  // namespace

jit::Program transpose_program(int itemsize, int rank) {
  const std::string size = std::to_string(itemsize);
  return transpose_of("transpose_" + size, kernels::kBlock, rank, "transpose<" + size + ", ");
}

jit::Program transpose_bytes_large_program(int rank) {
  return transpose_of("transpose_1_large", kernels::kLargeBlock, rank, "transpose_bytes_large<");
}

jit::Program take_program(int unit_bytes, bool index64, bool wide) {
  const char* unit = unit_bytes == 16  ? "uint4"
                     : unit_bytes == 8 ? "unsigned long"
                     : unit_bytes == 4 ? "unsigned"
                     : unit_bytes == 2 ? "unsigned short"
                                       : "unsigned char";
  jit::Program program;
  program.name = "take_" + std::to_string(unit_bytes) + (index64 ? "_int64" : "_int32") +
                 (wide ? "_wide" : "");
  program.text =
      "#include \"cupyxx/internal/kernels/take.h\"\n"
      "extern \"C\" __global__ void __launch_bounds__(256)\n"
      "kernel(const __grid_constant__ cupyxx::internal::kernels::TakeArgs args) {\n";
  program.text += jit::kWaitForKernelBefore;
  program.text += "  cupyxx::internal::kernels::take<" + std::string(unit) + ", " +
                  (index64 ? "long" : "int") + ", " + (wide ? "unsigned long" : "unsigned") +
                  ">(args);\n}\n";
  return program;
}

}  // namespace cupyxx::internal::gpu
