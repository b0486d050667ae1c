// SPDX-License-Identifier: MIT
// The forms for operands of any strides. Both load all that a thread needs before they store: an
// output may be an input too, so the compiler must keep our order, and loads that wait for stores
// leave the memory idle.
#include <algorithm>

#include "cupyxx/internal/jit/elementwise_text.h"

namespace cupyxx::internal::jit {

namespace {

// Ranks above this share programs whose loops end at the real rank.
constexpr int kExactRank = 4;

std::string index_type(const ElementwiseSource& source) {
  return source.layout.wide ? "ck::u64" : "ck::u32";
}

std::string extent(const ElementwiseSource& source, const std::string& axis) {
  return source.layout.wide ? "static_cast<ck::u64>($args.extent[" + axis + "])"
                            : "$args.divider[" + axis + "].divisor";
}

std::string quotient(const ElementwiseSource& source, const std::string& axis) {
  return source.layout.wide ? "$rest / " + extent(source, axis)
                            : "ck::divide($rest, $args.divider[" + axis + "])";
}

std::string stride(std::size_t k, const std::string& axis) {
  return "$args.stride[" + number(k) + "][" + axis + "]";
}

std::string arguments(const ElementwiseSource& source) {
  const std::string rank = std::to_string(source.layout.rank);
  return source.user ? "ck::UserStridedArgs<" + rank + ", " + number(source.operands.size()) + ">"
                     : "ck::StridedArgs<" + rank + ">";
}

// Moves `$p` to the next element: along the axis, and at its end back and along the one before it.
std::string advance(const ElementwiseSource& source, std::size_t k, int axis,
                    const std::string& indent) {
  const std::string a = std::to_string(axis);
  const std::string step = "$p += " + stride(k, a) + ";\n";
  if (axis == 0) return indent + step;
  return indent + "if (++$c" + a + " < " + extent(source, a) + ") {\n" + indent + "  " + step +
         indent + "} else {\n" + indent + "  $c" + a + " = 0;\n" + indent +
         "  $p -= ($args.extent[" + a + "] - 1) * " + stride(k, a) + ";\n" +
         advance(source, k, axis - 1, indent + "  ") + indent + "}\n";
}

int loaded_operands(const ElementwiseSource& source) {
  return static_cast<int>(std::count_if(source.operands.begin(), source.operands.end(), is_loaded));
}

bool has(unsigned operands, std::size_t k) { return (operands >> k & 1u) != 0; }

// `$v<k>` from `$p` in one access.
std::string load_run(const ElementwiseSource& source, std::size_t k) {
  return "$v" + number(k) + " = *reinterpret_cast<const ck::Vector<" + type_of(source.operands[k]) +
         ", $V>*>($p);\n";
}
// The element at `$p`, over and over.
std::string load_repeated(const ElementwiseSource& source, std::size_t k,
                          const std::string& indent) {
  const std::string type = type_of(source.operands[k]);
  return indent + "const " + type + " $one = *reinterpret_cast<const " + type +
         "*>($p);\n#pragma unroll\n" + indent + "for (int $e = 0; $e < $V; ++$e) $v" + number(k) +
         ".at[$e] = $one;\n";
}

// Fills the vector `$v<k>` with the input's elements.
std::string gather(const ElementwiseSource& source, std::size_t k) {
  const ElementwiseOperand& operand = source.operands[k];
  const int rank = source.layout.rank;
  const std::string type = type_of(operand);
  const std::string last = std::to_string(rank - 1);
  std::string text = "    {\n      const char* $p = $args.data[" + number(k) + "]";
  for (int axis = 0; axis < rank; ++axis) {
    const std::string a = std::to_string(axis);
    text += " + static_cast<ck::i64>($at" + a + ") * " + stride(k, a);
  }
  text += ";\n";
  if (has(source.layout.runs, k)) return text + "      " + load_run(source, k) + "    }\n";
  if (has(source.layout.repeats, k)) return text + load_repeated(source, k, "      ") + "    }\n";
  const std::string row = "$at" + last + " + $V <= " + extent(source, last);
  const bool many = loaded_operands(source) > 2;
  if ((operand.type.itemsize() <= 2 || many) && vector_width(source) >= (many ? 2 : 4)) {
    // So many small loads would be the limit where one will do.
    text += "      if (" + row + " && " + stride(k, last) + " == sizeof(" + type +
            ") &&\n          reinterpret_cast<ck::u64>($p) % sizeof($v" + number(k) +
            ") == 0) {\n        " + load_run(source, k) + "      } else\n";
    if (many) {
      text += "      if (" + row + " && " + stride(k, last) + " == 0) {\n" +
              load_repeated(source, k, "        ") + "      } else\n";
    }
  }
  text += "      {\n";
  for (int axis = 1; axis < rank; ++axis) {
    const std::string a = std::to_string(axis);
    text += "        " + index_type(source) + " $c" + a + " = $at" + a + ";\n";
  }
  // Beyond the last element the last one is read again.
  text += "#pragma unroll\n        for (int $e = 0; $e < $V; ++$e) {\n          $v" + number(k) +
          ".at[$e] = *reinterpret_cast<const " + type +
          "*>($p);\n          if ($e + 1 < $left) {\n" +
          advance(source, k, rank - 1, "            ") + "          }\n        }\n      }\n    }\n";
  return text;
}

}  // namespace

std::string write_flat(const ElementwiseSource& source) {
  const int rank = source.layout.rank;
  const std::size_t count = source.operands.size();
  std::string text =
      open_kernel(source, arguments(source)) +
      "  constexpr int $V = " + std::to_string(vector_width(source)) +
      ";\n  const ck::u64 $wide = (static_cast<ck::u64>(blockIdx.x) * ck::kBlock + threadIdx.x) * "
      "$V;\n"
      "  if ($wide < $args.size) {\n    " +
      std::string(source.layout.whole ? "constexpr int $left = $V;\n"
                                      : "const int $left = $args.size - $wide < $V ? "
                                        "static_cast<int>($args.size - $wide) : $V;\n") +
      "    " + index_type(source) + " $rest = static_cast<" + index_type(source) + ">($wide);\n";
  for (int axis = rank - 1; axis > 0; --axis) {
    const std::string a = std::to_string(axis);
    text += "    const " + index_type(source) + " $q" + a + " = " + quotient(source, a) + ", $at" +
            a + " = $rest - $q" + a + " * " + extent(source, a) + ";\n    $rest = $q" + a + ";\n";
  }
  text += "    const " + index_type(source) + " $at0 = $rest;\n";
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (!has_place(operand)) continue;
    text += "    ck::Vector<" + type_of(operand) + ", $V> $v" + number(k) + ";\n";
    if (is_loaded(operand)) text += gather(source, k);
  }
  text += "#pragma unroll\n    for (int $e = 0; $e < $V; ++$e) {\n";
  if (source.user && !source.layout.whole) text += "      if ($e >= $left) break;\n";
  text += "      const ck::i64 i = static_cast<ck::i64>($wide) + $e;\n      (void)i;\n";
  text += element(source, "      ", [](std::size_t k) { return "$v" + number(k) + ".at[$e]"; });
  text += "    }\n";
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (!operand.is_output) continue;
    const std::string type = type_of(operand), v = "$v" + number(k);
    text += "    {\n      auto* $p = reinterpret_cast<" + type + "*>($args.data[" + number(k) +
            "]) + $wide;\n      if ($left == $V) {\n        *reinterpret_cast<ck::Vector<" + type +
            ", $V>*>($p) = " + v + ";\n      } else {\n#pragma unroll\n" +
            "        for (int $e = 0; $e < $V; ++$e) {\n          if ($e < $left) $p[$e] = " + v +
            ".at[$e];\n        }\n      }\n    }\n";
  }
  return text + "  }\n" + finish(source) + "}\n";
}

std::string write_strided(const ElementwiseSource& source) {
  const std::string rank = std::to_string(source.layout.rank);
  const std::string count = std::to_string(strided_per_thread(source));
  const std::size_t operands = source.operands.size() + (source.masked ? 1 : 0);
  const auto is_mask = [&](std::size_t k) { return k >= source.operands.size(); };
  const auto is_walked = [&](std::size_t k) { return is_mask(k) || has_place(source.operands[k]); };
  const auto is_output = [&](std::size_t k) { return !is_mask(k) && source.operands[k].is_output; };
  const auto type = [&](std::size_t k) {
    return is_mask(k) ? std::string("bool") : type_of(source.operands[k]);
  };
  std::string text = open_kernel(source, arguments(source)) +
                     "  const ck::u64 $base = static_cast<ck::u64>(blockIdx.x) * (ck::kBlock * " +
                     count + ") + threadIdx.x;\n";
  for (std::size_t k = 0; k < operands; ++k) {
    if (!is_walked(k)) continue;
    text += is_output(k) ? "  char* $a" + number(k) + "[" + count + "];\n"
                         : "  " + type(k) + " $x" + number(k) + "[" + count + "];\n";
  }
  text += "#pragma unroll\n  for (int $u = 0; $u < " + count +
          "; ++$u) {\n    const ck::u64 $wide = $base + $u * ck::kBlock;\n"
          "    if ($wide < $args.size) {\n      " +
          index_type(source) + " $rest = static_cast<" + index_type(source) + ">($wide);\n";
  for (std::size_t k = 0; k < operands; ++k) {
    if (is_walked(k)) text += "      ck::i64 $o" + number(k) + " = 0;\n";
  }
  text += "#pragma unroll\n      for (int $axis = " + rank + " - 1; $axis > 0; --$axis) {\n";
  if (source.layout.rank > kExactRank)
    text += "        if ($axis >= static_cast<int>($args.rank)) continue;\n";
  text += "        const " + index_type(source) + " $quotient = " + quotient(source, "$axis") +
          ";\n        const ck::i64 $at = $rest - $quotient * " + extent(source, "$axis") + ";\n";
  for (std::size_t k = 0; k < operands; ++k) {
    if (is_walked(k)) {
      text += "        $o" + number(k) + " += $at * " + stride(k, "$axis") + ";\n";
    }
  }
  text += "        $rest = $quotient;\n      }\n";
  for (std::size_t k = 0; k < operands; ++k) {
    if (!is_walked(k)) continue;
    const std::string place = "$args.data[" + number(k) + "] + $o" + number(k) +
                              " + static_cast<ck::i64>($rest) * " + stride(k, "0");
    text += is_output(k) ? "      $a" + number(k) + "[$u] = " + place + ";\n"
                         : "      $x" + number(k) + "[$u] = *reinterpret_cast<const " + type(k) +
                               "*>(" + place + ");\n";
  }
  text += "    }\n  }\n#pragma unroll\n  for (int $u = 0; $u < " + count +
          "; ++$u) {\n    const ck::u64 $wide = $base + $u * ck::kBlock;\n"
          "    if ($wide >= $args.size) " +
          leave(source) + "    const ck::i64 i = static_cast<ck::i64>($wide);\n    (void)i;\n";
  text += element(source, "    ", [&](std::size_t k) {
    return is_output(k) ? "*reinterpret_cast<" + type(k) + "*>($a" + number(k) + "[$u])"
                        : "$x" + number(k) + "[$u]";
  });
  return text + "  }\n" + finish(source) + "}\n";
}

}  // namespace cupyxx::internal::jit
