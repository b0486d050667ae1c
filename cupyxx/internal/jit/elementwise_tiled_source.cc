// SPDX-License-Identifier: MIT
// The form for operands that are contiguous along different axes: x, the last one, and y, the one
// before it. A block has a square of both. Inputs that are contiguous along y are read along y and
// go through shared memory; all others, and the outputs, are walked along x. Whole tiles whose rows
// are aligned go by vectors.
#include "cupyxx/internal/jit/elementwise_text.h"

namespace cupyxx::internal::jit {

namespace {

// `$o<k> + row * stride of one axis + column * stride of the other`, from the corner of the tile.
std::string place(std::size_t k, const std::string& of_x, const std::string& of_y) {
  return "$o" + number(k) + " + static_cast<ck::i64>(" + of_x + ") * $sx" + number(k) +
         " + static_cast<ck::i64>(" + of_y + ") * $sy" + number(k);
}

bool is_staged(const ElementwiseSource& source, std::size_t k) {
  return (source.layout.staged >> k & 1u) != 0;
}

// What a launch finds out about a tile of which all rows go by vectors: inputs that are not staged
// may repeat along x.
std::string is_whole(const ElementwiseSource& source) {
  std::string text = "$nx >= $T && $ny >= $T";
  for (std::size_t k = 0; k < source.operands.size(); ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (!has_place(operand)) continue;
    const std::string n = number(k), size = "sizeof(" + type_of(operand) + ")";
    const bool staged = is_staged(source, k);
    const std::string aligned = "(reinterpret_cast<ck::u64>($o" + n + ") | static_cast<ck::u64>(" +
                                (staged ? "$sx" : "$sy") + n + ")) % (" + size + " * $V) == 0";
    text += "\n      && ";
    if (staged) {
      text += aligned;
    } else if (operand.is_output) {
      text += "$sx" + n + " == " + size + " && " + aligned;
    } else {
      text += "($sx" + n + " == 0 || ($sx" + n + " == " + size + " && " + aligned + "))";
    }
  }
  return text;
}

// The tile by vectors.
std::string write_whole(const ElementwiseSource& source) {
  const std::size_t count = source.operands.size();
  const auto vector = [&](std::size_t k) {
    return "ck::Vector<" + type_of(source.operands[k]) + ", $V>";
  };
  const auto is_direct = [&](std::size_t k) {
    return is_loaded(source.operands[k]) && !is_staged(source, k);
  };
  int direct = 0;
  for (std::size_t k = 0; k < count; ++k) direct += is_direct(k);
  // More vectors than those of two operands would leave registers for too few blocks.
  const bool at_once = direct <= 2;
  const auto load = [&](std::size_t k, const std::string& to) {
    const std::string n = number(k), type = type_of(source.operands[k]);
    const std::string at = place(k, "$at", "$row");
    if (source.operands[k].is_output) {
      return to + " = *reinterpret_cast<const " + vector(k) + "*>(" + at + ");\n";
    }
    return "if ($sx" + n + " != 0) {\n        " + to + " = *reinterpret_cast<const " + vector(k) +
           "*>(" + at + ");\n      } else {\n        const " + type +
           " $one = *reinterpret_cast<const " + type + "*>(" + at +
           ");\n#pragma unroll\n        for (int $e = 0; $e < $V; ++$e) " + to +
           ".at[$e] = $one;\n      }\n";
  };
  const std::string rows =
      "#pragma unroll\n    for (int $j = 0; $j < $N; ++$j) {\n"
      "      const int $row = $from + $j * $R;\n";
  std::string text = "  if (" + is_whole(source) +
                     ") {\n    constexpr int $L = $T / $V, $R = ck::kBlock / $L, $N = $T / $R;\n"
                     "    const int $at = threadIdx.x % $L * $V, $from = threadIdx.x / $L;\n";
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(source, k)) continue;
    text += "    " + vector(k) + " $w" + number(k) + "[$N];\n" + rows + "      $w" + number(k) +
            "[$j] = *reinterpret_cast<const " + vector(k) + "*>(" + place(k, "$row", "$at") +
            ");\n    }\n";
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_direct(k) || !at_once) continue;
    text += "    " + vector(k) + " $x" + number(k) + "[$N];\n" + rows + "      " +
            load(k, "$x" + number(k) + "[$j]") + "    }\n";
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(source, k)) continue;
    text += rows + "#pragma unroll\n      for (int $e = 0; $e < $V; ++$e) $t" + number(k) +
            "[$row][$at + $e] = $w" + number(k) + "[$j].at[$e];\n    }\n";
  }
  text += "    __syncthreads();\n" + rows;
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (!has_place(operand) || is_staged(source, k)) continue;
    text += "      " + vector(k) + " $v" + number(k);
    text += !is_direct(k) ? ";\n"
            : at_once     ? " = $x" + number(k) + "[$j];\n"
                          : ";\n      " + load(k, "$v" + number(k));
  }
  text += "#pragma unroll\n      for (int $e = 0; $e < $V; ++$e) {\n" +
          element(source, "        ",
                  [&](std::size_t k) {
                    return is_staged(source, k) ? "$t" + number(k) + "[$at + $e][$row]"
                                                : "$v" + number(k) + ".at[$e]";
                  }) +
          "      }\n";
  for (std::size_t k = 0; k < count; ++k) {
    if (!source.operands[k].is_output) continue;
    text += "      *reinterpret_cast<" + vector(k) + "*>(" + place(k, "$at", "$row") + ") = $v" +
            number(k) + ";\n";
  }
  return text + "    }\n" + finish(source) + "    return;\n  }\n";
}

}  // namespace

int tile_side(int widest, int bytes_of_all) {
  constexpr int kSharedBytes = 40 * 1024;
  return widest <= 4 && bytes_of_all * 64 * 64 <= kSharedBytes ? 64 : 32;
}

std::string write_tiled(const ElementwiseSource& source) {
  const int rank = source.layout.rank;
  const std::string x = std::to_string(rank - 1), y = std::to_string(rank - 2);
  const std::size_t count = source.operands.size();
  int widest = 1, all = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(source, k)) continue;
    const int size = static_cast<int>(source.operands[k].type.itemsize());
    widest = size > widest ? size : widest;
    all += size;
  }
  std::string text = open_kernel(
      source, source.user
                  ? "ck::UserStridedArgs<" + std::to_string(rank) + ", " + number(count) + ">"
                  : "ck::StridedArgs<" + std::to_string(rank) + ">");
  text +=
      "  constexpr int $T = " + std::to_string(tile_side(widest, all)) +
      ", $S = ck::kBlock / $T, $K = $T / $S;\n"
      "  const int $lane = threadIdx.x % $T, $part = threadIdx.x / $T;\n"
      "  ck::u32 $rest = blockIdx.x, $quotient = ck::divide($rest, $args.divider[" +
      y + "]);\n  const ck::i64 $y = static_cast<ck::i64>($rest - $quotient * $args.divider[" + y +
      "].divisor) * $T;\n  $rest = $quotient;\n  $quotient = ck::divide($rest, "
      "$args.divider[" +
      x + "]);\n  const ck::i64 $x = static_cast<ck::i64>($rest - $quotient * $args.divider[" + x +
      "].divisor) * $T;\n  $rest = $quotient;\n"
      "  const ck::i64 $nx = $args.extent[" +
      x + "] - $x, $ny = $args.extent[" + y + "] - $y;\n";
  for (std::size_t k = 0; k < count; ++k) {
    if (!has_place(source.operands[k])) continue;
    const std::string n = number(k);
    text += "  const ck::i64 $sx" + n + " = $args.stride[" + n + "][" + x + "], $sy" + n +
            " = $args.stride[" + n + "][" + y + "];\n  char* $o" + n + " = $args.data[" + n +
            "] + $x * $sx" + n + " + $y * $sy" + n + ";\n";
  }
  if (rank > 2) {
    text += std::string(rank > 8 ? "#pragma unroll 1" : "#pragma unroll") +
            "\n  for (int $axis = " + std::to_string(rank - 3) +
            "; $axis >= 0; --$axis) {\n"
            "    $quotient = ck::divide($rest, $args.divider[$axis]);\n"
            "    const ck::i64 $at = $rest - $quotient * $args.divider[$axis].divisor;\n"
            "    $rest = $quotient;\n";
    for (std::size_t k = 0; k < count; ++k) {
      if (!has_place(source.operands[k])) continue;
      text += "    $o" + number(k) + " += $at * $args.stride[" + number(k) + "][$axis];\n";
    }
    text += "  }\n";
  }
  // All loads come first. Where several operands are not staged, those of a few rows at a time: so
  // many values and addresses would leave registers for two blocks only.
  const auto is_direct = [&](std::size_t k) {
    const ElementwiseOperand& operand = source.operands[k];
    return has_place(operand) && !operand.is_output && !is_staged(source, k);
  };
  int direct = 0;
  for (std::size_t k = 0; k < count; ++k) direct += is_direct(k);
  const bool in_parts = direct > 1;
  const auto load = [&](std::size_t k, const std::string& first, const std::string& rows) {
    const std::string type = type_of(source.operands[k]), n = number(k);
    return "  " + type + " $x" + n + "[" + rows + "];\n#pragma unroll\n  for (int $j = 0; $j < " +
           rows + "; ++$j) {\n    const int $row = $part + " + first + " * $S;\n    if ($lane < " +
           (is_staged(source, k) ? "$ny && $row < $nx" : "$nx && $row < $ny") + ") $x" + n +
           "[$j] = *reinterpret_cast<const " + type + "*>(" +
           (is_staged(source, k) ? place(k, "$row", "$lane") : place(k, "$lane", "$row")) +
           ");\n  }\n";
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(source, k)) continue;
    const std::string type = type_of(source.operands[k]);
    // A row is a bank longer than the tile, so that columns are in different banks.
    text += "  __shared__ " + type + " $t" + number(k) + "[$T][$T + (sizeof(" + type +
            ") < 4 ? 4 / sizeof(" + type + ") : 1)];\n";
  }
  if (vector_width(source) > 1) {
    text += "  constexpr int $V = " + std::to_string(vector_width(source)) + ";\n" +
            write_whole(source);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (is_staged(source, k) || (is_direct(k) && !in_parts)) text += load(k, "$j", "$K");
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(source, k)) continue;
    const std::string n = number(k);
    text += "#pragma unroll\n  for (int $j = 0; $j < $K; ++$j) $t" + n +
            "[$part + $j * $S][$lane] = $x" + n + "[$j];\n";
  }
  text += "  __syncthreads();\n";
  const std::string rows = in_parts ? "$C" : "$K", first = in_parts ? "($c + $j)" : "$j";
  if (in_parts) {
    text += "  constexpr int $C = 4;\n#pragma unroll 1\n  for (int $c = 0; $c < $K; $c += $C) {\n";
    for (std::size_t k = 0; k < count; ++k) {
      if (is_direct(k)) text += load(k, first, rows);
    }
  }
  text += "#pragma unroll\n  for (int $j = 0; $j < " + rows +
          "; ++$j) {\n    const int $row = $part + " + first +
          " * $S;\n    if ($lane >= $nx || $row >= $ny) continue;\n";
  text += element(source, "    ", [&](std::size_t k) {
    const std::string n = number(k);
    if (is_staged(source, k)) return "$t" + n + "[$lane][$row]";
    if (!source.operands[k].is_output) return "$x" + n + "[$j]";
    return "*reinterpret_cast<" + type_of(source.operands[k]) + "*>(" + place(k, "$lane", "$row") +
           ")";
  });
  if (in_parts) text += "  }\n";
  return text + "  }\n" + finish(source) + "}\n";
}

}  // namespace cupyxx::internal::jit
