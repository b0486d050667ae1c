// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/scatter/programs.h"

#include <string>

#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::gpu {

namespace {

jit::Program make_program(std::string name, const std::string& header, const std::string& preamble,
                          const std::string& args, const std::string& call) {
  jit::Program program;
  program.name = std::move(name);
  program.text = "#include \"cupyxx/internal/kernels/" + header +
                 "\"\n"
                 "namespace ck = cupyxx::internal::kernels;\n" +
                 preamble +
                 "extern \"C\" __global__ void __launch_bounds__(256)\n"
                 "kernel(const __grid_constant__ ck::" +
                 args + " args) {\n" + jit::kWaitForKernelBefore + "  ck::" + call + "(args);\n}\n";
  return program;
}

const char* unit_type(int bytes) {
  return bytes == 16  ? "uint4"
         : bytes == 8 ? "unsigned long"
         : bytes == 4 ? "unsigned"
         : bytes == 2 ? "unsigned short"
                      : "unsigned char";
}

std::string cast_to(dtype type, const std::string& value) {
  return "cupyxx::ops::cast<" + std::string(jit::device_type(type)) + ">(" + value + ")";
}

}  // namespace

jit::Program combine_rows_program() {
  return make_program("combine_rows", "scatter.h", "", "CombineArgs", "combine_rows");
}

jit::Program note_winners_program() {
  return make_program("note_winners", "scatter.h", "", "ScatterArgs", "note_winners");
}

jit::Program count_positions_program() {
  return make_program("count_positions", "scatter.h", "", "CountArgs", "count_positions");
}

jit::Program scatter_program(int unit_bytes) {
  return make_program("scatter_" + std::to_string(unit_bytes), "scatter.h", "", "ScatterArgs",
                      "scatter<" + std::string(unit_type(unit_bytes)) + ">");
}

jit::Program at_program(const OpInfo& op, int loop, dtype stored, bool tails) {
  const LoopInfo& info = op.loops[loop];
  const std::string target = jit::device_type(stored);
  // A unary operation has no second operand; a byte stands for it.
  const std::string operand = jit::device_type(op.nin == 2 ? info.in[1] : dtype(uint8));
  std::string arguments = cast_to(info.compute_in[0], cast_to(info.in[0], "x"));
  if (op.nin == 2) arguments += ", " + cast_to(info.compute_in[1], "y");
  const std::string value = cast_to(
      stored, cast_to(info.out[0], std::string(op.type_name) + "::apply(" + arguments + ")"));
  // Partial results have the target's type, which then is the operands' too.
  const bool combines = op.nin == 2 && info.in[1] == stored;
  const std::string preamble =
      "#include \"" + std::string(op.header) + "\"\nstruct Step {\n  static CUPYXX_FN " + target +
      " apply(" + target + " x, " + operand + " y) {\n    (void)y;\n    return " + value +
      ";\n  }\n  static CUPYXX_FN " + target + " combine(" + target + " x, " + target +
      " y) {\n    " + (combines ? "return apply(x, y);" : "(void)y;\n    return x;") +
      "\n  }\n};\n";
  const std::string name =
      std::string(op.name) + (tails ? "_at_tails_" : "_at_") + std::string(info.in[0].name()) +
      "_" + std::string(info.in[op.nin - 1].name()) + "_to_" + std::string(stored.name());
  return make_program(
      name, "scatter.h", preamble, "AtArgs",
      tails ? "at_tails<" + target + ", Step>" : "at_runs<" + target + ", " + operand + ", Step>");
}

bool can_add_atomically(dtype type) {
  return type == float32 || type == float64 || (type.is_integer() && type.itemsize() >= 4);
}

jit::Program add_atomically_program(dtype type) {
  // Integers wrap, so their sign does not matter.
  const char* element = type == float32        ? "float"
                        : type == float64      ? "double"
                        : type.itemsize() == 4 ? "unsigned"
                                               : "unsigned long long";
  return make_program("add_atomically_" + std::string(type.name()), "scatter.h", "", "AtArgs",
                      "add_atomically<" + std::string(element) + ">");
}

jit::Program range_program(dtype type) {
  const std::string computed = type == float64      ? "double"
                               : type.is_floating() ? "float"
                                                    : "ck::u64";
  return make_program("arange_" + std::string(type.name()), "range.h", "", "RangeArgs",
                      "fill_range<" + std::string(jit::device_type(type)) + ", " + computed + ">");
}

jit::Program linspace_program() {
  return make_program("linspace", "range.h", "", "LinspaceArgs", "fill_linspace");
}

}  // namespace cupyxx::internal::gpu
