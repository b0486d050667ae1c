// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/elementwise_source.h"

#include <algorithm>

namespace cupyxx::internal::jit {

namespace {

// Texts below name their own variables `$x`; the `$` becomes nothing, or the underscore that keeps
// them apart from the names of a user's kernel. What the user wrote stands in for these marks.
constexpr char kBodyMark = '\1';
constexpr char kPrepareMark = '\2';
constexpr char kFinishMark = '\3';

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

std::string number(std::size_t i) { return std::to_string(i); }

// `T name = value;` for an input, before the body.
std::string declare(const ElementwiseOperand& operand, const std::string& value) {
  const bool casts = operand.seen && operand.seen != operand.type;
  const std::string type = device_type(casts ? operand.seen : operand.type);
  return "const " + type + " " + operand.name + " = " +
         (casts ? "cupyxx::ops::cast<" + type + ">(" + value + ")" : value) + ";";
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

// What stands behind the loop.
std::string finish(const ElementwiseSource& source) {
  return source.after_loop.empty() ? "" : std::string("  ") + kFinishMark + "\n";
}

// How a thread without another element leaves a loop.
std::string leave(const ElementwiseSource& source) {
  return source.after_loop.empty() ? "return;\n" : "break;\n";
}

std::string signature(const ElementwiseSource& source, const std::string& arguments) {
  std::string text = "extern \"C\" __global__ void __launch_bounds__(256)\n" + source.entry +
                     "(const __grid_constant__ " + arguments + " $args";
  for (std::size_t k = 0; k < source.raws.size(); ++k) {
    text += ",\n    const __grid_constant__ ck::RawData<" +
            std::to_string(std::max(1, source.raws[k].rank)) + "> $raw" + number(k);
  }
  return text + ") {\n";
}

// Scalars are read once, before any loop.
std::string declare_scalars(const ElementwiseSource& source) {
  std::string text;
  for (std::size_t k = 0; k < source.operands.size(); ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (operand.access != Access::scalar) continue;
    text += "  " +
            declare(operand, "ck::immediate<" + std::string(device_type(operand.type)) +
                                 ">($args.immediate[" + number(k) + "])") +
            "\n";
  }
  return text;
}

// The body for element `i` with inputs from and outputs to `access(k)`, an lvalue text.
template <class AccessText>
std::string element(const ElementwiseSource& source, const std::string& indent, AccessText access) {
  std::string text;
  const std::size_t count = source.operands.size();
  if (source.masked) text += indent + "if (!" + access(count) + ") continue;\n";
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (operand.is_output) {
      // A user's outputs are what they were before, until the body sets them.
      text += indent + device_type(operand.type) +
              (source.user ? "& " + operand.name + " = " + access(k) : " " + operand.name) + ";\n";
    } else if (operand.access != Access::scalar) {
      text += indent + declare(operand, access(k)) + "\n";
    }
  }
  if (source.user) return text + indent + "{\n" + kBodyMark + "\n" + indent + "}\n";
  text += indent + "{ " + kBodyMark + " }\n";
  for (std::size_t k = 0; k < count; ++k) {
    if (source.operands[k].is_output) {
      text += indent + access(k) + " = " + source.operands[k].name + ";\n";
    }
  }
  return text;
}

std::string write_contiguous(const ElementwiseSource& source) {
  const int width = vector_width(source);
  const int count = vectors_per_thread(source);
  std::string text =
      signature(source, source.user
                            ? "ck::UserContiguousArgs<" + number(source.operands.size()) + ">"
                            : "ck::ContiguousArgs") +
      "  constexpr int $V = " + std::to_string(width) + ", $U = " + std::to_string(count) +
      ";\n"
      "  const ck::u64 $base = static_cast<ck::u64>(blockIdx.x) * (ck::kBlock * $V * $U);\n";
  text += declare_scalars(source) + prepare(source);
  std::string pointers;
  for (std::size_t k = 0; k < source.operands.size(); ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (operand.access == Access::scalar) continue;
    const std::string type =
        (operand.is_output ? "" : "const ") + std::string(device_type(operand.type));
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
  if (!source.masked) {
    text += "  if ($args.vector && $base + ck::kBlock * $V * $U <= $args.size) {\n";
    for (std::size_t k = 0; k < source.operands.size(); ++k) {
      const ElementwiseOperand& operand = source.operands[k];
      if (operand.access == Access::scalar) continue;
      text += "    ck::Vector<" + std::string(device_type(operand.type)) + ", $V> $v" + number(k) +
              "[$U];\n";
    }
    text +=
        "#pragma unroll\n    for (int $u = 0; $u < $U; ++$u) {\n"
        "      const int $j = $u * ck::kBlock + threadIdx.x;\n";
    for (std::size_t k = 0; k < source.operands.size(); ++k) {
      const ElementwiseOperand& operand = source.operands[k];
      const bool is_read = !operand.is_output || operand.is_read;
      if (operand.access == Access::scalar || !is_read) continue;
      const std::string vector = "ck::Vector<" + std::string(device_type(operand.type)) + ", $V>";
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
      text += "      reinterpret_cast<ck::Vector<" + std::string(device_type(operand.type)) +
              ", $V>*>($p" + number(k) + ")[$j] = $v" + number(k) + "[$u];\n";
    }
    text += "    }\n" + finish(source) + "    return;\n  }\n";
  }
  text +=
      "  for (int $j = threadIdx.x; $j < ck::kBlock * $V * $U; $j += ck::kBlock) {\n"
      "    if ($base + $j >= $args.size) " +
      leave(source) +
      "    const ck::i64 i = static_cast<ck::i64>($base) + $j;\n"
      "    (void)i;\n";
  text += element(source, "    ", [](std::size_t k) { return "$p" + number(k) + "[$j]"; });
  text += "  }\n" + finish(source) + "}\n";
  return text;
}

std::string write_strided(const ElementwiseSource& source) {
  const std::string rank = std::to_string(source.rank);
  const std::string index = source.wide ? "ck::u64" : "ck::u32";
  std::string text = signature(source, source.user ? "ck::UserStridedArgs<" + rank + ", " +
                                                         number(source.operands.size()) + ">"
                                                   : "ck::StridedArgs<" + rank + ">") +
                     declare_scalars(source) + prepare(source) +
                     "  const ck::u64 $base = static_cast<ck::u64>(blockIdx.x) * (ck::kBlock * " +
                     std::to_string(kStridedPerThread) +
                     ") + threadIdx.x;\n"
                     "#pragma unroll\n"
                     "  for (int $u = 0; $u < " +
                     std::to_string(kStridedPerThread) +
                     "; ++$u) {\n"
                     "    const ck::u64 $wide = $base + $u * ck::kBlock;\n"
                     "    if ($wide >= $args.size) " +
                     leave(source) +
                     "    const ck::i64 i = static_cast<ck::i64>($wide);\n"
                     "    (void)i;\n"
                     "    " +
                     index + " $rest = static_cast<" + index + ">($wide);\n";
  const std::size_t count = source.operands.size() + (source.masked ? 1 : 0);
  const auto has_strides = [&](std::size_t k) {
    return k >= source.operands.size() || source.operands[k].access != Access::scalar;
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (has_strides(k)) text += "    ck::i64 $o" + number(k) + " = 0;\n";
  }
  // Ranks above four share one program whose loop ends at the real rank.
  const bool exact = source.rank <= 4;
  text += "#pragma unroll\n    for (int $axis = " + rank + " - 1; $axis > 0; --$axis) {\n";
  if (!exact) text += "      if ($axis >= $args.rank) continue;\n";
  if (source.wide) {
    text += "      const " + index +
            " $quotient = $rest / static_cast<ck::u64>($args.extent[$axis]);\n"
            "      const ck::i64 $at = $rest - $quotient * "
            "static_cast<ck::u64>($args.extent[$axis]);\n";
  } else {
    text += "      const " + index +
            " $quotient = ck::divide($rest, $args.divider[$axis]);\n"
            "      const ck::i64 $at = $rest - $quotient * $args.divider[$axis].divisor;\n";
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (has_strides(k)) {
      text += "      $o" + number(k) + " += $at * $args.stride[" + number(k) + "][$axis];\n";
    }
  }
  text += "      $rest = $quotient;\n    }\n";
  for (std::size_t k = 0; k < count; ++k) {
    if (has_strides(k)) {
      text += "    $o" + number(k) + " += static_cast<ck::i64>($rest) * $args.stride[" + number(k) +
              "][0];\n";
    }
  }
  text += element(source, "    ", [&](std::size_t k) {
    const bool is_mask = k >= source.operands.size();
    const std::string type = is_mask ? "bool" : device_type(source.operands[k].type);
    const bool is_output = !is_mask && source.operands[k].is_output;
    return "*reinterpret_cast<" + std::string(is_output ? "" : "const ") + type + "*>($args.data[" +
           number(k) + "] + $o" + number(k) + ")";
  });
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
  constexpr const char* kNames[] = {
      "bool",          "signed char",    "short",           "int",           "long",
      "unsigned char", "unsigned short", "unsigned int",    "unsigned long", "cupyxx::half",
      "float",         "double",         "cupyxx::bfloat16"};
  return kNames[static_cast<int>(type.code())];
}

int vector_width(const ElementwiseSource& source) {
  std::int64_t widest = 1;
  for (const ElementwiseOperand& operand : source.operands) {
    if (operand.access != Access::scalar) widest = std::max(widest, operand.type.itemsize());
  }
  if (source.user && source.operands.empty()) return 1;
  return static_cast<int>(16 / widest);
}

int vectors_per_thread(const ElementwiseSource& source) {
  // Two 16-byte loads of each input are in flight; one is enough from three inputs on.
  int inputs = 0;
  for (const ElementwiseOperand& operand : source.operands) {
    inputs += !operand.is_output && operand.access != Access::scalar;
  }
  return inputs >= 3 ? 1 : 2;
}

std::string write_elementwise(const ElementwiseSource& source) {
  return "#include \"cupyxx/internal/kernels/elementwise.h\"\n" + source.includes +
         "namespace ck = cupyxx::internal::kernels;\n" + source.preamble +
         insert_texts(source, source.rank == 0 ? write_contiguous(source) : write_strided(source));
}

}  // namespace cupyxx::internal::jit
