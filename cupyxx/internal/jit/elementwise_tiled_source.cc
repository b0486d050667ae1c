// SPDX-License-Identifier: MIT
// The form for operands that are contiguous along different axes: x, the last one, and y, the one
// before it. A block has a square of both. Inputs that are contiguous along y are read along y and
// go through shared memory; all others, and the outputs, are walked along x.
#include "cupyxx/internal/jit/elementwise_text.h"

namespace cupyxx::internal::jit {

namespace {

// `$o<k> + row * stride of one axis + column * stride of the other`, from the corner of the tile.
std::string place(std::size_t k, const std::string& of_x, const std::string& of_y) {
  return "$o" + number(k) + " + static_cast<ck::i64>(" + of_x + ") * $sx" + number(k) +
         " + static_cast<ck::i64>(" + of_y + ") * $sy" + number(k);
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
  const auto is_staged = [&](std::size_t k) { return (source.layout.staged >> k & 1u) != 0; };
  int widest = 1, all = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(k)) continue;
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
    return has_place(operand) && !operand.is_output && !is_staged(k);
  };
  int direct = 0;
  for (std::size_t k = 0; k < count; ++k) direct += is_direct(k);
  const bool in_parts = direct > 1;
  const auto load = [&](std::size_t k, const std::string& first, const std::string& rows) {
    const std::string type = type_of(source.operands[k]), n = number(k);
    return "  " + type + " $x" + n + "[" + rows + "];\n#pragma unroll\n  for (int $j = 0; $j < " +
           rows + "; ++$j) {\n    const int $row = $part + " + first + " * $S;\n    if ($lane < " +
           (is_staged(k) ? "$ny && $row < $nx" : "$nx && $row < $ny") + ") $x" + n +
           "[$j] = *reinterpret_cast<const " + type + "*>(" +
           (is_staged(k) ? place(k, "$row", "$lane") : place(k, "$lane", "$row")) + ");\n  }\n";
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (is_staged(k) || (is_direct(k) && !in_parts)) text += load(k, "$j", "$K");
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_staged(k)) continue;
    const std::string type = type_of(source.operands[k]), n = number(k);
    // A row is a bank longer than the tile, so that columns are in different banks.
    text += "  __shared__ " + type + " $t" + n + "[$T][$T + (sizeof(" + type +
            ") < 4 ? 4 / sizeof(" + type +
            ") : 1)];\n#pragma unroll\n"
            "  for (int $j = 0; $j < $K; ++$j) $t" +
            n + "[$part + $j * $S][$lane] = $x" + n + "[$j];\n";
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
    if (is_staged(k)) return "$t" + n + "[$lane][$row]";
    if (!source.operands[k].is_output) return "$x" + n + "[$j]";
    return "*reinterpret_cast<" + type_of(source.operands[k]) + "*>(" + place(k, "$lane", "$row") +
           ")";
  });
  if (in_parts) text += "  }\n";
  return text + "  }\n" + finish(source) + "}\n";
}

}  // namespace cupyxx::internal::jit
