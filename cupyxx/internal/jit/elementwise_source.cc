// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/elementwise_source.h"

#include <algorithm>
#include <iterator>

#include "cupyxx/internal/jit/elementwise_text.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::jit {

namespace {

std::string insert_texts(const ElementwiseSource& source, const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '$') {
      if (source.user) result += '_';
    } else if (c == kBodyMark) {
      result += source.body;
    } else if (c == kPrepareMark) {
      result += source.loop_prep;
    } else if (c == kFinishMark) {
      result += source.after_loop;
    } else {
      result += c;
    }
  }
  return result;
}

// What stands before the loop of a user's kernel.
std::string prepare(const ElementwiseSource& source) {
  if (!source.user) return "";
  std::string text = "  const ck::i64 n = static_cast<ck::i64>($args.size);\n  (void)n;\n";
  for (std::size_t k = 0; k < source.raws.size(); ++k) {
    text += "  const " + raw_type(source.raws[k]) + " " + source.raws[k].name + "($raw" +
            number(k) + ");\n";
  }
  if (!source.loop_prep.empty()) text += std::string("  ") + kPrepareMark + "\n";
  return text;
}

std::string signature(const ElementwiseSource& source, const std::string& arguments) {
  std::string text = "extern \"C\" __global__ void __launch_bounds__(256)\n" + source.entry +
                     "(const __grid_constant__ " + arguments + " $args";
  for (std::size_t k = 0; k < source.raws.size(); ++k) {
    text += ",\n    const __grid_constant__ ck::RawData<" +
            std::to_string(std::max(1, source.raws[k].rank)) + "> $raw" + number(k);
  }
  return text + ") {\n" + kWaitForKernelBefore;
}

// Scalars are read once, before any loop.
std::string declare_scalars(const ElementwiseSource& source) {
  std::string text;
  for (std::size_t k = 0; k < source.operands.size(); ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (has_place(operand)) continue;
    // The second half of complex128 is where the address of an array would be.
    const std::string upper =
        operand.type == complex128 ? ", $args.data[" + number(k) + "]" : std::string();
    text += "  " +
            declare(operand, "ck::immediate<" + type_of(operand) + ">($args.immediate[" +
                                 number(k) + "]" + upper + ")") +
            "\n";
  }
  return text;
}

// Vectors of one thread in the contiguous form. One access of 16 bytes an operand is best; where
// the outputs are narrower than the inputs, stores of less than 16 bytes are worth two.
int vectors_per_thread(const ElementwiseSource& source) {
  std::int64_t widest = 1;
  for (const ElementwiseOperand& operand : source.operands) {
    if (operand.is_output) widest = std::max(widest, operand.type.itemsize());
  }
  return widest * vector_width(source) < 16 ? 2 : 1;
}

std::string write_contiguous(const ElementwiseSource& source) {
  const int width = vector_width(source);
  const int count = vectors_per_thread(source);
  std::string text =
      open_kernel(source, source.user
                              ? "ck::UserContiguousArgs<" + number(source.operands.size()) + ">"
                              : "ck::ContiguousArgs") +
      "  constexpr int $V = " + std::to_string(width) + ", $U = " + std::to_string(count) +
      ";\n"
      "  const ck::u64 $base = static_cast<ck::u64>(blockIdx.x) * (ck::kBlock * $V * $U);\n";
  std::string pointers;
  for (std::size_t k = 0; k < source.operands.size(); ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (!has_place(operand)) continue;
    const std::string type = (operand.is_output ? "" : "const ") + type_of(operand);
    pointers += "  auto* $p" + number(k) + " = reinterpret_cast<" + type + "*>($args.data[" +
                number(k) + "]) + $base;\n";
  }
  if (source.masked) {
    const std::string k = number(source.operands.size());
    pointers +=
        "  auto* $p" + k + " = reinterpret_cast<const bool*>($args.data[" + k + "]) + $base;\n";
  }
  // An output may be an input too, so no pointer is marked as unaliased.
  text += pointers;
  // Of a block that the end cuts, the threads before the end go by vectors, too. In users' kernels
  // all threads of a block go the same way: what stands behind the loop may synchronise them.
  const bool by_thread = !source.masked && !source.user && count == 1;
  if (!source.masked) {
    text += by_thread ? "  if ($args.vector && $base + (threadIdx.x + 1) * $V <= $args.size) {\n"
                      : "  if ($args.vector && $base + ck::kBlock * $V * $U <= $args.size) {\n";
    for (std::size_t k = 0; k < source.operands.size(); ++k) {
      const ElementwiseOperand& operand = source.operands[k];
      if (!has_place(operand)) continue;
      text += "    ck::Vector<" + type_of(operand) + ", $V> $v" + number(k) + "[$U];\n";
    }
    text +=
        "#pragma unroll\n    for (int $u = 0; $u < $U; ++$u) {\n"
        "      const int $j = $u * ck::kBlock + threadIdx.x;\n";
    for (std::size_t k = 0; k < source.operands.size(); ++k) {
      const ElementwiseOperand& operand = source.operands[k];
      if (!is_loaded(operand)) continue;
      const std::string vector = "ck::Vector<" + type_of(operand) + ", $V>";
      text += "      $v" + number(k) + "[$u] = reinterpret_cast<const " + vector + "*>($p" +
              number(k) + ")[$j];\n";
    }
    text +=
        "    }\n#pragma unroll\n    for (int $u = 0; $u < $U; ++$u) {\n"
        "      const int $j = $u * ck::kBlock + threadIdx.x;\n"
        "#pragma unroll\n      for (int $e = 0; $e < $V; ++$e) {\n"
        "        const ck::i64 i = static_cast<ck::i64>($base) + $j * $V + $e;\n"
        "        (void)i;\n";
    text +=
        element(source, "        ", [](std::size_t k) { return "$v" + number(k) + "[$u].at[$e]"; });
    text += "      }\n";
    for (std::size_t k = 0; k < source.operands.size(); ++k) {
      const ElementwiseOperand& operand = source.operands[k];
      if (!operand.is_output) continue;
      text += "      reinterpret_cast<ck::Vector<" + type_of(operand) + ", $V>*>($p" + number(k) +
              ")[$j] = $v" + number(k) + "[$u];\n";
    }
    text += "    }\n" + finish(source) + "    return;\n  }\n";
  }
  text += by_thread
              ? "  int $j = $args.vector ? threadIdx.x * $V : threadIdx.x;\n"
                "  const int $step = $args.vector ? 1 : ck::kBlock;\n"
                "  const int $end = $args.vector ? $j + $V : ck::kBlock * $V;\n"
                "  for (; $j < $end; $j += $step) {\n"
              : "  for (int $j = threadIdx.x; $j < ck::kBlock * $V * $U; $j += ck::kBlock) {\n";
  text += "    if ($base + $j >= $args.size) " + leave(source) +
          "    const ck::i64 i = static_cast<ck::i64>($base) + $j;\n"
          "    (void)i;\n";
  text += element(source, "    ", [](std::size_t k) { return "$p" + number(k) + "[$j]"; });
  text += "  }\n" + finish(source) + "}\n";
  return text;
}

}  // namespace

std::string raw_type(const RawOperand& raw) {
  return "ck::RawArray<" + std::string(raw.is_output ? "" : "const ") + device_type(raw.type) +
         ", " + std::to_string(std::max(1, raw.rank)) + ", " + (raw.contiguous ? "true" : "false") +
         ">";
}

const char* device_type(cupyxx::dtype type) {
  constexpr const char* kNames[] = {"bool",
                                    "signed char",
                                    "short",
                                    "int",
                                    "long",
                                    "unsigned char",
                                    "unsigned short",
                                    "unsigned int",
                                    "unsigned long",
                                    "cupyxx::half",
                                    "float",
                                    "double",
                                    "cupyxx::bfloat16",
                                    "cupyxx::complex<float>",
                                    "cupyxx::complex<double>"};
  static_assert(std::size(kNames) == cupyxx::dtype::kComputeCount);
  return kNames[static_cast<int>(type.code())];
}

std::string declare(const ElementwiseOperand& operand, const std::string& value) {
  const bool casts = operand.seen && operand.seen != operand.type;
  const std::string type = device_type(casts ? operand.seen : operand.type);
  return "const " + type + " " + operand.name + " = " +
         (casts ? "cupyxx::ops::cast<" + type + ">(" + value + ")" : value) + ";";
}

std::string open_kernel(const ElementwiseSource& source, const std::string& arguments) {
  return signature(source, arguments) + declare_scalars(source) + prepare(source);
}

std::string finish(const ElementwiseSource& source) {
  return source.after_loop.empty() ? "" : std::string("  ") + kFinishMark + "\n";
}

std::string leave(const ElementwiseSource& source) {
  return source.after_loop.empty() ? "return;\n" : "break;\n";
}

int vector_width(const ElementwiseSource& source) {
  std::int64_t widest = 1;
  for (const ElementwiseOperand& operand : source.operands) {
    if (has_place(operand)) widest = std::max(widest, operand.type.itemsize());
  }
  if (source.user && source.operands.empty()) return 1;
  return static_cast<int>(16 / widest);
}

int strided_per_thread(const ElementwiseSource& source) {
  return vector_width(source) >= 8 ? 8 : 4;
}

int elements_per_block(const ElementwiseSource& source) {
  constexpr int kThreads = 256;
  switch (source.layout.form) {
    case Form::contiguous:
      return kThreads * vector_width(source) * vectors_per_thread(source);
    case Form::flat:
      return kThreads * vector_width(source);
    case Form::any:
      return kThreads;
    default:
      return kThreads * strided_per_thread(source);
  }
}

std::string write_elementwise(const ElementwiseSource& source) {
  constexpr std::string (*kForms[])(const ElementwiseSource&) = {
      write_contiguous, write_flat, write_strided, write_tiled, write_any};
  const char* const header = source.layout.form == Form::any
                                 ? "cupyxx/internal/kernels/elementwise_any.h"
                                 : "cupyxx/internal/kernels/elementwise.h";
  return std::string("#include \"") + header + "\"\n" + source.includes +
         "namespace ck = cupyxx::internal::kernels;\n" + source.preamble +
         insert_texts(source, kForms[static_cast<int>(source.layout.form)](source));
}

}  // namespace cupyxx::internal::jit
