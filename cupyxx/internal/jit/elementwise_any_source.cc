// SPDX-License-Identifier: MIT
// The form that serves every call: the operands' layouts and types are parameters of the launch.
#include "cupyxx/internal/jit/elementwise_text.h"

namespace cupyxx::internal::jit {

std::string write_any(const ElementwiseSource& source) {
  const std::size_t count = source.operands.size();
  const std::string mask = number(count);
  std::string text =
      open_kernel(source, "ck::AnyArgs") +
      "  const ck::u64 wide = static_cast<ck::u64>(blockIdx.x) * ck::kBlock + threadIdx.x;\n"
      "  if (wide >= args.size) return;\n"
      "  ck::i64 at[" +
      number(count + 1) + "];\n  ck::find_places(args, wide, at);\n" +
      "  if (args.masked && !*reinterpret_cast<const bool*>(args.data[" + mask + "] + at[" + mask +
      "])) return;\n  const ck::i64 i = static_cast<ck::i64>(wide);\n  (void)i;\n";
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    const std::string place = "args, " + number(k) + ", at[" + number(k) + "]";
    text += operand.is_output
                ? "  " + type_of(operand) + " " + operand.name + ";\n"
                : "  " + declare(operand, "ck::load_any<" + type_of(operand) + ">(" + place + ")") +
                      "\n";
  }
  text += std::string("  { ") + kBodyMark + " }\n";
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (!operand.is_output) continue;
    text +=
        "  ck::store_any(args, " + number(k) + ", at[" + number(k) + "], " + operand.name + ");\n";
  }
  return text + "}\n";
}

}  // namespace cupyxx::internal::jit
